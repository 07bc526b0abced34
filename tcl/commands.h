/* What the files of the extension share beside numbers. */

#ifndef PINGALA_TCL_COMMANDS_H
#define PINGALA_TCL_COMMANDS_H

#include "number.h"

#include <pingala.h>

#define ARGUMENTS ClientData data, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]
#define WHY char why[300] = ""
#define WHY_ROOM why, sizeof why

/* The options of a command. */
typedef struct {
    pingala_options *options; /* NULL without any option */
    Tcl_Obj *factors;
    Tcl_Obj *path;          /* of a checkpoint, or NULL */
    const char *checkpoint; /* the same for the library */
    Tcl_WideInt table_bytes, proof_bytes, uses, every, modulus_bits, exponent_bits;
    uint32_t conditions; /* of a random prime */
    int allowed; /* the options that there may be */
    int errors_returned;
    int planned; /* 0 to compute, 1 for the plan, 2 for its explanation */
} Settings;

/* Which options there may be. */
enum {
    OPTION_THREADS = 1,
    OPTION_MEMORY = 2,
    OPTION_USES = 4,
    OPTION_ERRORS = 8,
    OPTION_FACTORS = 16,
    OPTION_KERNEL = 32,
    OPTION_PLAN = 64,
    OPTION_TIMEOUT = 128,
    OPTION_MAX_MODULUS_BITS = 256,
    OPTION_MAX_EXPONENT_BITS = 512,
    OPTION_ROUNDS = 1024,
    OPTION_RESIDUE = 2048,
    OPTION_CHECKPOINT = 4096,
    OPTION_CONDITIONS = 8192,
    TABLES = OPTION_THREADS | OPTION_MEMORY | OPTION_USES | OPTION_KERNEL | OPTION_PLAN | OPTION_TIMEOUT
};

/* Reads the options from objv[from] on; `allowed` says which there may be. On TCL_ERROR there is nothing to free. */
int settings_get(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int from, int allowed, Settings *settings);
void settings_free(Settings *settings);

/* The path of a file for the library, or NULL with the error in `interp`. The result lives as long as `name`. */
const char *path_of(Tcl_Interp *interp, Tcl_Obj *name);

/* TCL_OK, or TCL_ERROR with the name of the status and the message in `interp`. */
int outcome(Tcl_Interp *interp, int32_t status, const char *why);

/* Gives the result of a call that wrote `width` limbs to `out`, and frees them. */
int give(Tcl_Interp *interp, int32_t status, const char *why, uint64_t *out, size_t width);

/* The same for a list; where `each` is not NULL, elements with an error are names of statuses. Nothing is freed. */
int give_list(Tcl_Interp *interp, int32_t status, const char *why, const uint64_t *out, size_t width, size_t count,
              const int32_t *each);

/* `base` and `exponent` may be NULL. */
uint32_t signs_of(const Number *base, const Number *exponent);

/* The handle of a modulus; `factors` NULL, or the list p k p k ... of its factors with their multiplicities. */
int open_modulus(Tcl_Interp *interp, const Number *value, Tcl_Obj *factors, const pingala_options *options, pingala_modulus **handle);

/* Makes a command that is named by its kind and a number, and the name the result. */
Tcl_Command new_command(Tcl_Interp *interp, const char *kind, Tcl_ObjCmdProc *procedure, void *data, Tcl_CmdDeleteProc *deleted);

/* pingala::bignum::powm */
int bignum_command(ARGUMENTS);

/* pingala::fixedbase */
int fixed_base_command(ARGUMENTS);

/* pingala::dsa, where the data is not NULL, and pingala::rsa */
int signature_command(ARGUMENTS);

#endif
