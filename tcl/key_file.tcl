# Keys from files by expr, as dictionaries of numbers: PEM and DER of a SubjectPublicKeyInfo, of PKCS#1 and of an X.509 certificate, and
# lines of OpenSSH. What is read is in hexadecimal digits. A key that is restricted to PSS has the field pss: the hash function, that of
# the mask and the shortest salt, or nothing. Other restrictions refuse the key.

namespace eval ::pingala {
    # Takes the element of DER with this tag from the beginning of the digits in a variable, and returns its content.
    proc Element {variable tag} {
        upvar 1 $variable digits
        if {![regexp {^(..)(?:([0-7].)|81([89a-f].)|82((?!00)....)|83((?!00)......))(.*)$} $digits - found a b c d rest]} {error DER}
        set length [expr {2 * "0x$a$b$c$d"}]
        if {$found ne $tag || [string length $rest] < $length} {error DER}
        set digits [string range $rest $length end]
        return [string range $rest 0 $length-1]
    }

    # Takes an integer that is not negative.
    proc Uint {variable} {
        upvar 1 $variable digits
        set integer [Element digits 02]
        if {$integer eq "" || [regexp {^(00[0-7].|[89a-f])} $integer]} {error DER}
        return [expr {"0x$integer"}]
    }

    # Nothing may be left of the digits in these variables.
    proc Finished {args} {
        foreach variable $args {
            upvar 1 $variable digits
            if {$digits ne ""} {error "bytes behind the end"}
        }
    }

    # RFC 8017, appendix A.1.1.
    proc Pkcs1Key {digits} {
        set body [Element digits 30]
        set key [dict create n [Uint body] e [Uint body]]
        Finished digits body
        return $key
    }

    # The hash function of an AlgorithmIdentifier, whose parameters are NULL or missing.
    proc PssHash {digits} {
        variable hashes
        set body [Element digits 30]
        set oid [Element body 06]
        Finished digits
        foreach {name row} $hashes {
            if {[lindex $row 1] eq $oid && $body in {"" 0500}} {return $name}
        }
        error "a hash function of its id-RSASSA-PSS that is not supported"
    }

    # RSASSA-PSS-params (RFC 4055, section 3.1): each field has a tag of its own, an order, and a default value.
    proc PssParameters {fields} {
        lassign {sha1 sha1 20} hash mgf salt
        set tags {a0 a1 a2 a3}
        while {$fields ne ""} {
            set tag [string range $fields 0 1]
            if {[set at [lsearch $tags $tag]] < 0} {error "the parameters of id-RSASSA-PSS are damaged or out of order"}
            set tags [lrange $tags $at+1 end]
            set value [Element fields $tag]
            switch $tag {
                a0 {set hash [PssHash $value]}
                a1 {
                    set body [Element value 30]
                    if {[Element body 06] ne "2a864886f70d010108" || $body eq ""} {error "the mask of its id-RSASSA-PSS is not MGF1"}
                    set mgf [PssHash $body]
                    Finished value
                }
                a2 {set salt [Uint value]; Finished value}
                a3 {
                    if {[Uint value] != 1 || $value ne ""} {error "the trailer field of its id-RSASSA-PSS is not 1"}
                }
            }
        }
        return [list $hash $mgf $salt]
    }

    # The content of a SubjectPublicKeyInfo (RFC 5280).
    proc SpkiKey {body} {
        set algorithm [Element body 30]
        if {![regexp {^00(.*)$} [Element body 03] - bits]} {error "the key has unused bits"}
        Finished body
        switch [Element algorithm 06] {
            2a864886f70d010101 {
                if {$algorithm ni {"" 0500}} {error "the parameters of rsaEncryption are not NULL: they may restrict the key"}
                return [Pkcs1Key $bits]
            }
            2a864886f70d01010a {
                set key [Pkcs1Key $bits]
                set pss {}
                if {$algorithm ne ""} {
                    set pss [PssParameters [Element algorithm 30]]
                    Finished algorithm
                    set widths [lindex [dict get $::pingala::hashes [lindex $pss 0]] 0]
                    if {$widths + 2 + [lindex $pss 2] > ([Bits [dict get $key n]] + 6) / 8} {
                        error "n of an RSA key is too short for the salt that the key demands"
                    }
                }
                return [dict set key pss $pss]
            }
            2a864886f70d010107 {error "a key for encryption alone: its type is id-RSAES-OAEP"}
            2a8648ce380401 {
                set numbers [Element algorithm 30]
                set key [dict create p [Uint numbers] q [Uint numbers] g [Uint numbers] y [Uint bits]]
                Finished algorithm numbers bits
                return $key
            }
            default {error "an algorithm other than DSA and RSA"}
        }
    }

