/* Calls that border/calls.toml describes: generated_calls.c has a function and a row for each, and calls.c does what all of them need. */

#ifndef PINGALA_TCL_CALLS_H
#define PINGALA_TCL_CALLS_H

#include "commands.h"

/* What an operand is, and the flags of one. */
enum {
    NUMBER = 1,
    COUNT,      /* an integer from 0 on */
    TEXT,
    LIST,
    MODULI,     /* a modulus for each element, or one for all */
    HANDLE,     /* a number whose handle is that of the call */
    PAIRS,      /* a list of base and exponent, in turn */
    PAIR_LISTS, /* a list of these */
    KIND = 15,
    BASE_SIGN = 16,      /* PINGALA_NEGATIVE_BASE marks what is negative; without a mark it is taken as 0 */
    EXPONENT_SIGN = 32,
    NATURAL = 64,        /* what is negative is an error */
    MODULUS = 128,       /* and the error is negative_modulus */
    REDUCED = 256,       /* elements are as wide as the modulus */
    ONE_FOR_ALL = 512,   /* a list of one number is that of all elements: the library takes it so, or */
    REPEATED = 1024,     /* it is repeated */
    OPTIONAL = 2048      /* the last operand may be left out */
};

enum { MOST_OPERANDS = 4 };

typedef struct {
    Number number;
    Rows rows, exponents; /* `exponents` of pairs only */
    uint64_t *ends;       /* of pair lists: where each product ends */
    uint64_t count;
    const char *text;
    size_t length;
} Operand;

typedef struct {
    Tcl_Interp *interp;
    pingala_modulus *modulus, *opened; /* of the method; that of a HANDLE, which the call frees */
    Operand operands[MOST_OPERANDS];
    int n_operands;
    size_t count;    /* of elements */
    uint32_t flags;  /* of numbers that are negative */
    uint8_t *signs;  /* the flags of each element */
    pingala_modulus **moduli;
    uint32_t *modulus_of;
    size_t n_moduli;
    Settings settings;
    uint64_t *out;   /* rows of `width` limbs */
    size_t width, n_rows;
    int32_t *each;   /* a status or a symbol for each element */
    char *text;      /* or bytes */
    size_t needed;
    char why[300];
} Call;

/* The first member is what Tcl_GetIndexFromObjStruct looks for. */
typedef struct {
    const char *name, *usage;
    int operands[MOST_OPERANDS];
    uint64_t otherwise; /* the count that may be left out */
    int options;
    int (*make)(Call *call);
    int (*plan)(Call *call);
    int explains; /* whether the plan has an explanation */
} CallRow;

/* The commands and the methods of a modulus; a row without a name ends them. */
extern const CallRow command_rows[], modulus_rows[];

/* Makes a call: its operands stand from objv[at] on. `planned` is 0, or 1 for its plan, or 2 for its explanation. */
int call_run(Tcl_Interp *interp, const CallRow *row, pingala_modulus *modulus, int planned, int objc, Tcl_Obj *const objv[], int at);

/* Room for `n_rows` rows of `width` limbs; NULL with the error in the interpreter. */
uint64_t *call_room(Call *call, size_t width, size_t n_rows);
/* Room for a text or bytes, in place of the room before. */
char *call_text_room(Call *call, size_t length);
/* The error of a call that failed, TCL_OK otherwise. */
int call_outcome(Call *call, int32_t status);
/* Each of these gives an answer. */
int call_number(Call *call, int32_t status);
int call_numbers(Call *call, int32_t status, size_t count);
int call_list(Call *call, int32_t status);
int call_integer(Call *call, int32_t status, int64_t answer);
int call_symbols(Call *call, int32_t status);
int call_bytes(Call *call, int32_t status);
int call_text(Call *call, int32_t status);
int call_estimate(Call *call, int32_t status, double tests, double seconds);


#endif
