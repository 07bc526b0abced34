# The procedures of the post on modular exponentiation in Tcl, timed on its own numbers.
#
# usage: tclsh powers.tcl PINGALA ROUNDS
#
# Prints a line for each procedure: its name, the microseconds of each round, and the result in hexadecimal:
#   math::bignum::powm|24012345|51b1...
# and first what it runs on: version|Tcl 8.6.13, math::bignum 3.1.1

package require math::bignum
namespace import ::math::bignum::*
lassign $argv pingala rounds

set g 0x626d027839ea0a13413163a55b4cb500299d5522956cefcb3bff10f399ce2c2e71cb9de5fa24babf58e5b79521925c9cc42e9f6f464b088cc572af53e6d78802
set u1 0xbf655bd046f0b35ec791b004804afcbb8ef7d69d
set p 0x8df2a494492276aa3d25759bb06869cbeac0d83afb8d0cf7cbb8324f0d7882e5d0762fc5b7210eafc2e9adac32ab7aac49693dfbf83724c2ec0736ee31c80291

# As in the post, with the closing braces that its page has lost.
proc _modexp_bignum {m e n} {
    set p [fromstr 1]
    set zero [fromstr 0]
    set one [fromstr 1]
    set two [fromstr 2]
    while {[gt $e $zero]} {
        if {[eq [mod $e $two] $one]} {
            set p [mod [mul $p $m] $n]
        }
        set m [mod [mul $m $m] $n]
        set e [div $e $two]
    }
    return $p
}

# The post's _modexp_mpexpr with Tcl's own integers in the place of mpexpr, which Tcl has had since 8.5.
proc _modexp_expr {m e n} {
    foreach v {m e n} {
        set $v [expr [tostr [set $v]]]
    }
    return [fromstr [powers_expr $m $e $n]]
}

# The procedure without the conversions.
proc powers_expr {m e n} {
    set p 1
    while {$e > 0} {
        if {$e % 2 == 1} {
            set p [expr {$p * $m % $n}]
        }
        set m [expr {$m * $m % $n}]
        set e [expr {$e / 2}]
    }
    return $p
}

# A process for each power.
proc pingala_pow {m e n} {
    return [exec $::pingala pow --quiet $m $e $n]
}

# One process for all of them: a row goes in, a row comes out.
proc pingala_batch {m e n} {
    puts $::batch "{\"base\":\"$m\",\"exponent\":\"$e\",\"modulus\":\"$n\"}"
    flush $::batch
    regexp {"result":"(0x[0-9a-f]+)"} [gets $::batch] -> result
    return $result
}

proc report {name samples result} {
    puts "$name|$samples|[format %llx [expr $result]]"
    flush stdout
}

proc measure {name repeats rounds script} {
    set samples {}
    for {set i 0} {$i < $rounds} {incr i} {
        lappend samples [lindex [uplevel #0 [list time $script $repeats]] 0]
    }
    report $name $samples $::r
}

puts "version|Tcl [info patchlevel], math::bignum [package present math::bignum]"
set batch [open [list | $pingala batch - --output - --quiet] r+]
measure pingala_batch 20 $rounds {set r [pingala_batch $g $u1 $p]}
measure pingala_pow 5 $rounds {set r [pingala_pow $g $u1 $p]}
measure powers_expr 20 $rounds {set r [powers_expr [expr {$g}] [expr {$u1}] [expr {$p}]]}

set bg [fromstr $g]
set bu [fromstr $u1]
set bp [fromstr $p]
set converted {}
for {set i 0} {$i < $rounds} {incr i} {
    lappend converted [lindex [time {set r [_modexp_expr $bg $bu $bp]} 2] 0]
}
report _modexp_expr $converted [tostr $r]

# The two that take long, in turn.
set powm {}
set by_hand {}
for {set i 0} {$i < 3} {incr i} {
    lappend powm [lindex [time {set r1 [math::bignum::powm $bg $bu $bp]}] 0]
    lappend by_hand [lindex [time {set r2 [_modexp_bignum $bg $bu $bp]}] 0]
}
report math::bignum::powm $powm [tostr $r1]
report _modexp_bignum $by_hand [tostr $r2]
close $batch
