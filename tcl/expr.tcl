# The commands of the extension by expr: the same results and the same error codes, at the speed of Tcl's own integers.
# Handles are TclOO objects. There are no table files here.

namespace eval ::pingala {
    proc fail {code message} {
        return -level 2 -code error -errorcode [list PINGALA $code] $message
    }

    # The number as expr writes it; an error for what is none.
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

    # Euclid's algorithm, with the cofactor of the value alone.
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

    # The value of -errors; checks the options, of which the others change nothing here.
    proc Errors {options names} {
        set errors raise
        if {[llength $options] % 2} {fail bad_argument "[lindex $options end] needs a value"}
        foreach {name value} $options {
            set name [::tcl::prefix match -message option {-threads -memory -uses -errors -factors} $name]
            if {$name ni $names} {fail bad_argument "$name is not for this command"}
            if {$name eq "-errors"} {
                set errors [::tcl::prefix match -message way {raise return} $value]
            } elseif {$name ne "-factors" && (![string is wideinteger -strict $value] || $value < 0)} {
                fail bad_argument "the number of an option must be an integer from 0 on"
            }
        }
        return $errors
    }

    # The results of a command for each pair; with -errors return, the code in the place of a power that there is not.
    proc Each {command bases exponents options} {
        set errors [Errors $options {-threads -memory -errors}]
        if {[llength $bases] != [llength $exponents]} {
            fail bad_argument "[llength $bases] bases, but [llength $exponents] exponents"
        }
        foreach number [concat $bases $exponents] {Integer $number}
        set powers {}
        foreach base $bases exponent $exponents {
            if {[catch {{*}$command $base $exponent} power details]} {
                if {$errors eq "raise"} {return -options $details $power}
                set power [lindex [dict get $details -errorcode] 1]
            }
            lappend powers $power
        }
        return $powers
    }

    proc Factors {list modulus} {
        if {[llength $list] % 2} {fail bad_argument "-factors needs a list of factor and multiplicity, in turn"}
        set product 1
        foreach {factor multiplicity} $list {
            if {[Integer $factor] < 1 || [Integer $multiplicity] < 1} {
                fail wrong_factors "a factor and its multiplicity must be positive"
            }
            set product [expr {$product * $factor ** $multiplicity}]
        }
        if {$list ne "" && $product != $modulus} {fail wrong_factors "the product of the factors is not the modulus"}
    }

    # Unique names of handles.
    variable handles 0
    proc Handle {kind} {
        variable handles
        return ::pingala::$kind[incr handles]
    }

    proc modulus {subcommand number args} {
        ::tcl::prefix match -message subcommand create $subcommand
        Errors $args -factors
        set number [Modulus $number]
        if {[dict exists $args -factors]} {Factors [dict get $args -factors] $number}
        return [ModulusHandle create [Handle modulus] $number]
    }

    ::oo::class create ModulusHandle {
        variable modulus
        constructor {number} {set modulus $number}
        method value {} {return $modulus}
        method powm {base exponent} {::pingala::powm $base $exponent $modulus}
        method invert {value} {::pingala::invert $value $modulus}
        method powm_list {bases exponents args} {::pingala::Each [list [self] powm] $bases $exponents $args}
        method powm_exp_list {base exponents args} {
            ::pingala::Each [list [self] powm] [lrepeat [llength $exponents] $base] $exponents $args
        }
        method powm_base_list {bases exponent args} {
            ::pingala::Each [list [self] powm] $bases [lrepeat [llength $bases] $exponent] $args
        }
        method invert_list {values args} {
            ::pingala::Each [list [self] powm] $values [lrepeat [llength $values] -1] $args
        }
        method product {pairs args} {
            ::pingala::Errors $args {-threads -memory -errors}
            if {[llength $pairs] % 2} {::pingala::fail bad_argument "a product needs a list of base and exponent, in turn"}
            set product [expr {1 % $modulus}]
            foreach {base exponent} $pairs {
                set product [expr {$product * [::pingala::powm $base $exponent $modulus] % $modulus}]
            }
            return $product
        }
        method product_list {lists args} {
            set errors [::pingala::Errors $args {-threads -memory -errors}]
            set number 0
            foreach pairs $lists {
                if {[llength $pairs] % 2} {
                    ::pingala::fail bad_argument "product $number is no list of base and exponent, in turn"
                }
                incr number
                foreach one $pairs {::pingala::Integer $one}
            }
            set products {}
            foreach pairs $lists {
                if {[catch {my product $pairs} product details]} {
                    if {$errors eq "raise"} {return -options $details $product}
                    set product [lindex [dict get $details -errorcode] 1]
                }
                lappend products $product
            }
            return $products
        }
    }

