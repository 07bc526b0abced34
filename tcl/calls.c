/* Reads the operands of a call whose row generated_calls.c has, makes the call, and gives its answer. */

#include "calls.h"

#include <stdlib.h>
#include <string.h>

/* Appends the name of an operand, as the usage of its call writes it. */
static void append_name(Tcl_Obj *text, const CallRow *row, int operand)
{
    const char *start = row->usage, *end;

    while (operand-- > 0)
        start = strchr(start, ' ') + 1;
    start += *start == '?';
    end = start + strcspn(start, "? ");
    Tcl_AppendToObj(text, start, (Tcl_Size)(end - start));
}

static int fail_of(Call *call, const CallRow *row, int operand, const char *code, const char *message)
{
    Tcl_Obj *text = Tcl_NewObj();

    append_name(text, row, operand);
    Tcl_AppendToObj(text, message, -1);
    Tcl_SetObjResult(call->interp, text);
    return fail(call->interp, code, NULL);
}

static const char *negative_code(int flags)
{
    return flags & MODULUS ? "negative_modulus" : "bad_argument";
}

static uint8_t mark_of(int flags)
{
    return flags & BASE_SIGN ? PINGALA_NEGATIVE_BASE : flags & EXPONENT_SIGN ? PINGALA_NEGATIVE_EXPONENT : PINGALA_NEGATIVE_MODULUS;
}

/* What is negative without a mark is an error, or 0. */
static int check_rows(Call *call, const CallRow *row, int operand, int flags, Rows *rows)
{
    size_t i;

    for (i = 0; !(flags & (BASE_SIGN | EXPONENT_SIGN)) && i < rows->count; i++)
        if (rows->signs[i]) {
            if (flags & (NATURAL | MODULUS))
                return fail_of(call, row, operand, negative_code(flags), ": a number is negative");
            memset(rows->limbs + i * rows->width, 0, rows->width * sizeof *rows->limbs);
            rows->signs[i] = 0;
        }
    return TCL_OK;
}

static int open_handle(Call *call, const uint64_t *limbs, size_t n_limbs, pingala_modulus **handle)
{
    return call_outcome(call, pingala_modulus_new_factored_limbs(handle, limbs, n_limbs, NULL, 0, NULL, 0, call->settings.options,
                                                                 call->why, sizeof call->why));
}

/* Opens a handle for each modulus that differs from the one before. */
static int open_moduli(Call *call, Rows *rows)
{
    const size_t width = rows->width;
    size_t i;

    call->moduli = zeros(call->interp, rows->count, 1, sizeof *call->moduli);
    if (call->moduli == NULL || (call->modulus_of = zeros(call->interp, rows->count, 1, sizeof *call->modulus_of)) == NULL)
        return TCL_ERROR;
    for (i = 0; i < rows->count; i++) {
        const uint64_t *limbs = rows->limbs + i * width;
        size_t n_limbs = width;

        while (n_limbs > 0 && limbs[n_limbs - 1] == 0)
            n_limbs--;
        if (i == 0 || memcmp(limbs, limbs - width, width * sizeof *limbs) != 0) {
            if (open_handle(call, limbs, n_limbs, &call->moduli[call->n_moduli]) != TCL_OK)
                return TCL_ERROR;
            call->n_moduli++;
        }
        call->modulus_of[i] = (uint32_t)(call->n_moduli - 1);
    }
    return TCL_OK;
}

/* Reads products, each a list of bases and exponents in turn; one of them, or `n_lists` with their ends. */
static int pairs_get(Call *call, Tcl_Obj *const lists[], size_t n_lists, int is_list, int flags, const Number *modulus, Operand *operand)
{
    Tcl_Interp *const interp = call->interp;
    Tcl_Size n_items;
    Tcl_Obj **items, **all = NULL, **longer;
    size_t total = 0, room = 0, i, j;
    int code = TCL_ERROR;

    if ((operand->ends = zeros(interp, n_lists, 1, sizeof *operand->ends)) == NULL)
        return TCL_ERROR;
    /* All numbers are held before one is read: reading may change what a list is made of. */
    for (i = 0; i < n_lists; i++) {
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
        operand->ends[i] = total / 2;
    }
    if (rows_get(interp, all, total / 2, 2, flags & REDUCED ? modulus : NULL, PINGALA_NEGATIVE_BASE, &operand->rows) == TCL_OK)
        code = rows_get(interp, all ? all + 1 : NULL, total / 2, 2, NULL, PINGALA_NEGATIVE_EXPONENT, &operand->exponents);
done:
    while (total-- > 0)
        Tcl_DecrRefCount(all[total]);
    free(all);
    return code;
}

