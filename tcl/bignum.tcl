# Puts Pingala behind two procedures of tcllib that compute powers: ::math::bignum::powm, whose numbers are lists of words, and
# ::pki::_powm, whose numbers are Tcl's. Both packages are loaded first if they are installed. The first one needs the extension.
#
# Two results differ because tcllib's are wrong: a power modulo 1 is 0, and a negative exponent inverts.

namespace eval ::pingala::bignum {
    # The procedures that were replaced.
    variable replaced [apply {{} {
        set replaced {}
        foreach {package procedure command} {
            math::bignum ::math::bignum::powm ::pingala::bignum::powm
            pki ::pki::_powm ::pingala::powm
        } {
            if {$package eq "math::bignum" && [::pingala::implementation] ne "c"} continue
            if {![catch {package require $package}] && [llength [info commands $procedure]]} {
                rename $procedure ""
                interp alias {} $procedure {} $command
                lappend replaced $procedure
            }
        }
        return $replaced
    }}]
}
