/* The options of commands. An option is a function and a row of the table. */

#include "commands.h"

#include <string.h>

void settings_free(Settings *settings)
{
    pingala_options_free(settings->options);
    if (settings->path)
        Tcl_DecrRefCount(settings->path);
}

/* An integer from 0 on. */
static int count_get(Tcl_Interp *interp, Tcl_Obj *value, Tcl_WideInt *count)
{
    if (Tcl_GetWideIntFromObj(interp, value, count) == TCL_OK && *count >= 0)
        return TCL_OK;
    return fail(interp, "bad_argument", "the number of an option must be an integer from 0 on");
}

static int set_threads(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    Tcl_WideInt count;

    return count_get(interp, value, &count) == TCL_OK && pingala_options_set_threads(settings->options, (size_t)count) == PINGALA_OK
        ? TCL_OK : TCL_ERROR;
}

static int set_memory(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    if (count_get(interp, value, &settings->table_bytes) != TCL_OK)
        return TCL_ERROR;
    settings->proof_bytes = settings->table_bytes;
    /* That of a proof is no limit of the powers in it. */
    if (settings->allowed & OPTION_CHECKPOINT)
        return TCL_OK;
    return pingala_options_set_memory(settings->options, (uint64_t)settings->table_bytes) == PINGALA_OK ? TCL_OK : TCL_ERROR;
}

static int set_timeout(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    Tcl_WideInt milliseconds;

    return count_get(interp, value, &milliseconds) == TCL_OK
            && pingala_options_set_timeout(settings->options, (uint64_t)milliseconds) == PINGALA_OK
        ? TCL_OK : TCL_ERROR;
}

static int set_uses(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return count_get(interp, value, &settings->uses);
}

static int set_errors(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    static const char *const ways[] = {"raise", "return", NULL};

    return Tcl_GetIndexFromObj(interp, value, ways, "way", 0, &settings->errors_returned);
}

static int set_factors(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    (void)interp;
    settings->factors = value;
    return TCL_OK;
}

static int set_text(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings, int32_t (*set)(pingala_options *, const char *))
{
    return set(settings->options, Tcl_GetString(value)) == PINGALA_OK ? TCL_OK : fail(interp, "bad_argument", "a text is not UTF-8");
}

static int set_kernel(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_text(interp, value, settings, pingala_options_set_kernel);
}

static int set_plan(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_text(interp, value, settings, pingala_options_set_plan);
}

static int set_limit(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings, Tcl_WideInt *limit)
{
    if (count_get(interp, value, limit) != TCL_OK)
        return TCL_ERROR;
    pingala_options_set_limits(settings->options, (uint64_t)settings->modulus_bits, (uint64_t)settings->exponent_bits);
    return TCL_OK;
}

static int set_max_modulus_bits(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_limit(interp, value, settings, &settings->modulus_bits);
}

static int set_max_exponent_bits(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_limit(interp, value, settings, &settings->exponent_bits);
}

static int set_rounds(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    Tcl_WideInt rounds;

    if (count_get(interp, value, &rounds) != TCL_OK)
        return TCL_ERROR;
    if (rounds > UINT32_MAX)
        return fail(interp, "bad_argument", "there are too many rounds");
    pingala_options_set_prime_rounds(settings->options, (uint32_t)rounds);
    return TCL_OK;
}

/* {r q}: primes are r modulo q. */
static int set_residue(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    int code = TCL_ERROR;
    Rows rows;

    if (list_get(interp, value, NULL, 1, &rows) != TCL_OK)
        return TCL_ERROR;
    if (rows.count != 2 || rows.signs[0] || rows.signs[1])
        fail(interp, "bad_argument", "-residue needs a list of a residue and a divisor, which are not negative");
    else
        code = outcome(interp, pingala_options_set_prime_residue_limbs(settings->options, rows.limbs, rows.width, rows.limbs + rows.width,
                                                                       rows.width), "-residue: a number is too long");
    rows_free(&rows);
    return code;
}

