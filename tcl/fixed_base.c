/* Tables of a fixed base: pingala::fixedbase create, pingala::fixedbase load, and the methods of a table. */

#include "commands.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    Tcl_Command token;
    pingala_fixed_base *handle;
    pingala_modulus *modulus;
    size_t width;
} Table;

static void table_delete(ClientData data)
{
    Table *table = data;

    pingala_fixed_base_free(table->handle);
    pingala_modulus_free(table->modulus);
    free(table);
}

static int power_of(Tcl_Interp *interp, const Table *table, Tcl_Obj *value)
{
    uint64_t *out = zeros(interp, table->width, 1, sizeof *out);
    Number exponent;
    int32_t status;
    WHY;

    if (out == NULL || number_get(interp, value, &exponent) != TCL_OK) {
        free(out);
        return TCL_ERROR;
    }
    status = pingala_fixed_base_pow_limbs(table->handle, out, table->width, exponent.limbs, exponent.n_limbs,
                                          signs_of(NULL, &exponent), NULL, WHY_ROOM);
    number_free(&exponent);
    return give(interp, status, why, out, table->width);
}

static int powers_of(Tcl_Interp *interp, const Table *table, Tcl_Obj *list, const Settings *settings)
{
    Rows rows;
    uint64_t *out;
    int32_t *each = NULL;
    int code = TCL_ERROR;
    WHY;

    if (list_get(interp, list, NULL, PINGALA_NEGATIVE_EXPONENT, &rows) != TCL_OK)
        return TCL_ERROR;
    out = zeros(interp, rows.count, table->width, sizeof *out);
    if (out && (!settings->errors_returned || (each = zeros(interp, rows.count, 1, sizeof *each)) != NULL)) {
        const int32_t status = pingala_fixed_base_pow_list_limbs(table->handle, out, rows.limbs, rows.width, rows.count, each,
                                                                 rows.signs, settings->options, WHY_ROOM);
        code = give_list(interp, status, why, out, table->width, rows.count, each);
    }
    free(out);
    free(each);
    rows_free(&rows);
    return code;
}

static int save(Tcl_Interp *interp, const Table *table, Tcl_Obj *name)
{
    const char *path = path_of(interp, name);
    WHY;

    return path ? outcome(interp, pingala_fixed_base_save(table->handle, path, WHY_ROOM), why) : TCL_ERROR;
}

static int table_method(ARGUMENTS)
{
    enum { POWM, POWM_LIST, SAVE, BASE, MODULUS, BITS, BYTES, VERIFY, DESTROY };
    static const char *const names[] = {"powm", "powm_list", "save", "base", "modulus", "bits", "bytes", "verify", "destroy", NULL};
    static const char *const usages[] = {"exponent", "exponents ?-option value ...?", "path", "", "", "", "", "", ""};
    static const int n_arguments[] = {1, 1, 1, 0, 0, 0, 0, 0, 0};
    const Table *table = data;
    Settings settings;
    uint64_t *out;
    int32_t status;
    int which, code;
    WHY;

    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "method ?argument ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "method", TCL_EXACT, &which) != TCL_OK)
        return TCL_ERROR;
    if (objc < n_arguments[which] + 2 || (objc > n_arguments[which] + 2 && which != POWM_LIST)) {
        Tcl_WrongNumArgs(interp, 2, objv, usages[which]);
        return TCL_ERROR;
    }
    switch (which) {
    case POWM:
        return power_of(interp, table, objv[2]);
    case POWM_LIST:
        if (settings_get(interp, objc, objv, 3, OPTION_THREADS | OPTION_ERRORS | OPTION_KERNEL | OPTION_PLAN | OPTION_TIMEOUT, &settings) != TCL_OK)
            return TCL_ERROR;
        code = powers_of(interp, table, objv[2], &settings);
        settings_free(&settings);
        return code;
    case SAVE:
        return save(interp, table, objv[2]);
    case BASE:
    case MODULUS:
        if ((out = zeros(interp, table->width, 1, sizeof *out)) == NULL)
            return TCL_ERROR;
        status = which == BASE ? pingala_fixed_base_base_limbs(table->handle, out, table->width, WHY_ROOM)
                               : pingala_modulus_value_limbs(table->modulus, out, table->width, WHY_ROOM);
        return give(interp, status, why, out, table->width);
    case BITS:
        Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)pingala_fixed_base_exponent_bits(table->handle)));
        return TCL_OK;
    case BYTES:
        Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)pingala_fixed_base_table_bytes(table->handle)));
        return TCL_OK;
    case VERIFY:
        return outcome(interp, pingala_fixed_base_verify(table->handle, NULL, WHY_ROOM), why);
    default:
        return Tcl_DeleteCommandFromToken(interp, table->token) == 0 ? TCL_OK : TCL_ERROR;
    }
}

