/* The extension of the Tcl package pingala: commands over the C library. docs/tcl.md describes them. */

#include "calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Tcl_Command token;
    pingala_modulus *handle;
    Number value;
} Modulus;

int outcome(Tcl_Interp *interp, int32_t status, const char *why)
{
    return status == PINGALA_OK ? TCL_OK : fail(interp, pingala_status_name(status), why);
}

uint32_t signs_of(const Number *base, const Number *exponent)
{
    return (base && base->negative ? PINGALA_NEGATIVE_BASE : 0u) | (exponent && exponent->negative ? PINGALA_NEGATIVE_EXPONENT : 0u);
}

int give(Tcl_Interp *interp, int32_t status, const char *why, uint64_t *out, size_t width)
{
    if (status == PINGALA_OK)
        Tcl_SetObjResult(interp, number_new(out, width));
    free(out);
    return outcome(interp, status, why);
}

int give_list(Tcl_Interp *interp, int32_t status, const char *why, const uint64_t *out, size_t width, size_t count,
              const int32_t *each)
{
    Tcl_Obj *list;
    size_t i;

    if (status != PINGALA_OK)
        return outcome(interp, status, why);
    list = rows_list(out, width, count);
    for (i = 0; each && i < count; i++)
        if (each[i] != PINGALA_OK) {
            Tcl_Obj *name = Tcl_NewStringObj(pingala_status_name(each[i]), -1);

            Tcl_ListObjReplace(NULL, list, (Tcl_Size)i, 1, 1, &name);
        }
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

Tcl_Command new_command(Tcl_Interp *interp, const char *kind, Tcl_ObjCmdProc *procedure, void *data, Tcl_CmdDeleteProc *deleted)
{
    static Tcl_ThreadDataKey key;
    unsigned long *count = Tcl_GetThreadData(&key, sizeof *count);
    Tcl_CmdInfo taken;
    char name[64];

    do
        snprintf(name, sizeof name, "::pingala::%s%lu", kind, ++*count);
    while (Tcl_GetCommandInfo(interp, name, &taken));
    Tcl_SetObjResult(interp, Tcl_NewStringObj(name, -1));
    return Tcl_CreateObjCommand(interp, name, procedure, data, deleted);
}

/* --- moduli ------------------------------------------------------------------------------------------------------- */

static void modulus_delete(ClientData data)
{
    Modulus *modulus = data;

    pingala_modulus_free(modulus->handle);
    number_free(&modulus->value);
    free(modulus);
}

int open_modulus(Tcl_Interp *interp, const Number *value, Tcl_Obj *factors, const pingala_options *options, pingala_modulus **handle)
{
    Tcl_Size n_items = 0;
    Tcl_Obj **items = NULL;
    uint32_t *multiplicities;
    Rows rows;
    int code = TCL_ERROR, multiplicity;
    int32_t status;
    size_t i;
    WHY;

    if (value->negative)
        return fail(interp, "negative_modulus", "the modulus is negative; give its absolute value");
    if (factors && Tcl_ListObjGetElements(interp, factors, &n_items, &items) != TCL_OK)
        return TCL_ERROR;
    if (n_items % 2)
        return fail(interp, "bad_argument", "-factors needs a list of factor and multiplicity, in turn");
    if (rows_get(interp, items, (size_t)n_items / 2, 2, NULL, 1, &rows) != TCL_OK)
        return TCL_ERROR;
    multiplicities = zeros(interp, rows.count, 1, sizeof *multiplicities);
    for (i = 0; multiplicities && i < rows.count; i++) {
        if (Tcl_GetIntFromObj(interp, items[2 * i + 1], &multiplicity) != TCL_OK || multiplicity < 1 || rows.signs[i]) {
            fail(interp, "wrong_factors", "a factor and its multiplicity must be positive");
            break;
        }
        multiplicities[i] = (uint32_t)multiplicity;
    }
    if (multiplicities && i == rows.count) {
        status = pingala_modulus_new_factored_limbs(handle, value->limbs, value->n_limbs, rows.limbs, rows.width, multiplicities,
                                                    rows.count, options, WHY_ROOM);
        code = outcome(interp, status, why);
    }
    free(multiplicities);
    rows_free(&rows);
    return code;
}

static int modulus_method(ARGUMENTS)
{
    const Modulus *modulus = data;
    const CallRow *row;
    int which, planned = 0, at = 1;

    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "method ?argument ...?");
        return TCL_ERROR;
    }
    for (;; planned = row->name[0] == 'p' ? 1 : 2, at = 2) {
        if (Tcl_GetIndexFromObjStruct(interp, objv[at], modulus_rows, sizeof *modulus_rows, "method", TCL_EXACT, &which) != TCL_OK)
            return TCL_ERROR;
        row = &modulus_rows[which];
        if (planned && row->plan == NULL)
            return fail(interp, "bad_argument", "this method has no plan; expected powm, product, a list of these, or repeated_square");
        if (planned > 1 && !row->explains)
            return fail(interp, "bad_argument", "powm_list has a plan, but no explanation: explain powm_base_list with this exponent");
        if (row->make)
            return call_run(interp, row, modulus->handle, planned, objc, objv, at + 1);
        if (objc - at < 3 && row->usage[0]) {
            Tcl_WrongNumArgs(interp, at + 1, objv, row->usage);
            return TCL_ERROR;
        }
        if (objc - at > 1 && !row->usage[0]) {
            Tcl_WrongNumArgs(interp, at + 1, objv, "");
            return TCL_ERROR;
        }
        if (row->name[0] == 'v') {
            Tcl_SetObjResult(interp, number_new(modulus->value.limbs, modulus->value.n_limbs));
            return TCL_OK;
        }
        if (row->name[0] == 'd')
            return Tcl_DeleteCommandFromToken(interp, modulus->token) == 0 ? TCL_OK : TCL_ERROR;
    }
}

