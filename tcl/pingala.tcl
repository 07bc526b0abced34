# The package pingala: the extension if it can be loaded, otherwise expr.tcl, which computes powers and inverses by expr.
# PINGALA_TCL=expr in the environment selects expr.tcl; with PINGALA_TCL=c an extension that does not load is an error.

namespace eval ::pingala {
    variable implementation c
    # Why the extension was not loaded.
    variable load_error ""
    namespace eval bignum {}

    # Which implementation runs: c or expr.
    proc implementation {} {
        variable implementation
        return $implementation
    }
}

apply {{dir} {
    variable implementation
    variable load_error
    set wanted [expr {[info exists ::env(PINGALA_TCL)] ? $::env(PINGALA_TCL) : ""}]
    if {$wanted eq "expr"} {
        set load_error "PINGALA_TCL is expr"
    } elseif {![catch {load [file join $dir libpingala_tcl[info sharedlibextension]] Pingala} load_error]} {
        set load_error ""
        return
    } elseif {$wanted eq "c"} {
        return -code error "the extension was not loaded: $load_error"
    }
    set implementation expr
    source [file join $dir expr.tcl]
} ::pingala} [file dirname [info script]]
