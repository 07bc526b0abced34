/* Integers of Tcl as limbs, and back. */

#ifndef PINGALA_TCL_NUMBER_H
#define PINGALA_TCL_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <tcl.h>
#include <tclTomMath.h>

#ifndef TCL_SIZE_MAX
typedef int Tcl_Size; /* Tcl 8 counts elements by int */
#endif

/* A number in memory of its own: the magnitude, least significant limb first, and the sign. `short_limbs` saves an allocation. */
typedef struct {
    uint64_t *limbs;
    size_t n_limbs;
    int negative;
    uint64_t short_limbs[64];
} Number;

/* Rows of one width, as the C library takes lists; `signs` has a byte of flags for each row. */
typedef struct {
    uint64_t *limbs;
    uint8_t *signs;
    size_t width, count;
} Rows;

int number_init(Tcl_Interp *interp);

/* Reads an integer. On TCL_ERROR there is nothing to free, and the errorCode is {PINGALA not_a_number}. */
int number_get(Tcl_Interp *interp, Tcl_Obj *value, Number *number);
void number_free(Number *number);
Tcl_Obj *number_new(const uint64_t *limbs, size_t n_limbs);

/* Reads every `step`-th element. `modulus` NULL: the rows are as wide as the longest element; otherwise as wide as the modulus, and
 * what is longer is reduced. `flag` marks negative elements. On TCL_ERROR there is nothing to free. */
int rows_get(Tcl_Interp *interp, Tcl_Obj *const values[], size_t count, size_t step, const Number *modulus, uint8_t flag, Rows *rows);
/* Reads all elements of a list, as rows_get does. */
int list_get(Tcl_Interp *interp, Tcl_Obj *list, const Number *modulus, uint8_t flag, Rows *rows);
void rows_free(Rows *rows);
Tcl_Obj *rows_list(const uint64_t *limbs, size_t width, size_t count);

/* count * width items of `size` bytes, zeros; NULL with the error in `interp` if there is no memory. */
void *zeros(Tcl_Interp *interp, size_t count, size_t width, size_t size);

/* Sets the errorCode {PINGALA code}; `message` NULL leaves the result as it is. Returns TCL_ERROR. */
int fail(Tcl_Interp *interp, const char *code, const char *message);

#endif
