/* The extension of the Tcl package pingala: commands over the C library. docs/tcl.md describes them. */

#include "commands.h"

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

/* A plan is one line, which for one modulus has few parts; an explanation has a line for each of at most twelve candidates. */
#define PLAN char plan[1 << 14]; size_t needed = 0
#define PLAN_ROOM plan, sizeof plan, &needed

static int give_plan(Tcl_Interp *interp, int32_t status, const char *why, const char *plan, size_t needed)
{
    if (status == PINGALA_OK && needed > 1 << 14)
        return fail(interp, "other", "the plan is too long");
    if (status == PINGALA_OK)
        Tcl_SetObjResult(interp, Tcl_NewStringObj(plan, -1));
    return outcome(interp, status, why);
}

static int not_negative(Tcl_Interp *interp, const Number *modulus)
{
    return modulus->negative ? fail(interp, "negative_modulus", "the modulus is negative; give its absolute value") : TCL_OK;
}

/* Numbers as Tcl has them. */
static const Form plain = {number_get, number_new};

/* pingala::powm base exponent modulus, with numbers in another form if there is one */
static int powm_command(ARGUMENTS)
{
    const Form *form = data ? data : &plain;
    Number number[3];
    int read = 0, code = TCL_ERROR;
    uint64_t *out;
    int32_t status;
    WHY;

    if (objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "base exponent modulus");
        return TCL_ERROR;
    }
    while (read < 3 && form->get(interp, objv[read + 1], &number[read]) == TCL_OK)
        read++;
    if (read == 3 && not_negative(interp, &number[2]) == TCL_OK && (out = zeros(interp, number[2].n_limbs, 1, sizeof *out)) != NULL) {
        status = pingala_powmod_limbs(out, number[2].n_limbs, number[0].limbs, number[0].n_limbs, number[1].limbs, number[1].n_limbs,
                                      number[2].limbs, number[2].n_limbs, signs_of(&number[0], &number[1]), NULL, WHY_ROOM);
        if (status == PINGALA_OK)
            Tcl_SetObjResult(interp, form->give(out, number[2].n_limbs));
        code = outcome(interp, status, why);
        free(out);
    }
    while (read-- > 0)
        number_free(&number[read]);
    return code;
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

int open_modulus(Tcl_Interp *interp, const Number *value, Tcl_Obj *factors, pingala_modulus **handle)
{
    Tcl_Size n_items = 0;
    Tcl_Obj **items = NULL;
    uint32_t *multiplicities;
    Rows rows;
    int code = TCL_ERROR, multiplicity;
    int32_t status;
    size_t i;
    WHY;

    if (not_negative(interp, value) != TCL_OK || (factors && Tcl_ListObjGetElements(interp, factors, &n_items, &items) != TCL_OK))
        return TCL_ERROR;
    if (n_items == 0) {
        status = pingala_modulus_new_limbs(handle, value->limbs, value->n_limbs, WHY_ROOM);
        return outcome(interp, status, why);
    }
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
                                                    rows.count, NULL, WHY_ROOM);
        code = outcome(interp, status, why);
    }
    free(multiplicities);
    rows_free(&rows);
    return code;
}

/* The methods of a modulus. Those from POWM_LIST to INVERT_LIST are for lists, and those before INVERT_LIST have plans. */
enum { POWM, POWM_LIST, POWM_EXP_LIST, POWM_BASE_LIST, PRODUCT, PRODUCT_LIST, INVERT_LIST, INVERT, VALUE, DESTROY, PLAN_OF, EXPLAIN };

/* The numbers of a list. */
typedef struct {
    Number one;            /* the base or the exponent of all */
    Rows bases, exponents; /* with bases, their signs are those of both */
    uint64_t *ends;        /* where each product ends */
    size_t count;          /* of results */
} Operands;

static void operands_free(Operands *operands)
{
    number_free(&operands->one);
    rows_free(&operands->bases);
    rows_free(&operands->exponents);
    free(operands->ends);
}