    # What the extensions of a certificate say about the use of its key: an error where it is not for signatures, and for a critical
    # extension that is not known here. Names, chains and dates are the caller's (docs/signatures.md).
    proc Extensions {digits} {
        set chains {0e 10 11 12 13 1e 1f 20 21 23 24 2e 36}
        set seen {}
        set list [Element digits 30]
        Finished digits
        while {$list ne ""} {
            set extension [Element list 30]
            set oid [Element extension 06]
            set critical 0
            if {[string match 01* $extension]} {set critical [expr {[Element extension 01] ne "00"}]}
            set value [Element extension 04]
            Finished extension
            if {$oid in {551d0f 551d25}} {
                if {$oid in $seen} {error "certificate: it has the extension $oid twice"}
                lappend seen $oid
            }
            if {$oid eq "551d0f"} {
                set bits [string range [Element value 03] 2 3]
                Finished value
                if {$bits eq "" || !("0x$bits" & 0xc6)} {error "the keyUsage of its certificate is not for signatures"}
            } elseif {$oid eq "551d25"} {
                set purposes [Element value 30]
                Finished value
                set signs 0
                while {$purposes ne ""} {
                    # Applications that never sign: encryption of files, drives and documents, and recovery of keys.
                    if {![regexp {^2b0601040182370(a0304|a030401|a030b)$|^2b060104018237(1505|1506|430101|430102|5001)$} \
                            [Element purposes 06]]} {set signs 1}
                }
                if {!$signs} {error "the extendedKeyUsage of its certificate names no application that signs"}
            } elseif {$critical && !([string match 551d?? $oid] && [string range $oid 4 5] in $chains)} {
                error "its certificate has a critical extension that is not known here: $oid"
            }
        }
    }

    # What stands behind the certificate of a TRUSTED CERTIFICATE: an error for settings of trust, which only programs that judge
    # chains can obey.
    proc TrustSettings {digits} {
        if {$digits eq ""} {return}
        set fields [Element digits 30]
        Finished digits
        while {$fields ne ""} {
            set tag [string range $fields 0 1]
            set field [Element fields $tag]
            if {$tag eq "a0"} {error "TRUSTED CERTIFICATE with purposes that it is rejected for"}
            if {$tag eq "30"} {
                set any 0
                while {$field ne ""} {if {[Element field 06] eq "551d2500"} {set any 1}}
                if {!$any} {error "TRUSTED CERTIFICATE with purposes that it is trusted for alone"}
            }
        }
    }

    # The key of a certificate: behind the version, which may be missing, and five fields.
    proc CertificateKey {body} {
        set fields [Element body 30]
        if {[string match a0* $fields]} {Element fields a0}
        foreach tag {02 30 30 30 30} {Element fields $tag}
        set key [SpkiKey [Element fields 30]]
        while {$fields ne ""} {
            set tag [string range $fields 0 1]
            set field [Element fields $tag]
            if {$tag eq "a3"} {Extensions $field}
        }
        return $key
    }

    # Takes a string of RFC 4251: four bytes of length, then the bytes.
    proc WireString {variable} {
        upvar 1 $variable digits
        if {[string length $digits] < 8} {error "a broken blob"}
        set end [expr {8 + 2 * "0x[string range $digits 0 7]"}]
        if {[string length $digits] < $end} {error "a broken blob"}
        set string [string range $digits 8 $end-1]
        set digits [string range $digits $end end]
        return $string
    }

