%% crypto:mod_pow of Erlang.
main(_) ->
    io:format("version\tOTP ~s~n", [erlang:system_info(otp_release)]),
    [show(Key, B, E, M) || {Key, B, E, M} <- [
        {"power of a negative modulus", 3, 2, -7},
        {"power of a negative exponent", 3, -1, 7},
        {"power of a negative exponent without an inverse", 2, -1, 4},
        {"power of modulus 1", 3, 0, 1},
        {"power of modulus 0", 3, 2, 0},
        {"power of 0 and 0", 0, 0, 7},
        {"power of a negative base", -3, 3, 7},
        {"power of a negative base and exponent", -3, -1, 7},
        {"power of an even modulus", 3, 5, 10}]].

show(Key, B, E, M) ->
    Answer = try crypto:mod_pow(B, E, M) of
        error -> "error";
        Bytes -> integer_to_list(binary:decode_unsigned(Bytes))
    catch
        error:_ -> "error raised"
    end,
    io:format("~s\t~s~n", [Key, Answer]).
