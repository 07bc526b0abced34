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
    Tcl_WideInt table_bytes, uses;
    int errors_returned;
    int planned; /* 0 to compute, 1 for the plan, 2 for its explanation */
} Settings;

/* The commands that an option is for. */
enum { LISTS = 1, FACTORS = 2, TABLES = 4 };

/* Reads the options from objv[from] on; `allowed` says which there may be. On TCL_ERROR there is nothing to free. */
int settings_get(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int from, int allowed, Settings *settings);
void settings_free(Settings *settings);

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
int open_modulus(Tcl_Interp *interp, const Number *value, Tcl_Obj *factors, pingala_modulus **handle);

/* Makes a command that is named by its kind and a number, and the name the result. */
Tcl_Command new_command(Tcl_Interp *interp, const char *kind, Tcl_ObjCmdProc *procedure, void *data, Tcl_CmdDeleteProc *deleted);

/* How numbers are read and made. */
typedef struct {
    int (*get)(Tcl_Interp *interp, Tcl_Obj *value, Number *number);
    Tcl_Obj *(*give)(const uint64_t *limbs, size_t n_limbs);
} Form;

/* As tcllib's math::bignum has them. */
extern const Form bignum;

/* pingala::fixedbase */
int fixed_base_command(ARGUMENTS);

/* pingala::dsa, where the data is not NULL, and pingala::rsa */
int signature_command(ARGUMENTS);

#endif
