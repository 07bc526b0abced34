/* Integers of Tcl as limbs, and back, by Tcl's stub functions alone: the length of libtommath's digits is measured, not taken from
 * its header, because the Tcl that loads the package may have been built with another one. docs/records/tcl.md compares the ways. */

#include "number.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <tclTomMathDecls.h>

#if TCL_MAJOR_VERSION > 8
#define low_64_bits mp_get_mag_u64
#else
#define low_64_bits TclBN_mp_get_mag_ull
#endif

/* Set once by number_init, to the same values in every interpreter. */
static const Tcl_ObjType *int_type;
static unsigned digit_bits;

/* Limbs that are converted together in a long number. */
enum { BLOCK = 128 };

int fail(Tcl_Interp *interp, const char *code, const char *message)
{
    if (message)
        Tcl_SetObjResult(interp, Tcl_NewStringObj(message, -1));
    Tcl_SetErrorCode(interp, "PINGALA", code, (char *)NULL);
    return TCL_ERROR;
}

static void check(mp_err error)
{
    if (error != MP_OKAY) /* no memory, for which Tcl panics itself */
        Tcl_Panic("pingala: libtommath reports error %d", (int)error);
}

int number_init(Tcl_Interp *interp)
{
    mp_int one;

    if (Tcl_TomMath_InitStubs(interp, TCL_VERSION) == NULL)
        return TCL_ERROR;
    check(mp_init_size(&one, 2));
    check(mp_add_d(&one, 1, &one));
    check(mp_lshd(&one, 1));
    digit_bits = (unsigned)mp_count_bits(&one) - 1;
    mp_clear(&one);
    int_type = Tcl_GetObjType("int");
    return TCL_OK;
}

/* A copy of the integer, which the caller clears. */
static int open_number(Tcl_Interp *interp, Tcl_Obj *value, mp_int *big)
{
    return Tcl_GetBignumFromObj(interp, value, big) == TCL_OK ? TCL_OK : fail(interp, "not_a_number", NULL);
}

static size_t width_of(const mp_int *big)
{
    return ((size_t)mp_count_bits(big) + 63) / 64;
}

static void take_digits(mp_int *big, uint64_t *limbs, size_t n_limbs)
{
    const uint64_t mask = ((uint64_t)1 << digit_bits) - 1;
    uint64_t carry = 0;
    unsigned carry_bits = 0;
    size_t i = 0;

    while (i < n_limbs) {
        const uint64_t digit = (uint64_t)low_64_bits(big) & mask;

        mp_rshd(big, 1);
        carry |= digit << carry_bits;
        carry_bits += digit_bits;
        if (carry_bits >= 64) { /* so there were bits in `carry` before: a digit has fewer than 64 */
            limbs[i++] = carry;
            carry_bits -= 64;
            carry = digit >> (digit_bits - carry_bits);
        }
    }
}

/* Writes the magnitude of `big`, which it uses up: digit after digit is moved out at the bottom. All others move each time, so what is
 * long is taken in blocks. */
static void take_limbs(mp_int *big, uint64_t *limbs, size_t n_limbs)
{
    mp_int low;

    if (n_limbs > 2 * BLOCK) {
        check(mp_init_size(&low, 1));
        for (; n_limbs > BLOCK; limbs += BLOCK, n_limbs -= BLOCK) {
            check(mp_div_2d(big, BLOCK * 64, big, &low));
            take_digits(&low, limbs, BLOCK);
        }
        mp_clear(&low);
    }
    take_digits(big, limbs, n_limbs);
}

int number_get(Tcl_Interp *interp, Tcl_Obj *value, Number *number)
{
    mp_int big;

    number->limbs = number->short_limbs;
    if (int_type != NULL && value->typePtr == int_type) {
        Tcl_WideInt wide;

        if (Tcl_GetWideIntFromObj(interp, value, &wide) != TCL_OK)
            return fail(interp, "not_a_number", NULL);
        number->negative = wide < 0;
        number->limbs[0] = wide < 0 ? 0 - (uint64_t)wide : (uint64_t)wide;
        number->n_limbs = wide != 0;
        return TCL_OK;
    }
    if (open_number(interp, value, &big) != TCL_OK)
        return TCL_ERROR;
    number->negative = mp_cmp_d(&big, 0) == MP_LT;
    number->n_limbs = width_of(&big);
    if (number->n_limbs > sizeof number->short_limbs / sizeof *number->short_limbs
        && (number->limbs = zeros(interp, number->n_limbs, 1, sizeof *number->limbs)) == NULL) {
        mp_clear(&big);
        return TCL_ERROR;
    }
    take_limbs(&big, number->limbs, number->n_limbs);
    mp_clear(&big);
    return TCL_OK;
}

void number_free(Number *number)
{
    if (number->limbs != number->short_limbs)
        free(number->limbs);
}

