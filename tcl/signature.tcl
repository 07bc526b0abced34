# Signatures by expr: DSA, and RSA with PKCS#1 v1.5. Keys are dictionaries of numbers. Messages are hashed by tcllib's sha1 and sha256;
# other hash functions take digests. Key files, PSS and the policy strict need the extension.

namespace eval ::pingala {
    # The widths of digests in bytes, and the identifiers of PKCS#1's DigestInfo.
    variable hashes {
        sha1 {20 2b0e03021a} sha224 {28 608648016503040204} sha256 {32 608648016503040201} sha384 {48 608648016503040202}
        sha512 {64 608648016503040203} sha512_224 {28 608648016503040205} sha512_256 {32 608648016503040206}
        sha3_224 {28 608648016503040207} sha3_256 {32 608648016503040208} sha3_384 {48 608648016503040209} sha3_512 {64 60864801650304020a}
    }

    proc Unsupported {what} {
        variable load_error
        return -level 2 -code error -errorcode {PINGALA bad_argument} "$what needs the extension: $load_error"
    }

    proc Hex {bytes} {
        if {[regexp {[^\x00-\xff]} $bytes]} {fail bad_argument "text has to be encoded as bytes first: encoding convertto utf-8"}
        return [binary encode hex $bytes]
    }

    # The digest of a message in hexadecimal digits.
    proc Digest {options message} {
        variable hashes
        set hash [dict get $options -hash]
        if {[dict get $options -digest]} {
            set digest [Hex $message]
            if {[string length $digest] != 2 * [lindex [dict get $hashes $hash] 0]} {
                fail bad_argument "the digest has [string length $message] bytes, but the hash function makes\
                    [lindex [dict get $hashes $hash] 0]"
            }
            return $digest
        }
        Hex $message
        if {$hash ni {sha1 sha256} || [catch {package require $hash}]} {
            Unsupported "the digest of $hash, which tcllib has not here,"
        }
        return [expr {$hash eq "sha1" ? [::sha1::sha1 -hex $message] : [::sha2::sha256 -hex $message]}]
    }

    # One integer of strict DER at the beginning of the digits in a variable, from which it is taken.
    proc DerInteger {variable} {
        upvar 1 $variable digits
        if {![regexp {^02(0[1-9a-f]|[1-7][0-9a-f]|81[89a-f][0-9a-f]|82(?!00)....)(.*)$} $digits - length digits]} {error DER}
        set length [expr {2 * "0x[string range $length [expr {[string length $length] > 2 ? 2 : 0}] end]"}]
        set integer [string range $digits 0 [expr {$length - 1}]]
        set digits [string range $digits $length end]
        if {[string length $integer] < $length || [regexp {^(00[0-7].|[89a-f])} $integer]} {error DER}
        return [expr {"0x$integer"}]
    }

    # r and s of a signature of DSA, or an error.
    proc Pair {encoding signature} {
        set digits [binary encode hex $signature]
        if {$encoding in {p1363 raw}} {
            set half [string length $signature]
            if {$half == 0 || $half % 2} {error width}
            return [list [expr {"0x[string range $digits 0 $half-1]"}] [expr {"0x[string range $digits $half end]"}]]
        }
        if {![regexp {^30([0-7].|81[89a-f].|82(?!00)....)(.*)$} $digits - length digits]} {error DER}
        set length [expr {2 * "0x[string range $length [expr {[string length $length] > 2 ? 2 : 0}] end]"}]
        if {[string length $digits] != $length} {error DER}
        set pair [list [DerInteger digits] [DerInteger digits]]
        if {$digits ne ""} {error DER}
        return $pair
    }

    # The names of the numbers of a key, as integers in variables of the caller.
    proc Key {key names} {
        if {[regexp {^(-----|ssh-|0)} $key] || [catch {dict size $key}]} {Unsupported "a key that is no dictionary of numbers"}
        foreach name $names {
            if {![dict exists $key $name]} {fail bad_argument "the key has no number $name"}
            upvar 1 $name number
            set number [Integer [dict get $key $name]]
        }
    }

