# Keys from files by expr, as dictionaries of numbers: PEM and DER of a SubjectPublicKeyInfo, of PKCS#1 and of an X.509 certificate, and
# lines of OpenSSH. What is read is in hexadecimal digits.

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

    # The content of a SubjectPublicKeyInfo (RFC 5280).
    proc SpkiKey {body} {
        set algorithm [Element body 30]
        if {![regexp {^00(.*)$} [Element body 03] - bits]} {error "the key has unused bits"}
        Finished body
        switch [Element algorithm 06] {
            2a864886f70d010101 - 2a864886f70d01010a {return [Pkcs1Key $bits]}
            2a8648ce380401 {
                set numbers [Element algorithm 30]
                set key [dict create p [Uint numbers] q [Uint numbers] g [Uint numbers] y [Uint bits]]
                Finished algorithm numbers bits
                return $key
            }
            default {error "an algorithm other than DSA and RSA"}
        }
    }

    # The key of a certificate, of which nothing else is read: behind the version, which may be missing, and five fields.
    proc CertificateKey {body} {
        set fields [Element body 30]
        if {[string match a0* $fields]} {Element fields a0}
        foreach tag {02 30 30 30 30} {Element fields $tag}
        return [SpkiKey [Element fields 30]]
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

    # `ssh-rsa` or `ssh-dss`, and a blob in base64.
    proc OpenSshKey {line} {
        lassign [regexp -inline -all {\S+} [lindex [split $line \n] 0]] name blob
        set digits [binary encode hex [binary decode base64 $blob]]
        if {[WireString digits] ne [binary encode hex $name]} {error "a line with a key of another kind"}
        switch $name {
            ssh-rsa {set names {e n}}
            ssh-dss {set names {p q g y}}
            default {error "a key of OpenSSH that is neither ssh-rsa nor ssh-dss"}
        }
        set key {}
        foreach number $names {dict set key $number [WireInteger digits]}
        Finished digits
        return $key
    }

    proc KeyOfFile {bytes} {
        set text [string trimleft $bytes]
        if {[string match ssh-* $text]} {return [OpenSshKey $text]}
        if {[regexp -- {-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----} $text - label base64]} {
            set digits [binary encode hex [binary decode base64 $base64]]
        } else {
            set digits [Hex $bytes]
            # What stands first tells them apart: a number, or an algorithm, or the body of a certificate.
            set whole $digits
            set body [Element whole 30]
            set label [expr {[string match 02* $body] ? "RSA PUBLIC KEY" : "PUBLIC KEY"}]
            if {[string match 30* $body] && ![string match 06* [Element body 30]]} {set label CERTIFICATE}
        }
        if {$label eq "RSA PUBLIC KEY"} {return [Pkcs1Key $digits]}
        set body [Element digits 30]
        Finished digits
        switch $label {
            "PUBLIC KEY" {return [SpkiKey $body]}
            CERTIFICATE - "TRUSTED CERTIFICATE" - "X509 CERTIFICATE" {return [CertificateKey $body]}
            default {error "PEM with the label $label; PUBLIC KEY, RSA PUBLIC KEY and CERTIFICATE are read"}
        }
    }

    # A key as a dictionary of numbers: one already, or the bytes of a file.
    proc KeyNumbers {key} {
        if {![regexp {^(-----|ssh-|0)} $key] && ![catch {dict size $key}]} {return $key}
        if {[catch {KeyOfFile $key} numbers]} {fail bad_argument "not a public key: $numbers"}
        return $numbers
    }
}
