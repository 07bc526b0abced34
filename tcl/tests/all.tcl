# Runs the tests for one implementation: tclsh all.tcl FOLDER c|expr, where FOLDER is the package. tools/tally.py reads the last lines.

lassign $argv folder implementation
set argv {} ;# of which tcltest would make settings
package require Tcl 8.6-
package require tcltest 2.5
namespace import ::tcltest::test ::tcltest::testConstraint

set env(PINGALA_TCL) $implementation
lappend auto_path $folder
package require pingala
if {[pingala::implementation] ne $implementation} {error "[pingala::implementation] runs: $pingala::load_error"}

# Without the extension there are powers and inverses only. Constraints that do not hold here are skipped by name.
testConstraint c [expr {$implementation eq "c"}]
testConstraint tcllib [expr {![catch {package require math::bignum}] && ![catch {package require pki}]}]
testConstraint thread [expr {![catch {package require Thread}]}]
testConstraint proc [file readable /proc/self/statm]
::tcltest::configure -verbose {body error}

# The error code of a script, or its result if there is no error.
proc code {script} {
    if {[catch {uplevel 1 $script} result details]} {return [dict get $details -errorcode]}
    return "no error: $result"
}

# Numbers of every length around those of digits and limbs, from a generator of our own, so that a failure can be repeated.
set seed 20061123
proc random {bits} {
    set number 0
    for {set have 0} {$have < $bits} {incr have 32} {
        set ::seed [expr {($::seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)}]
        set number [expr {$number << 32 | $::seed >> 32}]
    }
    return [expr {$number % (1 << $bits) | 1 << ($bits - 1)}]
}
set lengths {1 2 27 28 29 31 32 33 56 59 60 61 62 63 64 65 119 120 121 127 128 129 180 192 240 256 512 600 640 1024}

# The oracle: from the lowest bit on.
proc power {base exponent modulus} {
    for {set power 1} {$exponent > 0} {set exponent [expr {$exponent >> 1}]} {
        if {$exponent & 1} {set power [expr {$power * $base % $modulus}]}
        set base [expr {$base * $base % $modulus}]
    }
    return [expr {$power % $modulus}]
}

set files [expr {$implementation eq "c" ? "*.test" : "{powm,expr}.test"}]
foreach file [lsort [glob -directory [file dirname [file normalize [info script]]] $files]] {source $file}

set not_here {}
foreach {constraint number} [array get ::tcltest::skippedBecause] {
    if {$constraint ni {c expr}} {lappend not_here "$number tests that need $constraint"}
}
foreach tests $not_here {puts "    SKIPPED tcl $implementation: $tests"}
array set count [array get ::tcltest::numTests]
puts "tcl $implementation: $count(Passed) passed, $count(Failed) failed, [llength $not_here] skipped"
exit [expr {$count(Failed) > 0}]