static int number_operand(Call *call, const CallRow *row, int i, Tcl_Obj *value)
{
    Number *number = &call->operands[i].number;
    const int flags = row->operands[i];

    if (number_get(call->interp, value, number) != TCL_OK) {
        number->limbs = number->short_limbs;
        return TCL_ERROR;
    }
    if (number->negative && flags & (NATURAL | MODULUS))
        return fail_of(call, row, i, negative_code(flags), flags & MODULUS ? " is negative; give its absolute value" : " is negative");
    if (number->negative && flags & (BASE_SIGN | EXPONENT_SIGN))
        call->flags |= mark_of(flags);
    else if (number->negative)
        number->n_limbs = 0;
    return TCL_OK;
}

static int operand_get(Call *call, const CallRow *row, int i, Tcl_Obj *value, const Number *modulus)
{
    Operand *operand = &call->operands[i];
    const int flags = row->operands[i];
    Tcl_WideInt count;
    Tcl_Size length, n_lists;
    Tcl_Obj **lists;
    int code;

    switch (flags & KIND) {
    case NUMBER:
        return number_operand(call, row, i, value);
    case COUNT:
        if (Tcl_GetWideIntFromObj(call->interp, value, &count) != TCL_OK || count < 0)
            return fail_of(call, row, i, "bad_argument", " must be an integer from 0 on");
        operand->count = (uint64_t)count;
        return TCL_OK;
    case TEXT:
        operand->text = Tcl_GetStringFromObj(value, &length);
        operand->length = (size_t)length;
        return TCL_OK;
    case HANDLE:
        if (number_operand(call, row, i, value) != TCL_OK)
            return TCL_ERROR;
        code = open_modulus(call->interp, &operand->number, call->settings.factors, call->settings.options, &call->opened);
        call->modulus = call->opened;
        return code;
    case PAIRS:
        return pairs_get(call, &value, 1, 0, flags, modulus, operand);
    case PAIR_LISTS:
        /* A copy, because one of its elements may be this value, which reading that one would change. */
        value = Tcl_DuplicateObj(value);
        Tcl_IncrRefCount(value);
        code = Tcl_ListObjGetElements(call->interp, value, &n_lists, &lists);
        operand->count = code == TCL_OK ? (uint64_t)n_lists : 0;
        if (code == TCL_OK)
            code = pairs_get(call, lists, (size_t)n_lists, 1, flags, modulus, operand);
        Tcl_DecrRefCount(value);
        return code;
    default:
        if (list_get(call->interp, value, flags & REDUCED ? modulus : NULL, mark_of(flags), &operand->rows) != TCL_OK)
            return TCL_ERROR;
        return check_rows(call, row, i, flags, &operand->rows);
    }
}

/* Makes `count` rows of one. */
static int repeat(Call *call, Rows *rows, size_t count)
{
    uint64_t *limbs = zeros(call->interp, count, rows->width, sizeof *limbs);
    uint8_t *signs = limbs ? zeros(call->interp, count, 1, 1) : NULL;
    size_t i;

    for (i = 0; signs && i < count; i++) {
        memcpy(limbs + i * rows->width, rows->limbs, rows->width * sizeof *limbs);
        signs[i] = rows->signs[0];
    }
    if (signs == NULL) {
        free(limbs);
        return TCL_ERROR;
    }
    free(rows->limbs);
    free(rows->signs);
    rows->limbs = limbs;
    rows->signs = signs;
    rows->count = count;
    return TCL_OK;
}

/* The elements of an operand; SIZE_MAX if it has none, or one for all. */
static size_t elements_of(const CallRow *row, const Operand *operand, int i)
{
    const int flags = row->operands[i], kind = flags & KIND;

    if (kind == PAIR_LISTS)
        return (size_t)operand->count;
    if (kind == PAIRS)
        return operand->rows.count;
    if (kind != LIST && kind != MODULI)
        return SIZE_MAX;
    return operand->rows.count == 1 && flags & (ONE_FOR_ALL | REPEATED) ? SIZE_MAX : operand->rows.count;
}