/* Reads products, each a list of bases and exponents in turn. */
static int products_get(Tcl_Interp *interp, const Modulus *modulus, Tcl_Obj *const lists[], int is_list, Operands *operands)
{
    Tcl_Size n_items;
    Tcl_Obj **items, **all = NULL, **longer;
    size_t total = 0, room = 0, i, j;
    int code = TCL_ERROR;

    if ((operands->ends = zeros(interp, operands->count, 1, sizeof *operands->ends)) == NULL)
        return TCL_ERROR;
    /* All numbers are held before one is read: reading may change what a list is made of. */
    for (i = 0; i < operands->count; i++) {
        if (Tcl_ListObjGetElements(interp, lists[i], &n_items, &items) != TCL_OK)
            goto done;
        if (n_items % 2) {
            Tcl_SetObjResult(interp, is_list ? Tcl_ObjPrintf("product %ld is no list of base and exponent, in turn", (long)i)
                                             : Tcl_NewStringObj("a product needs a list of base and exponent, in turn", -1));
            fail(interp, "bad_argument", NULL);
            goto done;
        }
        if (all == NULL || total + (size_t)n_items > room) {
            room = 2 * (total + (size_t)n_items) + 2;
            if ((longer = zeros(interp, room, 1, sizeof *longer)) == NULL)
                goto done;
            if (total > 0)
                memcpy(longer, all, total * sizeof *all);
            free(all);
            all = longer;
        }
        for (j = 0; j < (size_t)n_items; j++, total++) {
            all[total] = items[j];
            Tcl_IncrRefCount(all[total]);
        }
        operands->ends[i] = total / 2;
    }
    if (rows_get(interp, all, total / 2, 2, &modulus->value, PINGALA_NEGATIVE_BASE, &operands->bases) == TCL_OK)
        code = rows_get(interp, all ? all + 1 : NULL, total / 2, 2, NULL, PINGALA_NEGATIVE_EXPONENT, &operands->exponents);
done:
    while (total-- > 0)
        Tcl_DecrRefCount(all[total]);
    free(all);
    return code;
}

/* Reads the arguments of a method for lists. What was read is freed by operands_free, also after an error. */
static int operands_get(Tcl_Interp *interp, const Modulus *modulus, int which, Tcl_Obj *const arguments[], Operands *operands)
{
    Rows *const bases = &operands->bases, *const exponents = &operands->exponents;
    Tcl_Obj **lists = (Tcl_Obj **)arguments;
    Tcl_Size n_lists = 1;
    size_t i;

    memset(operands, 0, sizeof *operands);
    if (which == PRODUCT || which == PRODUCT_LIST) {
        if (which == PRODUCT_LIST && Tcl_ListObjGetElements(interp, arguments[0], &n_lists, &lists) != TCL_OK)
            return TCL_ERROR;
        operands->count = (size_t)n_lists;
        if (products_get(interp, modulus, lists, which == PRODUCT_LIST, operands) != TCL_OK)
            return TCL_ERROR;
    } else {
        /* The single number first: reading a list from the same value would be undone by reading a number from it. */
        if ((which == POWM_EXP_LIST || which == POWM_BASE_LIST)
            && number_get(interp, arguments[which == POWM_BASE_LIST], &operands->one) != TCL_OK)
            return TCL_ERROR;
        if (which != POWM_EXP_LIST && list_get(interp, arguments[0], &modulus->value, PINGALA_NEGATIVE_BASE, bases) != TCL_OK)
            return TCL_ERROR;
        if ((which == POWM_LIST || which == POWM_EXP_LIST)
            && list_get(interp, arguments[1], NULL, PINGALA_NEGATIVE_EXPONENT, exponents) != TCL_OK)
            return TCL_ERROR;
        operands->count = which == POWM_EXP_LIST ? exponents->count : bases->count;
        if (which == POWM_LIST && bases->count != exponents->count) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("%ld bases, but %ld exponents", (long)bases->count, (long)exponents->count));
            return fail(interp, "bad_argument", NULL);
        }
    }
    for (i = 0; bases->count == exponents->count && i < bases->count; i++)
        bases->signs[i] |= exponents->signs[i];
    return TCL_OK;
}

