# math::bignum of tcllib.
set release [package require math::bignum]

proc number {value} { return [math::bignum::fromstr $value] }


proc power {key b e m} {
    if {[catch {math::bignum::tostr [math::bignum::powm [number $b] [number $e] [number $m]]} answer]} {
        set answer "error"
    }
    puts "$key\t$answer"
}

puts "version\t$release"
power "power of a negative modulus" 3 2 -7
power "power of a negative exponent" 3 -1 7
power "power of a negative exponent without an inverse" 2 -1 4
power "power of modulus 1" 3 0 1
power "power of modulus 0" 3 2 0
power "power of 0 and 0" 0 0 7
power "power of a negative base" -3 3 7
power "power of a negative base and exponent" -3 -1 7
power "power of an even modulus" 3 5 10