/* Sets the number of elements, which all lists have, and their flags. */
static int lists_meet(Call *call, const CallRow *row)
{
    size_t j, n_flags;
    int i, first = -1, lists = 0;

    for (i = 0; i < call->n_operands; i++) {
        const int kind = row->operands[i] & KIND;
        const size_t count = elements_of(row, &call->operands[i], i);

        lists |= kind == LIST || kind == PAIRS || kind == PAIR_LISTS || kind == MODULI;
        if (count == SIZE_MAX)
            continue;
        if (first < 0) {
            first = i;
            call->count = count;
        } else if (count != call->count) {
            Tcl_Obj *text = Tcl_ObjPrintf("%ld ", (long)call->count);

            append_name(text, row, first);
            Tcl_AppendPrintfToObj(text, ", but %ld ", (long)count);
            append_name(text, row, i);
            Tcl_SetObjResult(call->interp, text);
            return fail(call->interp, "bad_argument", NULL);
        }
    }
    if (!lists)
        return TCL_OK;
    if (first < 0)
        call->count = 1;
    n_flags = call->count;
    for (i = 0; i < call->n_operands; i++) {
        Rows *rows = &call->operands[i].rows;
        const int flags = row->operands[i], kind = flags & KIND;

        if (kind == PAIR_LISTS)
            n_flags = rows->count;
        if ((flags & REPEATED || kind == MODULI) && rows->count == 1 && call->count != 1 && repeat(call, rows, call->count) != TCL_OK)
            return TCL_ERROR;
        if (kind == MODULI && open_moduli(call, rows) != TCL_OK)
            return TCL_ERROR;
    }
    if ((call->signs = zeros(call->interp, n_flags, 1, 1)) == NULL)
        return TCL_ERROR;
    for (i = 0; i < call->n_operands; i++) {
        const Operand *operand = &call->operands[i];
        const int kind = row->operands[i] & KIND;

        for (j = 0; (kind == LIST || kind == PAIRS || kind == PAIR_LISTS) && j < n_flags && operand->rows.count == n_flags; j++)
            call->signs[j] |= operand->rows.signs[j] | (operand->exponents.signs ? operand->exponents.signs[j] : 0);
    }
    return TCL_OK;
}

static void call_free(Call *call)
{
    size_t j;
    int i;

    for (i = 0; i < call->n_operands; i++) {
        number_free(&call->operands[i].number);
        rows_free(&call->operands[i].rows);
        rows_free(&call->operands[i].exponents);
        free(call->operands[i].ends);
    }
    for (j = 0; j < call->n_moduli; j++)
        pingala_modulus_free(call->moduli[j]);
    free(call->moduli);
    free(call->modulus_of);
    free(call->signs);
    free(call->out);
    free(call->each);
    free(call->text);
    pingala_modulus_free(call->opened);
    settings_free(&call->settings);
}

/* Only what is read before it is written is set: the room for short numbers is long. */
static void call_init(Call *call, Tcl_Interp *interp, pingala_modulus *modulus, int n_operands, uint64_t otherwise)
{
    int i;

    call->interp = interp;
    call->modulus = modulus;
    call->opened = NULL;
    call->n_operands = n_operands;
    for (i = 0; i < n_operands; i++) {
        Operand *operand = &call->operands[i];

        operand->number.limbs = operand->number.short_limbs;
        operand->number.n_limbs = 0;
        operand->number.negative = 0;
        memset(&operand->rows, 0, sizeof operand->rows);
        memset(&operand->exponents, 0, sizeof operand->exponents);
        operand->ends = NULL;
        operand->count = otherwise;
    }
    call->flags = 0;
    call->count = call->n_moduli = call->width = call->n_rows = call->needed = 0;
    call->signs = NULL;
    call->moduli = NULL;
    call->modulus_of = NULL;
    call->out = NULL;
    call->each = NULL;
    call->text = NULL;
    call->why[0] = 0;
}