/* A method for lists, or its plan. */
static int list_of(Tcl_Interp *interp, const Modulus *modulus, int which, Tcl_Obj *const arguments[], const Settings *settings)
{
    const pingala_modulus *const handle = modulus->handle;
    const pingala_options *const options = settings->options;
    const size_t width = modulus->value.n_limbs;
    const uint32_t format = (uint32_t)settings->planned - 1;
    Operands operands;
    const Rows *const b = &operands.bases, *const e = &operands.exponents;
    const Number *const one = &operands.one;
    uint64_t *out = NULL;
    int32_t *each = NULL, status;
    int code = TCL_ERROR;
    PLAN;
    WHY;

    if (operands_get(interp, modulus, which, arguments, &operands) != TCL_OK)
        goto done;
    if (settings->planned) {
        if (which == POWM_LIST)
            status = pingala_modulus_plan_list_limbs(handle, PLAN_ROOM, b->limbs, e->limbs, e->width, b->count, b->signs, options, WHY_ROOM);
        else if (which == POWM_EXP_LIST)
            status = pingala_modulus_explain_exp_list_limbs(handle, PLAN_ROOM, format, e->limbs, e->width, e->count, e->signs, options,
                                                            WHY_ROOM);
        else if (which == POWM_BASE_LIST)
            status = pingala_modulus_explain_base_list_limbs(handle, PLAN_ROOM, format, b->limbs, width, b->count, one->limbs, one->n_limbs,
                                                             signs_of(NULL, one), options, WHY_ROOM);
        else if (which == PRODUCT)
            status = pingala_modulus_explain_product_limbs(handle, PLAN_ROOM, format, e->limbs, e->width, e->count, e->signs, options,
                                                           WHY_ROOM);
        else if (format == PINGALA_PLAN)
            status = pingala_modulus_plan_product_list_limbs(handle, PLAN_ROOM, b->limbs, e->limbs, e->width, b->count, operands.ends,
                                                             operands.count, b->signs, options, WHY_ROOM);
        else
            status = pingala_modulus_explain_product_list_limbs(handle, PLAN_ROOM, format, b->limbs, e->limbs, e->width, b->count,
                                                                operands.ends, operands.count, b->signs, options, WHY_ROOM);
        code = give_plan(interp, status, why, plan, needed);
    } else if (which == PRODUCT) {
        if ((out = zeros(interp, 1, width, sizeof *out)) == NULL)
            goto done;
        status = pingala_modulus_pow_product_limbs(handle, out, width, b->limbs, e->limbs, e->width, b->count, b->signs, options, WHY_ROOM);
        code = give(interp, status, why, out, width);
        out = NULL;
    } else if ((out = zeros(interp, operands.count, width, sizeof *out)) != NULL
               && (!settings->errors_returned || (each = zeros(interp, operands.count, 1, sizeof *each)) != NULL)) {
        if (which == POWM_LIST)
            status = pingala_modulus_pow_list_limbs(handle, out, b->limbs, e->limbs, e->width, b->count, each, b->signs, options, WHY_ROOM);
        else if (which == POWM_EXP_LIST)
            status = pingala_modulus_pow_exp_list_limbs(handle, out, one->limbs, one->n_limbs, signs_of(one, NULL), e->limbs, e->width,
                                                        e->count, each, e->signs, options, WHY_ROOM);
        else if (which == POWM_BASE_LIST)
            status = pingala_modulus_pow_base_list_limbs(handle, out, b->limbs, one->limbs, one->n_limbs, signs_of(NULL, one), b->count,
                                                         each, b->signs, options, WHY_ROOM);
        else if (which == PRODUCT_LIST)
            status = pingala_modulus_pow_product_list_limbs(handle, out, b->limbs, e->limbs, e->width, b->count, operands.ends,
                                                            operands.count, each, b->signs, options, WHY_ROOM);
        else
            status = pingala_modulus_invert_list_limbs(handle, out, b->limbs, b->count, each, b->signs, options, WHY_ROOM);
        code = give_list(interp, status, why, out, width, operands.count, each);
    }
done:
    operands_free(&operands);
    free(out);
    free(each);
    return code;
}