/* An explanation has a line for each of at most twelve candidates. */
#define PLAN char plan[1 << 14]; size_t needed = 0
#define PLAN_ROOM plan, sizeof plan, &needed

/* Makes the command of a handle, which it takes over. */
static int adopt(Tcl_Interp *interp, pingala_fixed_base *handle)
{
    Table *table = zeros(interp, 1, 1, sizeof *table);
    int32_t status;
    WHY;

    if (table == NULL) {
        pingala_fixed_base_free(handle);
        return TCL_ERROR;
    }
    table->handle = handle;
    status = pingala_fixed_base_modulus(handle, &table->modulus, WHY_ROOM);
    if (status != PINGALA_OK) {
        table_delete(table);
        return outcome(interp, status, why);
    }
    table->width = (size_t)((pingala_modulus_bits(table->modulus) + 63) / 64);
    table->token = new_command(interp, "fixedbase", table_method, table, table_delete);
    return TCL_OK;
}

/* Makes a table, or gives its plan or explanation. */
static int create(Tcl_Interp *interp, int planned, int objc, Tcl_Obj *const objv[])
{
    Number base, value;
    Settings settings;
    Tcl_WideInt exponent_bits;
    pingala_modulus *modulus = NULL;
    pingala_fixed_base *handle = NULL;
    int code = TCL_ERROR;
    int32_t status;
    PLAN;
    WHY;

    if (Tcl_GetWideIntFromObj(interp, objv[4], &exponent_bits) != TCL_OK || exponent_bits < 1)
        return fail(interp, "bad_argument", "the bits of the longest exponent must be a positive integer");
    if (settings_get(interp, objc, objv, 5, TABLES | OPTION_FACTORS | OPTION_MAX_MODULUS_BITS, &settings) != TCL_OK)
        return TCL_ERROR;
    if (number_get(interp, objv[2], &base) == TCL_OK) {
        if (number_get(interp, objv[3], &value) == TCL_OK) {
            code = open_modulus(interp, &value, settings.factors, settings.options, &modulus);
            number_free(&value);
        }
        if (code == TCL_OK && planned) {
            status = pingala_fixed_base_explain_limbs(modulus, PLAN_ROOM, (uint32_t)planned - 1, base.limbs, base.n_limbs,
                                                      signs_of(&base, NULL), (uint64_t)exponent_bits, (uint64_t)settings.table_bytes,
                                                      (uint64_t)settings.uses, 0, settings.options, WHY_ROOM);
            if (status == PINGALA_OK)
                Tcl_SetObjResult(interp, Tcl_NewStringObj(plan, -1));
            code = outcome(interp, status, why);
        } else if (code == TCL_OK) {
            status = pingala_fixed_base_new_limbs(&handle, modulus, base.limbs, base.n_limbs, signs_of(&base, NULL),
                                                  (uint64_t)exponent_bits, (uint64_t)settings.table_bytes, (uint64_t)settings.uses,
                                                  0, settings.options, WHY_ROOM);
            code = status == PINGALA_OK ? adopt(interp, handle) : outcome(interp, status, why);
        }
        pingala_modulus_free(modulus);
        number_free(&base);
    }
    settings_free(&settings);
    return code;
}

static int load(Tcl_Interp *interp, Tcl_Obj *name)
{
    const char *path = path_of(interp, name);
    pingala_fixed_base *handle = NULL;
    int32_t status;
    WHY;

    if (path == NULL)
        return TCL_ERROR;
    status = pingala_fixed_base_load(&handle, path, NULL, NULL, WHY_ROOM);
    return status == PINGALA_OK ? adopt(interp, handle) : outcome(interp, status, why);
}

/* pingala::fixedbase create base modulus bits ?-option value ...?, plan and explain the same, pingala::fixedbase load path */
int fixed_base_command(ARGUMENTS)
{
    enum { CREATE, PLAN_OF, EXPLAIN, LOAD };
    static const char *const names[] = {"create", "plan", "explain", "load", NULL};
    int which = 0;

    (void)data;
    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?argument ...?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "subcommand", TCL_EXACT, &which) != TCL_OK)
        return TCL_ERROR;
    if (which == LOAD ? objc != 3 : objc < 5) {
        Tcl_WrongNumArgs(interp, 2, objv, which == LOAD ? "path" : "base modulus bits ?-option value ...?");
        return TCL_ERROR;
    }
    return which == LOAD ? load(interp, objv[2]) : create(interp, which, objc, objv);
}