/* The opposite of take_digits: digits are added at the bottom, from the highest on. */
static void give_digits(mp_int *big, const uint64_t *limbs, size_t n_limbs)
{
    const uint64_t mask = ((uint64_t)1 << digit_bits) - 1;
    size_t digits = n_limbs * 64 / digit_bits + 1;

    check(mp_init_size(big, (int)digits));
    while (digits-- > 0) {
        const size_t bit = digits * digit_bits, i = bit / 64, shift = bit % 64;
        uint64_t digit = i < n_limbs ? limbs[i] >> shift : 0;

        if (shift + digit_bits > 64 && i + 1 < n_limbs)
            digit |= limbs[i + 1] << (64 - shift);
        check(mp_lshd(big, 1));
        check(mp_add_d(big, (mp_digit)(digit & mask), big));
    }
}

/* The opposite of take_limbs. */
static void give_limbs(mp_int *big, const uint64_t *limbs, size_t n_limbs)
{
    const size_t whole = n_limbs > 2 * BLOCK ? n_limbs - n_limbs % BLOCK : 0;
    size_t done;
    mp_int low;

    give_digits(big, limbs + whole, n_limbs - whole);
    for (done = whole; done > 0; done -= BLOCK) {
        give_digits(&low, limbs + done - BLOCK, BLOCK);
        check(mp_mul_2d(big, BLOCK * 64, big));
        check(mp_add(big, &low, big));
        mp_clear(&low);
    }
}

Tcl_Obj *number_new(const uint64_t *limbs, size_t n_limbs)
{
    mp_int big;

    while (n_limbs > 0 && limbs[n_limbs - 1] == 0)
        n_limbs--;
    if (n_limbs == 0 || (n_limbs == 1 && limbs[0] <= INT64_MAX))
        return Tcl_NewWideIntObj(n_limbs == 0 ? 0 : (Tcl_WideInt)limbs[0]);
    give_limbs(&big, limbs, n_limbs);
    return Tcl_NewBignumObj(&big); /* it takes the memory of `big` */
}

static size_t longest(Tcl_Obj *const values[], size_t count, size_t step)
{
    size_t width = 1, i;
    mp_int big;

    for (i = 0; i < count; i++)
        if (Tcl_GetBignumFromObj(NULL, values[i * step], &big) == TCL_OK) {
            const size_t limbs = width_of(&big);

            width = limbs > width ? limbs : width;
            mp_clear(&big);
        }
    return width;
}

int rows_get(Tcl_Interp *interp, Tcl_Obj *const values[], size_t count, size_t step, const Number *modulus, uint8_t flag, Rows *rows)
{
    size_t i;

    rows->count = count;
    rows->width = modulus ? modulus->n_limbs : longest(values, count, step);
    rows->signs = zeros(interp, count, 1, 1);
    rows->limbs = rows->signs ? zeros(interp, count, rows->width, sizeof *rows->limbs) : NULL;
    for (i = 0; rows->limbs && i < count; i++) {
        mp_int big, divisor;

        if (open_number(interp, values[i * step], &big) != TCL_OK)
            break;
        if (width_of(&big) > rows->width) {
            give_limbs(&divisor, modulus->limbs, modulus->n_limbs);
            check(mp_mod(&big, &divisor, &big));
            mp_clear(&divisor);
        }
        if (mp_cmp_d(&big, 0) == MP_LT)
            rows->signs[i] = flag;
        take_limbs(&big, rows->limbs + i * rows->width, rows->width);
        mp_clear(&big);
    }
    if (rows->limbs && i == count)
        return TCL_OK;
    rows_free(rows);
    return TCL_ERROR;
}

int list_get(Tcl_Interp *interp, Tcl_Obj *list, const Number *modulus, uint8_t flag, Rows *rows)
{
    Tcl_Obj **items;
    Tcl_Size n_items;

    if (Tcl_ListObjGetElements(interp, list, &n_items, &items) != TCL_OK)
        return TCL_ERROR;
    return rows_get(interp, items, (size_t)n_items, 1, modulus, flag, rows);
}

void rows_free(Rows *rows)
{
    free(rows->limbs);
    free(rows->signs);
    memset(rows, 0, sizeof *rows);
}

Tcl_Obj *rows_list(const uint64_t *limbs, size_t width, size_t count)
{
    Tcl_Obj *list = Tcl_NewListObj(0, NULL);
    size_t i;

    for (i = 0; i < count; i++)
        Tcl_ListObjAppendElement(NULL, list, number_new(limbs + i * width, width));
    return list;
}

void *zeros(Tcl_Interp *interp, size_t count, size_t width, size_t size)
{
    void *memory = width == 0 || count <= SIZE_MAX / 2 / size / width ? calloc(count * width + 1, size) : NULL;

    if (memory == NULL) {
        Tcl_SetObjResult(interp, Tcl_NewStringObj("pingala: not enough memory", -1));
        Tcl_SetErrorCode(interp, "TCL", "MEMORY", (char *)NULL);
    }
    return memory;
}