/* base^exponent or its plan, or with `exponent` NULL the inverse of the base. */
static int power_of(Tcl_Interp *interp, const Modulus *modulus, Tcl_Obj *base_value, Tcl_Obj *exponent_value, int planned)
{
    const size_t width = modulus->value.n_limbs;
    Number base, exponent;
    uint64_t *out = zeros(interp, width, 1, sizeof *out);
    int32_t status;
    PLAN;
    WHY;

    if (out == NULL || number_get(interp, base_value, &base) != TCL_OK) {
        free(out);
        return TCL_ERROR;
    }
    if (exponent_value == NULL) {
        status = pingala_modulus_invert_limbs(modulus->handle, out, width, base.limbs, base.n_limbs,
                                              signs_of(&base, NULL), WHY_ROOM);
    } else if (number_get(interp, exponent_value, &exponent) == TCL_OK) {
        status = planned
            ? pingala_modulus_explain_limbs(modulus->handle, PLAN_ROOM, (uint32_t)planned - 1, base.limbs, base.n_limbs, exponent.limbs,
                                            exponent.n_limbs, signs_of(&base, &exponent), NULL, WHY_ROOM)
            : pingala_modulus_pow_limbs(modulus->handle, out, width, base.limbs, base.n_limbs, exponent.limbs, exponent.n_limbs,
                                        signs_of(&base, &exponent), NULL, WHY_ROOM);
        number_free(&exponent);
    } else {
        number_free(&base);
        free(out);
        return TCL_ERROR;
    }
    number_free(&base);
    if (!planned)
        return give(interp, status, why, out, width);
    free(out);
    return give_plan(interp, status, why, plan, needed);
}

static int modulus_method(ARGUMENTS)
{
    static const struct {
        const char *name, *usage;
        int arguments, options;
    } methods[] = {
        {"powm", "base exponent", 2, 0},
        {"powm_list", "bases exponents ?-option value ...?", 2, 1},
        {"powm_exp_list", "base exponents ?-option value ...?", 2, 1},
        {"powm_base_list", "bases exponent ?-option value ...?", 2, 1},
        {"product", "pairs ?-option value ...?", 1, 1},
        {"product_list", "lists ?-option value ...?", 1, 1},
        {"invert_list", "values ?-option value ...?", 1, 1},
        {"invert", "value", 1, 0},
        {"value", "", 0, 0},
        {"destroy", "", 0, 0},
        {"plan", "method argument ?argument ...?", 2, 1},
        {"explain", "method argument ?argument ...?", 2, 1},
        {NULL, NULL, 0, 0},
    };
    const Modulus *modulus = data;
    Settings settings;
    int which, code, planned = 0, at = 1;

    if (objc < 2) {
        Tcl_WrongNumArgs(interp, 1, objv, "method ?argument ...?");
        return TCL_ERROR;
    }
    for (;; planned = which == PLAN_OF ? 1 : 2, at = 2) {
        if (Tcl_GetIndexFromObjStruct(interp, objv[at], methods, sizeof *methods, "method", TCL_EXACT, &which) != TCL_OK)
            return TCL_ERROR;
        if (planned > 1 && which == POWM_LIST)
            return fail(interp, "bad_argument", "powm_list has a plan, but no explanation: explain powm_base_list with this exponent");
        if (planned && which > PRODUCT_LIST)
            return fail(interp, "bad_argument", "this method has no plan; expected powm, product, or a list of these");
        if (objc - at <= methods[which].arguments || (objc - at > methods[which].arguments + 1 && !methods[which].options)) {
            Tcl_WrongNumArgs(interp, at + 1, objv, methods[which].usage);
            return TCL_ERROR;
        }
        if (which < PLAN_OF)
            break;
    }
    objv += at;
    objc -= at;
    if (which == POWM || which == INVERT)
        return power_of(interp, modulus, objv[1], which == POWM ? objv[2] : NULL, planned);
    if (which == VALUE) {
        Tcl_SetObjResult(interp, number_new(modulus->value.limbs, modulus->value.n_limbs));
        return TCL_OK;
    }
    if (which == DESTROY)
        return Tcl_DeleteCommandFromToken(interp, modulus->token) == 0 ? TCL_OK : TCL_ERROR;
    if (settings_get(interp, objc, objv, methods[which].arguments + 1, LISTS, &settings) != TCL_OK)
        return TCL_ERROR;
    settings.planned = planned;
    code = list_of(interp, modulus, which, objv + 1, &settings);
    settings_free(&settings);
    return code;
}

