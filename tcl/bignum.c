/* Numbers as tcllib's math::bignum has them: the list {bignum SIGN W W ...} of 16-bit words, least significant first. */

#include "commands.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 4 }; /* of a limb */

/* Reads the list; also the plain 0 and 1 that tcllib accepts, and any other integer. */
static int bignum_get(Tcl_Interp *interp, Tcl_Obj *value, Number *number)
{
    Tcl_Size n_items, i;
    Tcl_Obj **items;
    int word;

    if (Tcl_ListObjGetElements(interp, value, &n_items, &items) != TCL_OK)
        return fail(interp, "not_a_number", NULL);
    if (n_items == 1)
        return number_get(interp, items[0], number);
    if (n_items < 3 || strcmp(Tcl_GetString(items[0]), "bignum") != 0 || Tcl_GetIntFromObj(NULL, items[1], &word) != TCL_OK)
        return fail(interp, "not_a_number", "expected a number of math::bignum");
    number->negative = word != 0;
    number->n_limbs = ((size_t)n_items - 2 + WORDS - 1) / WORDS;
    number->limbs = number->short_limbs;
    memset(number->short_limbs, 0, sizeof number->short_limbs);
    if (number->n_limbs > sizeof number->short_limbs / sizeof *number->short_limbs
        && (number->limbs = zeros(interp, number->n_limbs, 1, sizeof *number->limbs)) == NULL)
        return TCL_ERROR;
    for (i = 0; i < n_items - 2; i++) {
        if (Tcl_GetIntFromObj(NULL, items[i + 2], &word) != TCL_OK || word < 0 || word > 0xffff) {
            number_free(number);
            return fail(interp, "not_a_number", "a word of a math::bignum number is not from 0 to 65535");
        }
        number->limbs[i / WORDS] |= (uint64_t)word << (16 * (i % WORDS));
    }
    return TCL_OK;
}

static Tcl_Obj *bignum_new(const uint64_t *limbs, size_t n_limbs)
{
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    size_t n_words = n_limbs * WORDS, i;

    while (n_words > 1 && (limbs[(n_words - 1) / WORDS] >> (16 * ((n_words - 1) % WORDS)) & 0xffff) == 0)
        n_words--;
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj("bignum", -1));
    Tcl_ListObjAppendElement(NULL, list, Tcl_NewIntObj(0));
    for (i = 0; i < n_words; i++)
        Tcl_ListObjAppendElement(NULL, list, Tcl_NewIntObj((int)(limbs[i / WORDS] >> (16 * (i % WORDS)) & 0xffff)));
    return list;
}

/* pingala::bignum::powm base exponent modulus */
int bignum_command(ARGUMENTS)
{
    Number number[3];
    int read = 0, code = TCL_ERROR;
    uint64_t *out;
    int32_t status;
    WHY;

    (void)data;
    if (objc != 4) {
        Tcl_WrongNumArgs(interp, 1, objv, "base exponent modulus");
        return TCL_ERROR;
    }
    while (read < 3 && bignum_get(interp, objv[read + 1], &number[read]) == TCL_OK)
        read++;
    if (read == 3 && number[2].negative)
        fail(interp, "negative_modulus", "the modulus is negative; give its absolute value");
    else if (read == 3 && (out = zeros(interp, number[2].n_limbs, 1, sizeof *out)) != NULL) {
        status = pingala_powmod_limbs(out, number[2].n_limbs, number[0].limbs, number[0].n_limbs, number[1].limbs, number[1].n_limbs,
                                      number[2].limbs, number[2].n_limbs, signs_of(&number[0], &number[1]), NULL, WHY_ROOM);
        if (status == PINGALA_OK)
            Tcl_SetObjResult(interp, bignum_new(out, number[2].n_limbs));
        code = outcome(interp, status, why);
        free(out);
    }
    while (read-- > 0)
        number_free(&number[read]);
    return code;
}