    # Each returns the name of a status: ok for a valid signature.
    proc VerifyDsa {options key message signature} {
        Key $key {p q g y}
        if {!($p & 1 && $q & 1 && 1 < $q && $q < $p && 1 < $g && $g < $p && 1 < $y && $y < $p)} {
            fail bad_argument "a number of the key is out of range"
        }
        set digest [Digest $options $message]
        Hex $signature
        if {[catch {Pair [dict get $options -encoding] $signature} pair]} {return bad_encoding}
        lassign $pair r s
        if {!(0 < $r && $r < $q && 0 < $s && $s < $q)} {return out_of_range}
        set z [expr {"0x$digest" >> max(0, 4 * [string length $digest] - [string length [format %llb $q]])}]
        if {[catch {invert $s $q} w]} {return mismatch}
        set v [expr {[powm $g [expr {$z * $w % $q}] $p] * [powm $y [expr {$r * $w % $q}] $p] % $p % $q}]
        return [expr {$v == $r ? "ok" : "mismatch"}]
    }

    proc VerifyRsa {options key message signature} {
        variable hashes
        if {[dict get $options -scheme] eq "pss"} {Unsupported "PSS"}
        Key $key {n e}
        if {!($n & 1 && $e & 1 && 1 < $e && $e < $n)} {fail bad_argument "a number of the key is out of range"}
        set digest [Digest $options $message]
        set width [expr {([string length [format %llx $n]] + 1) / 2}]
        set digits [Hex $signature]
        if {[string length $signature] != $width} {return bad_encoding}
        if {"0x$digits" >= $n} {return out_of_range}
        set oid [lindex [dict get $hashes [dict get $options -hash]] 1]
        set oid [format 06%02x%s0500 [expr {[string length $oid] / 2}] $oid]
        set info [format 30%02x%s04%02x%s [expr {[string length $oid] / 2}] $oid [expr {[string length $digest] / 2}] $digest]
        set info [format 30%02x%s [expr {[string length $info] / 2}] $info]
        set padding [expr {$width - 3 - [string length $info] / 2}]
        if {$padding < 8} {return key_too_short}
        set expected 0x0001[string repeat ff $padding]00$info
        return [expr {[powm "0x$digits" $e $n] == $expected ? "ok" : "mismatch"}]
    }

    # verify and verify_list, with the options of both kinds of signatures.
    proc Verify {command names subcommand args} {
        variable hashes
        set subcommand [::tcl::prefix match -exact -message subcommand {verify verify_list} $subcommand]
        if {[llength $args] < 3 || [llength $args] % 2 == 0} {
            return -code error -errorcode {TCL WRONGARGS} \
                {wrong # args: should be "verify ?-option value ...? key message signature"}
        }
        set options {-hash sha256 -encoding der -policy legacy -digest 0 -scheme pkcs1}
        lassign [lrange $args end-2 end] key messages signatures
        foreach {name value} [lrange $args 0 end-3] {
            set name [::tcl::prefix match -message option {-hash -encoding -policy -digest -reason -threads -scheme -mgf -salt} $name]
            if {$name ni $names} {fail bad_argument "$name is not for this kind of signature"}
            switch $name {
                -hash {::tcl::prefix match -exact -message hash [dict keys $hashes] $value}
                -encoding {set value [::tcl::prefix match -message encoding {der lenient p1363 raw} $value]}
                -policy {set value [::tcl::prefix match -message policy {legacy strict} $value]}
                -scheme {set value [::tcl::prefix match -message scheme {pkcs1 pss} $value]}
            }
            dict set options $name $value
        }
        if {[dict get $options -policy] eq "strict"} {Unsupported "the policy strict"}
        if {[dict get $options -encoding] eq "lenient"} {Unsupported "the encoding lenient"}
        if {$subcommand eq "verify"} {
            set messages [list $messages]
            set signatures [list $signatures]
        }
        if {[llength $messages] != [llength $signatures]} {fail bad_argument "there must be as many messages as signatures"}
        set reasons [lmap message $messages signature $signatures {$command $options $key $message $signature}]
        set verdicts [lmap reason $reasons {expr {$reason eq "ok"}}]
        if {[dict exists $options -reason]} {uplevel 1 [list set [dict get $options -reason] $reasons]}
        return $verdicts
    }

    interp alias {} ::pingala::dsa {} ::pingala::Verify VerifyDsa {-hash -encoding -policy -digest -reason -threads}
    interp alias {} ::pingala::rsa {} ::pingala::Verify VerifyRsa {-hash -policy -digest -reason -threads -scheme -mgf -salt}
}
