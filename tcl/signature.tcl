# Signatures by expr: DSA and RSA. Messages are hashed by tcllib's sha1 and sha256; other hash functions take digests, and PSS needs one
# of those two.

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
        return [HashOf $hash $message]
    }

    # The digest of bytes in hexadecimal digits.
    proc HashOf {hash bytes} {
        if {$hash ni {sha1 sha256} || [catch {package require $hash}]} {
            Unsupported "the digest of $hash, which tcllib has not here,"
        }
        return [expr {$hash eq "sha1" ? [::sha1::sha1 -hex $bytes] : [::sha2::sha256 -hex $bytes]}]
    }

    # The content of an element as careless programs write it, with any form of its length.
    proc LenientElement {variable tag} {
        upvar 1 $variable digits
        if {![regexp "^${tag}(?:(\[0-7].)|8(\[1-4])(.*))" $digits - length bytes rest]} {error BER}
        set start 4
        if {$length eq ""} {
            if {[string length $rest] < 2 * $bytes} {error BER}
            set length [string range $rest 0 [expr {2 * $bytes - 1}]]
            incr start [expr {2 * $bytes}]
        }
        set end [expr {$start + 2 * "0x$length"}]
        if {[string length $digits] < $end} {error BER}
        set content [string range $digits $start $end-1]
        set digits [string range $digits $end end]
        return $content
    }

    # An integer of RFC 9580: two bytes with the length in bits, then the number.
    proc Mpi {variable} {
        upvar 1 $variable digits
        if {[string length $digits] < 4} {error MPI}
        set bits [expr {"0x[string range $digits 0 3]"}]
        set end [expr {4 + ($bits + 7) / 8 * 2}]
        set number [expr {"0x0[string range $digits 4 $end-1]"}]
        if {[string length $digits] < $end || [Bits $number] != $bits} {error MPI}
        set digits [string range $digits $end end]
        return $number
    }

    proc Bits {number} {
        return [expr {$number == 0 ? 0 : [string length [format %llb $number]]}]
    }

    # The blob of a signature of OpenSSH whose algorithm is one of these.
    proc SshBlob {digits names} {
        if {[binary decode hex [WireString digits]] ni $names} {error SSH}
        set blob [WireString digits]
        Finished digits
        return $blob
    }

    # r and s of a signature of DSA modulo a number of so many bytes, or an error.
    proc Pair {encoding signature width} {
        set digits [binary encode hex $signature]
        switch $encoding {
            der {
                set body [Element digits 30]
                set pair [list [Uint body] [Uint body]]
                Finished digits body
                return $pair
            }
            lenient {
                set body [LenientElement digits 30]
                return [list [expr {"0x0[LenientElement body 02]"}] [expr {"0x0[LenientElement body 02]"}]]
            }
            openpgp {
                set pair [list [Mpi digits] [Mpi digits]]
                Finished digits
                return $pair
            }
            ssh {
                set digits [SshBlob $digits ssh-dss]
                set width 20
            }
        }
        set half [expr {2 * $width}]
        if {[string length $digits] != 2 * $half} {error width}
        return [list [expr {"0x[string range $digits 0 $half-1]"}] [expr {"0x[string range $digits $half end]"}]]
    }

    # s of a signature of RSA modulo a number of so many bytes, or an error.
    proc Single {encoding signature width} {
        set digits [binary encode hex $signature]
        switch $encoding {
            openpgp {
                set number [Mpi digits]
                Finished digits
                return $number
            }
            ssh {
                # Zero bytes in front may be missing.
                set digits [SshBlob $digits {ssh-rsa rsa-sha2-256 rsa-sha2-512}]
                if {$digits ne ""} {set digits [string repeat 00 [expr {$width - [string length $digits] / 2}]]$digits}
            }
        }
        if {[string length $digits] != 2 * $width} {error width}
        return [expr {"0x$digits"}]
    }

    # The names of the numbers of a key, as integers in variables of the caller.
    proc Key {key names} {
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
        if {[Bits $p] > 10000} {fail too_long "p has [Bits $p] bits; at most 10000 are allowed"}
        set digest [Digest $options $message]
        Hex $signature
        set sizes [list [Bits $p] [Bits $q]]
        if {[dict get $options -policy] ne "legacy"
            && ($sizes ni {{1024 160} {2048 224} {2048 256} {3072 256}} || 4 * [string length $digest] < [Bits $q])} {return policy}
        if {[dict get $options -policy] eq "modern" && ([Bits $p] < 2048 || [dict get $options -hash] eq "sha1")} {return policy}
        if {[catch {Pair [dict get $options -encoding] $signature [expr {([Bits $q] + 7) / 8}]} pair]} {return bad_encoding}
        lassign $pair r s
        if {!(0 < $r && $r < $q && 0 < $s && $s < $q)} {return out_of_range}
        set z [expr {"0x$digest" >> max(0, 4 * [string length $digest] - [Bits $q])}]
        if {[catch {invert $s $q} w]} {return mismatch}
        set v [expr {[powm $g [expr {$z * $w % $q}] $p] * [powm $y [expr {$r * $w % $q}] $p] % $p % $q}]
        return [expr {$v == $r ? "ok" : "mismatch"}]
    }

    proc VerifyRsa {options key message signature} {
        Key $key {n e}
        if {!($n & 1 && $e & 1 && 1 < $e && $e < $n)} {fail bad_argument "a number of the key is out of range"}
        set bits [Bits $n]
        if {$bits > 16384} {fail too_long "n has $bits bits; at most 16384 are allowed"}
        if {$bits > 3072 && [Bits $e] > 64} {fail too_long "e has [Bits $e] bits; at most 64 are allowed where n has more than 3072"}
        set digest [Digest $options $message]
        Hex $signature
        if {[dict get $options -policy] ne "legacy"
            && !(($bits == 1024 || ($bits >= 2048 && $bits % 2 == 0)) && [Bits $e] >= 17 && [Bits $e] <= 256)} {return policy}
        if {[dict get $options -policy] eq "modern" && ($bits < 2048 || [dict get $options -hash] eq "sha1")} {return policy}
        # A key that is restricted to PSS, and perhaps to one hash function, one mask and salts of a length.
        set least 0
        if {[dict exists $key pss]} {
            if {[dict get $options -scheme] ne "pss"} {return policy}
            lassign [dict get $key pss] hash mgf least
            if {$least eq ""} {
                set least 0
            } elseif {[dict get $options -hash] ne $hash || [dict get $options -mgf] ne $mgf
                || ([dict exists $options -salt] && [dict get $options -salt] < $least)} {
                return policy
            }
        }
        set width [expr {($bits + 7) / 8}]
        if {[dict get $options -scheme] eq "pkcs1"} {
            if {[catch {Pkcs1 [dict get $options -hash] $digest $width} expected]} {return key_too_short}
        }
        if {[catch {Single [dict get $options -encoding] $signature $width} s]} {return bad_encoding}
        if {$s >= $n} {return out_of_range}
        set power [powm $s $e $n]
        if {[info exists expected]} {return [expr {$power == $expected ? "ok" : "mismatch"}]}
        return [Pss $options $digest $power [expr {$bits - 1}] $least]
    }

    # The encoded message of PKCS#1 v1.5 (RFC 8017, section 9.2) as a number; an error where it does not fit.
    proc Pkcs1 {hash digest width} {
        variable hashes
        set oid [lindex [dict get $hashes $hash] 1]
        set oid [format 06%02x%s0500 [expr {[string length $oid] / 2}] $oid]
        set info [format 30%02x%s04%02x%s [expr {[string length $oid] / 2}] $oid [expr {[string length $digest] / 2}] $digest]
        set info [format 30%02x%s [expr {[string length $info] / 2}] $info]
        set padding [expr {$width - 3 - [string length $info] / 2}]
        if {$padding < 8} {error "too short"}
        return [expr {"0x0001[string repeat ff $padding]00$info"}]
    }

    # What PSS says of a number (RFC 8017, section 9.1.2) that encodes so many bits. A right salt that is too short for the key is `policy`.
    proc Pss {options digest number bits least} {
        variable hashes
        set hash [dict get $options -hash]
        set mgf [dict get $options -mgf]
        set salt [expr {[dict exists $options -salt] ? [dict get $options -salt] : ""}]
        set width [lindex [dict get $hashes $hash] 0]
        set bytes [expr {($bits + 7) / 8}]
        if {$bytes < $width + 2 + ($salt eq "" ? 0 : $salt)} {return key_too_short}
        if {$number >> $bits} {return mismatch}
        set encoded [format %0*llx [expr {2 * $bytes}] $number]
        set masked [expr {2 * ($bytes - $width - 1)}]
        set seed [string range $encoded $masked end-2]
        if {[string range $encoded end-1 end] ne "bc"} {return mismatch}
        set mask 0x
        for {set counter 0} {[string length $mask] - 2 < $masked} {incr counter} {
            append mask [HashOf $mgf [binary decode hex $seed][binary format I $counter]]
        }
        set block [expr {("0x[string range $encoded 0 $masked-1]" ^ [string range $mask 0 $masked+1])
            & ((1 << $bits - 8 * ($width + 1)) - 1)}]
        if {![regexp {^(?:00)*01(.*)$} [format %0*llx $masked $block] - found]} {return mismatch}
        if {$salt ne "" && [string length $found] != 2 * $salt} {return mismatch}
        set again [HashOf $hash [binary decode hex [string repeat 00 8]$digest$found]]
        if {$again ne $seed} {return mismatch}
        return [expr {[string length $found] < 2 * $least ? "policy" : "ok"}]
    }

    # verify, verify_list and explain, with the options of both kinds of signatures.
    proc Verify {command names subcommand args} {
        variable hashes
        set subcommand [::tcl::prefix match -exact -message subcommand {verify verify_list explain} $subcommand]
        if {[llength $args] < 3 || [llength $args] % 2 == 0} {
            return -code error -errorcode {TCL WRONGARGS} \
                {wrong # args: should be "verify ?-option value ...? key message signature"}
        }
        set options {-encoding der -policy legacy -digest 0 -scheme pkcs1}
        lassign [lrange $args end-2 end] key messages signatures
        foreach {name value} [lrange $args 0 end-3] {
            set name [::tcl::prefix match -message option {-hash -encoding -policy -digest -reason -threads -scheme -mgf -salt} $name]
            if {$name ni $names} {fail bad_argument "$name is not for this kind of signature"}
            switch $name {
                -hash - -mgf {::tcl::prefix match -exact -message hash [dict keys $hashes] $value}
                -encoding {set value [::tcl::prefix match -message encoding {der lenient p1363 raw ssh openpgp} $value]}
                -policy {set value [::tcl::prefix match -message policy {legacy strict modern} $value]}
                -scheme {set value [::tcl::prefix match -message scheme {pkcs1 pss} $value]}
                -salt - -threads {
                    if {![string is wideinteger -strict $value] || $value < 0} {
                        fail bad_argument "the number of an option must be an integer from 0 on"
                    }
                }
            }
            dict set options $name $value
        }
        if {[dict exists $options -mgf] && [dict get $options -scheme] ne "pss"} {
            fail bad_argument "a mask's hash function is for PSS alone"
        }
        set key [KeyNumbers $key]
        # What is not given is as the key says.
        lassign [expr {[dict exists $key pss] ? [dict get $key pss] : ""}] hash mgf
        if {![dict exists $options -hash]} {
            dict set options -hash [expr {$hash ne "" && [dict get $options -scheme] eq "pss" ? $hash : "sha256"}]
        }
        if {[dict get $options -scheme] eq "pss" && ![dict exists $options -mgf]} {
            dict set options -mgf [expr {$mgf ne "" ? $mgf : [dict get $options -hash]}]
        }
        if {$subcommand eq "verify"} {
            set messages [list $messages]
            set signatures [list $signatures]
        }
        if {[llength $messages] != [llength $signatures]} {fail bad_argument "there must be as many messages as signatures"}
        if {$subcommand eq "explain"} {return "[llength $messages] by expr, one after the other"}
        set reasons [lmap message $messages signature $signatures {$command $options $key $message $signature}]
        set verdicts [lmap reason $reasons {expr {$reason eq "ok"}}]
        if {[dict exists $options -reason]} {uplevel 1 [list set [dict get $options -reason] $reasons]}
        return $verdicts
    }

    interp alias {} ::pingala::dsa {} ::pingala::Verify VerifyDsa {-hash -encoding -policy -digest -reason -threads}
    interp alias {} ::pingala::rsa {} ::pingala::Verify VerifyRsa {-hash -encoding -policy -digest -reason -threads -scheme -mgf -salt}
}