const char *path_of(Tcl_Interp *interp, Tcl_Obj *name)
{
    const char *path = NULL;

    if (Tcl_IsSafe(interp))
        fail(interp, "bad_file", "a safe interpreter has no files");
    else if (Tcl_FSConvertToPathType(interp, name) == TCL_OK && (path = Tcl_FSGetNativePath(name)) == NULL)
        fail(interp, "bad_file", "the file system of this path is not the native one");
    return path;
}

static int set_checkpoint(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    if (settings->path)
        Tcl_DecrRefCount(settings->path);
    /* A copy, because the path is gone when the value is read as a number. */
    settings->path = Tcl_DuplicateObj(value);
    Tcl_IncrRefCount(settings->path);
    return (settings->checkpoint = path_of(interp, settings->path)) != NULL ? TCL_OK : TCL_ERROR;
}

static int set_every(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return count_get(interp, value, &settings->every);
}

static int set_condition(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings, uint32_t flag)
{
    int wanted;

    if (Tcl_GetBooleanFromObj(interp, value, &wanted) != TCL_OK)
        return fail(interp, "bad_argument", NULL);
    settings->conditions = wanted ? settings->conditions | flag : settings->conditions & ~flag;
    return TCL_OK;
}

static int set_safe(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_condition(interp, value, settings, PINGALA_SAFE_PRIME);
}

static int set_two_top_bits(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_condition(interp, value, settings, PINGALA_TWO_TOP_BITS);
}

static int set_uniform(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings)
{
    return set_condition(interp, value, settings, PINGALA_UNIFORM_PRIME);
}

static const struct {
    const char *name;
    int flag;
    int (*set)(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings);
} options[] = {
    {"-threads", OPTION_THREADS, set_threads},
    {"-memory", OPTION_MEMORY, set_memory},
    {"-uses", OPTION_USES, set_uses},
    {"-errors", OPTION_ERRORS, set_errors},
    {"-factors", OPTION_FACTORS, set_factors},
    {"-kernel", OPTION_KERNEL, set_kernel},
    {"-plan", OPTION_PLAN, set_plan},
    {"-timeout", OPTION_TIMEOUT, set_timeout},
    {"-max_modulus_bits", OPTION_MAX_MODULUS_BITS, set_max_modulus_bits},
    {"-max_exponent_bits", OPTION_MAX_EXPONENT_BITS, set_max_exponent_bits},
    {"-rounds", OPTION_ROUNDS, set_rounds},
    {"-residue", OPTION_RESIDUE, set_residue},
    {"-checkpoint", OPTION_CHECKPOINT, set_checkpoint},
    {"-every", OPTION_CHECKPOINT, set_every},
    {"-safe", OPTION_CONDITIONS, set_safe},
    {"-two_top_bits", OPTION_CONDITIONS, set_two_top_bits},
    {"-uniform", OPTION_CONDITIONS, set_uniform},
    {NULL, 0, NULL},
};

int settings_get(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int from, int allowed, Settings *settings)
{
    int i, which;

    memset(settings, 0, sizeof *settings);
    settings->table_bytes = 1 << 18;
    settings->every = 60000;
    settings->allowed = allowed;
    if (from < objc && pingala_options_new(&settings->options, NULL, 0) != PINGALA_OK)
        return fail(interp, "other", "the library cannot make options");
    for (i = from; i < objc; i += 2) {
        if (Tcl_GetIndexFromObjStruct(interp, objv[i], options, sizeof *options, "option", 0, &which) != TCL_OK)
            break;
        if (!(options[which].flag & allowed) || i + 1 == objc) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("%s %s", options[which].name,
                                                   i + 1 == objc ? "needs a value" : "is not for this command"));
            fail(interp, "bad_argument", NULL);
            break;
        }
        if (options[which].set(interp, objv[i + 1], settings) != TCL_OK)
            break;
    }
    if (i >= objc)
        return TCL_OK;
    settings_free(settings);
    return TCL_ERROR;
}