    proc fixedbase {subcommand args} {
        switch [::tcl::prefix match -message subcommand {create load} $subcommand] {
            create {
                if {[llength $args] < 3} {
                    return -code error -errorcode {TCL WRONGARGS} \
                        {wrong # args: should be "pingala::fixedbase create base modulus bits ?-option value ...?"}
                }
                set options [lassign $args base modulus bits]
                Errors $options {-threads -memory -uses -factors}
                if {![string is wideinteger -strict $bits] || $bits < 1} {
                    fail bad_argument "the bits of the longest exponent must be a positive integer"
                }
                set modulus [Modulus $modulus]
                if {[dict exists $options -factors]} {Factors [dict get $options -factors] $modulus}
                return [FixedBaseHandle create [Handle fixedbase] [Integer $base] $modulus $bits]
            }
            load {fail bad_file "table files need the extension: $::pingala::load_error"}
        }
    }

    ::oo::class create FixedBaseHandle {
        variable number modulus longest
        constructor {base m bits} {
            set modulus $m
            set number [expr {$base % $m}]
            set longest $bits
        }
        method base {} {return $number}
        method modulus {} {return $modulus}
        method bits {} {return $longest}
        method bytes {} {return 0}
        method powm {exponent} {
            if {abs([::pingala::Integer $exponent]) >> $longest} {
                ::pingala::fail too_long "the exponent is longer than the table's $longest bits"
            }
            ::pingala::powm $number $exponent $modulus
        }
        method powm_list {exponents args} {
            ::pingala::Each [list apply {{table base exponent} {$table powm $exponent}} [self]] \
                [lrepeat [llength $exponents] $number] $exponents $args
        }
        method save {path} {::pingala::fail bad_file "table files need the extension: $::pingala::load_error"}
    }

    namespace eval bignum {
        # The integer of a list {bignum SIGN W W ...}.
        proc Number {list} {
            if {[catch {llength $list} length]} {::pingala::fail not_a_number "expected a number of math::bignum"}
            if {$length == 1} {return [::pingala::Integer [lindex $list 0]]}
            if {$length < 3 || [lindex $list 0] ne "bignum" || ![string is integer -strict [lindex $list 1]]} {
                ::pingala::fail not_a_number "expected a number of math::bignum"
            }
            set text 0x
            foreach word [lreverse [lrange $list 2 end]] {
                if {![string is integer -strict $word] || $word < 0 || $word > 0xffff} {
                    ::pingala::fail not_a_number "a word of a math::bignum number is not from 0 to 65535"
                }
                append text [format %04x $word]
            }
            return [expr {[lindex $list 1] ? -$text : $text + 0}]
        }

        proc powm {base exponent modulus} {
            set power [::pingala::powm [Number $base] [Number $exponent] [Number $modulus]]
            set words {}
            set text [format %llx $power]
            for {set end [expr {[string length $text] - 1}]} {$end >= 0} {incr end -4} {
                scan [string range $text [expr {max($end - 3, 0)}] $end] %x word
                lappend words $word
            }
            return [list bignum 0 {*}$words]
        }
    }
}