    # Takes an integer of RFC 4251 that is not negative.
    proc WireInteger {variable} {
        upvar 1 $variable digits
        set string [WireString digits]
        if {[regexp {^([89a-f]|00$|00[0-7])} $string]} {error "a broken number"}
        return [expr {"0x0$string"}]
    }

    # `ssh-rsa` or `ssh-dss`, and a blob in base64: the first line that is neither blank nor a comment. Without a key the result is empty.
    proc OpenSshKey {text} {
        if {![regexp -line {^[ \t]*([^#\s].*)$} $text - line]} {return ""}
        set words [regexp -inline -all {\S+} $line]
        set at 0
        foreach word $words next [lrange $words 1 end] {
            if {[regexp {^(ssh-|ecdsa-sha2-|sk-ssh-|sk-ecdsa-|rsa-sha2-)} $word] && ($at == 0 || [string match AAAA* $next])} break
            incr at
        }
        if {$at >= [llength $words]} {return ""}
        if {$at > 0} {error "words stand before [lindex $words $at] and may restrict the key; give the line from there on"}
        lassign $words name blob
        if {[string match *-cert-v0* $name]} {error "a certificate of OpenSSH, whose options and dates are not read"}
        if {$name ni {ssh-rsa ssh-dss}} {error "a key of OpenSSH of another kind; ssh-rsa and ssh-dss are read"}
        set digits [binary encode hex [binary decode base64 $blob]]
        if {[WireString digits] ne [binary encode hex $name]} {error "a line with a key of another kind"}
        switch $name {
            ssh-rsa {set names {e n}}
            ssh-dss {set names {p q g y}}
        }
        set key {}
        foreach number $names {dict set key $number [WireInteger digits]}
        Finished digits
        return $key
    }

    proc KeyOfFile {bytes} {
        set labels {"PUBLIC KEY" "RSA PUBLIC KEY" CERTIFICATE "TRUSTED CERTIFICATE" "X509 CERTIFICATE"}
        set label ""
        regsub {^\xef\xbb\xbf} $bytes "" bytes
        if {![catch {set digits [Hex $bytes]; set whole $digits; Element whole 30; Finished whole}]} {
            # What stands first tells them apart: a number, or an algorithm, or the body of a certificate.
            set whole $digits
            set body [Element whole 30]
            set label [expr {[string match 02* $body] ? "RSA PUBLIC KEY" : "PUBLIC KEY"}]
            if {[string match 30* $body] && ![string match 06* [Element body 30]]} {set label CERTIFICATE}
        } else {
            # Other blocks may stand before.
            foreach {- found base64} [regexp -inline -all -- {-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----} $bytes] {
                if {$label eq "" || $found in $labels} {
                    set label $found
                    set digits [binary encode hex [binary decode base64 -strict [regsub -all {\s} $base64 ""]]]
                }
                if {$found in $labels} break
            }
            if {$label eq "" && [set key [OpenSshKey $bytes]] ne ""} {return $key}
            if {$label eq ""} {
                if {[regexp {^[^\n\x00-\x08]{1,4096}$} [string trim $bytes]]} {
                    error "a text that is neither PEM nor DER; if it is the path of a file, give the content of the file"
                }
                error DER
            }
        }
        if {$label eq "RSA PUBLIC KEY"} {return [Pkcs1Key $digits]}
        if {$label ni $labels} {error "PEM with the label $label; PUBLIC KEY, RSA PUBLIC KEY and CERTIFICATE are read"}
        set body [Element digits 30]
        if {$label eq "TRUSTED CERTIFICATE"} {TrustSettings $digits} else {Finished digits}
        switch $label {
            "PUBLIC KEY" {return [SpkiKey $body]}
            default {return [CertificateKey $body]}
        }
    }

    # A key as a dictionary of numbers: one already, or the bytes of a file.
    proc KeyNumbers {key} {
        if {![regexp {^0|-----BEGIN |ssh-} $key] && ![catch {dict size $key}]} {return $key}
        if {[catch {KeyOfFile $key} numbers]} {fail bad_argument "not a public key: $numbers"}
        return $numbers
    }
}