int call_run(Tcl_Interp *interp, const CallRow *row, pingala_modulus *modulus, int planned, int objc, Tcl_Obj *const objv[], int at)
{
    Number reduced; /* the modulus, by which long elements are reduced */
    int n_operands = 0, given, code = TCL_OK, i, reduces = 0;
    Call call;

    while (n_operands < MOST_OPERANDS && row->operands[n_operands])
        reduces |= row->operands[n_operands++] & REDUCED;
    given = n_operands;
    /* Options come in pairs, so that their number says whether the last operand was given. */
    if (n_operands > 0 && row->operands[n_operands - 1] & OPTIONAL && (objc - at - n_operands < 0 || (objc - at - n_operands) % 2 != 0))
        given--;
    if (objc - at < given || (objc - at > given && (!row->options || Tcl_GetString(objv[at + given])[0] != '-'))) {
        Tcl_WrongNumArgs(interp, at, objv, row->usage);
        return TCL_ERROR;
    }
    if (settings_get(interp, objc, objv, at + given, row->options, &call.settings) != TCL_OK)
        return TCL_ERROR;
    call.settings.planned = planned;
    call_init(&call, interp, modulus, n_operands, row->otherwise);
    reduced.limbs = NULL;
    reduced.n_limbs = 0;
    if (modulus)
        call.width = pingala_modulus_width_limbs(modulus);
    if (reduces) {
        reduced.n_limbs = call.width;
        reduced.limbs = zeros(interp, 1, call.width, sizeof *reduced.limbs);
        code = TCL_ERROR;
        if (reduced.limbs)
            code = call_outcome(&call, pingala_modulus_value_limbs(modulus, reduced.limbs, call.width, call.why, sizeof call.why));
    }
    for (i = 0; code == TCL_OK && i < given; i++)
        code = operand_get(&call, row, i, objv[at + i], &reduced);
    if (code == TCL_OK && call.opened)
        call.width = pingala_modulus_width_limbs(call.opened);
    if (code == TCL_OK && (code = lists_meet(&call, row)) == TCL_OK)
        code = planned ? row->plan(&call) : row->make(&call);
    free(reduced.limbs);
    call_free(&call);
    return code;
}

uint64_t *call_room(Call *call, size_t width, size_t n_rows)
{
    free(call->out);
    call->out = NULL;
    call->width = width;
    call->n_rows = n_rows;
    if (call->settings.errors_returned && call->each == NULL
        && (call->each = zeros(call->interp, n_rows, 1, sizeof *call->each)) == NULL)
        return NULL;
    return call->out = zeros(call->interp, n_rows, width, sizeof *call->out);
}

char *call_text_room(Call *call, size_t length)
{
    free(call->text);
    return call->text = zeros(call->interp, length, 1, 1);
}

int call_outcome(Call *call, int32_t status)
{
    return outcome(call->interp, status, call->why);
}

int call_number(Call *call, int32_t status)
{
    if (status == PINGALA_OK)
        Tcl_SetObjResult(call->interp, number_new(call->out, call->width));
    return call_outcome(call, status);
}

int call_numbers(Call *call, int32_t status, size_t count)
{
    return give_list(call->interp, status, call->why, call->out, call->width, count, NULL);
}

int call_list(Call *call, int32_t status)
{
    return give_list(call->interp, status, call->why, call->out, call->width, call->count, call->each);
}

int call_integer(Call *call, int32_t status, int64_t answer)
{
    if (status == PINGALA_OK)
        Tcl_SetObjResult(call->interp, Tcl_NewWideIntObj((Tcl_WideInt)answer));
    return call_outcome(call, status);
}

static int integers(Call *call, int32_t status, int bytes)
{
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    size_t i;

    for (i = 0; i < call->count; i++)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewIntObj(bytes ? call->text[i] : (int)call->each[i]));
    Tcl_SetObjResult(call->interp, list);
    return call_outcome(call, status);
}

int call_symbols(Call *call, int32_t status)
{
    return integers(call, status, 0);
}

int call_bytes(Call *call, int32_t status)
{
    return integers(call, status, 1);
}

int call_text(Call *call, int32_t status)
{
    if (status == PINGALA_OK)
        Tcl_SetObjResult(call->interp, Tcl_NewStringObj(call->text, -1));
    return call_outcome(call, status);
}

int call_estimate(Call *call, int32_t status, double tests, double seconds)
{
    Tcl_Obj *const items[] = {Tcl_NewStringObj("tests", -1), Tcl_NewDoubleObj(tests), Tcl_NewStringObj("seconds", -1),
                              Tcl_NewDoubleObj(seconds)};

    Tcl_SetObjResult(call->interp, Tcl_NewListObj(4, items));
    return call_outcome(call, status);
}
