# Compares the times of Pingala, expr and tcllib: tclsh bench.tcl FOLDER ?--quick?; FOLDER is the package. Answers are compared.
# --quick leaves out tcllib's own powm, which takes half a minute.

package require Tcl 8.6-
lassign $argv folder quick
lappend auto_path $folder
package require pingala
if {[pingala::implementation] ne "c"} {error "the extension was not loaded: $pingala::load_error"}
# powm by expr, in an interpreter of its own.
set peer [interp create]
$peer eval [list set auto_path $auto_path]
set env(PINGALA_TCL) expr
$peer eval {package require pingala}

# The shortest of many runs, in microseconds: each run repeats the script until it takes two milliseconds.
proc best {script} {
    set once [expr {max(1, [lindex [uplevel 1 [list time $script 2]] 0])}]
    set repeats [expr {int(2000 / $once) + 1}]
    set shortest inf
    for {set run 0} {$run < 5 || ($run < 60 && $run * $repeats * $once < 1e6)} {incr run} {
        set start [clock microseconds]
        uplevel 1 [list time $script $repeats]
        set shortest [expr {min($shortest, double([clock microseconds] - $start) / $repeats)}]
    }
    return $shortest
}
$peer eval [list proc best {script} [info body best]]

proc row {name theirs ours} {puts [format "%-46s %14.2f %12.2f %12.1f" $name $theirs $ours [expr {$theirs / $ours}]]}
proc ours {name ours} {puts [format "%-46s %14s %12.2f" $name "" $ours]}

set g 0x626d027839ea0a13413163a55b4cb500299d5522956cefcb3bff10f399ce2c2e71cb9de5fa24babf58e5b79521925c9cc42e9f6f464b088cc572af53e6d78802
set u1 0xbf655bd046f0b35ec791b004804afcbb8ef7d69d
set p 0x8df2a494492276aa3d25759bb06869cbeac0d83afb8d0cf7cbb8324f0d7882e5d0762fc5b7210eafc2e9adac32ab7aac49693dfbf83724c2ec0736ee31c80291
foreach name {g u1 p} {set $name [expr [set $name]]}

puts "Tcl [info patchlevel], pingala [package require pingala]"
puts [format "%-46s %14s %12s %12s" "microseconds" "peer" "Pingala" "times"]
proc both {name base exponent modulus} {
    upvar #0 peer peer
    set m [pingala::modulus create $modulus]
    set answer [$peer eval [list pingala::powm $base $exponent $modulus]]
    if {[pingala::powm $base $exponent $modulus] != $answer || [$m powm $base $exponent] != $answer} {error "different answers"}
    $peer eval [list set arguments [list $base $exponent $modulus]]
    $peer eval {lassign $arguments base exponent modulus}
    set theirs [$peer eval {best {pingala::powm $base $exponent $modulus}}]
    row "$name: expr, powm" $theirs [best {pingala::powm $base $exponent $modulus}]
    row "$name: expr, a handle's powm" $theirs [best {$m powm $base $exponent}]
    $m destroy
}
both "62 bits" [expr {$g % (1 << 62)}] [expr {$u1 % (1 << 62)}] [expr {$p % (1 << 62)}]
both "the post's 512/160" $g $u1 $p
set long [expr {($p ** 4) % (1 << 2048) | 1 << 2047 | 1}]
both "2048/17 (65537)" [expr {$g ** 4 % $long}] 65537 $long
both "2048/2048" [expr {$g ** 4 % $long}] [expr {$long - 2}] $long

package require math::bignum
set list [lmap number [list $g $u1 $p] {math::bignum::fromstr $number}]
if {[math::bignum::tostr [pingala::bignum::powm {*}$list]] != [pingala::powm $g $u1 $p]} {error "different answers"}
set ours [best {pingala::bignum::powm {*}$list}]
ours "the post's, lists of words" $ours
if {$quick ne "--quick"} {
    set answer ""
    row "the post's, lists of words: tcllib" [lindex [time {set answer [math::bignum::powm {*}$list]}] 0] $ours
    if {$answer ne [pingala::bignum::powm {*}$list]} {error "different answers"}
}

# Signatures of DSA: the vectors of RFC 6979, one by one and 256 of one key.
set vectors [open [file join [file dirname [info script]] .. .. crates pingala-verify tests data rfc6979.txt]]
foreach line [split [read $vectors] \n] {
    if {[lindex $line 0] eq "key"} {
        lassign [lmap number [lrange $line 1 4] {expr {"0x$number"}}] p q g y
        set key [dict create p $p q $q g $g y $y]
    } elseif {[lrange $line 0 1] eq "sha256 sample"} {
        set arguments [list -encoding p1363 $key sample [binary decode hex [lindex $line 2][lindex $line 3]]]
        if {![pingala::dsa verify {*}$arguments]} {error "a verdict is wrong"}
        set bits [string length [format %llb $p]]/[string length [format %llb $q]]
        ours "DSA $bits: verify" [best {pingala::dsa verify {*}$arguments}]
        lassign $arguments - - - message signature
        set lists [list [lrepeat 256 $message] [lrepeat 256 $signature]]
        if {0 in [pingala::dsa verify_list -encoding p1363 $key {*}$lists]} {error "a verdict is wrong"}
        ours "DSA $bits: verify_list, each of 256" \
            [expr {[best {pingala::dsa verify_list -encoding p1363 -threads 1 $key {*}$lists}] / 256}]
        ours "DSA $bits: the same, default threads" \
            [expr {[best {pingala::dsa verify_list -encoding p1363 $key {*}$lists}] / 256}]
    }
}
close $vectors

# What the numbers cost: a power whose exponent is 1 converts three numbers or two, and computes nothing long.
set m [pingala::modulus create $long]
set value [expr {$long / 3}]
ours "2048 bits: handle, exponent 1" [best {$m powm $value 1}]
