# Without the extension: powm and invert by expr, with the same results and error codes; every other command is an error.

namespace eval ::pingala {
    proc fail {code message} {
        return -level 2 -code error -errorcode [list PINGALA $code] $message
    }

    # Returns the number as expr writes it.
    proc Integer {text} {
        if {![string is entier -strict $text]} {
            return -code error -errorcode {PINGALA not_a_number} "expected integer but got \"$text\""
        }
        return [expr {$text + 0}]
    }

    proc Modulus {text} {
        set modulus [Integer $text]
        if {$modulus < 0} {fail negative_modulus "the modulus is negative; give its absolute value"}
        if {$modulus == 0} {fail zero_modulus "the modulus is 0"}
        return $modulus
    }

    proc powm {base exponent modulus} {
        set base [Integer $base]
        set exponent [Integer $exponent]
        set modulus [Modulus $modulus]
        if {$exponent < 0} {
            set base [invert $base $modulus]
            set exponent [expr {-$exponent}]
        }
        set power [expr {1 % $modulus}]
        set base [expr {$base % $modulus}]
        # From the highest bit on, four to a hexadecimal digit.
        foreach digit [split [format %llx $exponent] ""] {
            scan $digit %x digit
            foreach bit {8 4 2 1} {
                set power [expr {$power * $power % $modulus}]
                if {$digit & $bit} {set power [expr {$power * $base % $modulus}]}
            }
        }
        return $power
    }

    # Euclid's algorithm with the cofactor of the value; the other cofactor is not needed.
    proc invert {value modulus} {
        set modulus [Modulus $modulus]
        set a $modulus
        set b [expr {[Integer $value] % $modulus}]
        set u 0
        set v 1
        while {$b != 0} {
            set quotient [expr {$a / $b}]
            lassign [list $b [expr {$a - $quotient * $b}] $v [expr {$u - $quotient * $v}]] a b u v
        }
        if {$a != 1} {fail not_invertible "the value has no inverse modulo the modulus"}
        return [expr {$u % $modulus}]
    }

    # border: commands
    set commands {modulus fixedbase dsa rsa bignum::powm powm_list product_list is_prime is_prime_list next_prime previous_prime \
        primes_between random_prime estimate_random_prime certify check_certificate jacobi jacobi_list kronecker sqrt_mod sqrt_mod_all \
        sqrt_mod_list}
    # end of border
    foreach command $commands {
        proc $command args {
            variable ::pingala::load_error
            set command [lindex [info level 0] 0]
            ::pingala::fail no_extension "$command needs the extension of the package, which was not loaded: $load_error"
        }
    }
    unset command commands
}