/* pingala::modulus create number ?-option value ...? */
static int modulus_command(ARGUMENTS)
{
    static const char *const names[] = {"create", NULL};
    Settings settings;
    Modulus *modulus;
    int which;

    (void)data;
    if (objc < 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "create number ?-option value ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "subcommand", 0, &which) != TCL_OK
        || settings_get(interp, objc, objv, 3, OPTION_FACTORS | OPTION_MAX_MODULUS_BITS, &settings) != TCL_OK)
        return TCL_ERROR;
    if ((modulus = zeros(interp, 1, 1, sizeof *modulus)) != NULL && number_get(interp, objv[2], &modulus->value) != TCL_OK) {
        free(modulus);
        modulus = NULL;
    }
    if (modulus && open_modulus(interp, &modulus->value, settings.factors, settings.options, &modulus->handle) != TCL_OK) {
        modulus_delete(modulus);
        modulus = NULL;
    }
    settings_free(&settings);
    if (modulus == NULL)
        return TCL_ERROR;
    modulus->token = new_command(interp, "modulus", modulus_method, modulus, modulus_delete);
    return TCL_OK;
}

/* A command of a row, which is the data. */
static int row_command(ARGUMENTS)
{
    return call_run(interp, data, NULL, 0, objc, objv, 1);
}

/* --- the package -------------------------------------------------------------------------------------------------- */

/* Safe interpreters get the same commands; pingala::fixedbase refuses them files. */
DLLEXPORT int Pingala_Init(Tcl_Interp *interp)
{
    const CallRow *row;
    char name[64];

    if (Tcl_InitStubs(interp, TCL_MAJOR_VERSION > 8 ? "9.0" : "8.6.10", 0) == NULL || number_init(interp) != TCL_OK)
        return TCL_ERROR;
    if (pingala_abi() < PINGALA_ABI)
        return fail(interp, "other", "the library pingala is older than its header");
    for (row = command_rows; row->name; row++) {
        snprintf(name, sizeof name, "::pingala::%s", row->name);
        Tcl_CreateObjCommand(interp, name, row_command, (void *)row, NULL);
    }
    Tcl_CreateObjCommand(interp, "::pingala::modulus", modulus_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::fixedbase", fixed_base_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::bignum::powm", bignum_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::dsa", signature_command, (void *)"dsa", NULL);
    Tcl_CreateObjCommand(interp, "::pingala::rsa", signature_command, NULL, NULL);
    return TCL_OK;
}

DLLEXPORT int Pingala_SafeInit(Tcl_Interp *interp)
{
    return Pingala_Init(interp);
}