/* pingala::modulus create number ?-factors list? */
static int modulus_command(ARGUMENTS)
{
    static const char *const names[] = {"create", NULL};
    Settings settings;
    Modulus *modulus;
    int which;

    (void)data;
    if (objc < 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "create number ?-factors list?");
        return TCL_ERROR;
    }
    if (Tcl_GetIndexFromObj(interp, objv[1], names, "subcommand", 0, &which) != TCL_OK
        || settings_get(interp, objc, objv, 3, FACTORS, &settings) != TCL_OK
        || (modulus = zeros(interp, 1, 1, sizeof *modulus)) == NULL)
        return TCL_ERROR;
    if (number_get(interp, objv[2], &modulus->value) != TCL_OK) {
        free(modulus);
        return TCL_ERROR;
    }
    if (open_modulus(interp, &modulus->value, settings.factors, &modulus->handle) != TCL_OK) {
        modulus_delete(modulus);
        return TCL_ERROR;
    }
    modulus->token = new_command(interp, "modulus", modulus_method, modulus, modulus_delete);
    return TCL_OK;
}

/* pingala::invert value modulus */
static int invert_command(ARGUMENTS)
{
    Modulus modulus = {0};
    int code = TCL_ERROR;

    (void)data;
    if (objc != 3) {
        Tcl_WrongNumArgs(interp, 1, objv, "value modulus");
        return TCL_ERROR;
    }
    if (number_get(interp, objv[2], &modulus.value) != TCL_OK)
        return TCL_ERROR;
    if (open_modulus(interp, &modulus.value, NULL, &modulus.handle) == TCL_OK)
        code = power_of(interp, &modulus, objv[1], NULL, 0);
    pingala_modulus_free(modulus.handle);
    number_free(&modulus.value);
    return code;
}

/* --- the package -------------------------------------------------------------------------------------------------- */

/* Safe interpreters get the same commands; pingala::fixedbase refuses them files. */
DLLEXPORT int Pingala_Init(Tcl_Interp *interp)
{
    if (Tcl_InitStubs(interp, TCL_MAJOR_VERSION > 8 ? "9.0" : "8.6.10", 0) == NULL || number_init(interp) != TCL_OK)
        return TCL_ERROR;
    if (pingala_abi() < PINGALA_ABI)
        return fail(interp, "other", "the library pingala is older than its header");
    Tcl_CreateObjCommand(interp, "::pingala::powm", powm_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::invert", invert_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::modulus", modulus_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::fixedbase", fixed_base_command, NULL, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::bignum::powm", powm_command, (void *)&bignum, NULL);
    Tcl_CreateObjCommand(interp, "::pingala::dsa", signature_command, (void *)"dsa", NULL);
    Tcl_CreateObjCommand(interp, "::pingala::rsa", signature_command, NULL, NULL);
    return TCL_OK;
}

DLLEXPORT int Pingala_SafeInit(Tcl_Interp *interp)
{
    return Pingala_Init(interp);
}
