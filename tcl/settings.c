/* The options of commands. An option is a function and a row of the table. */

#include "commands.h"

#include <string.h>

void settings_free(Settings *settings)
{
    pingala_options_free(settings->options);
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
    return count_get(interp, value, &settings->table_bytes) == TCL_OK
            && pingala_options_set_memory(settings->options, (uint64_t)settings->table_bytes) == PINGALA_OK
        ? TCL_OK : TCL_ERROR;
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

/* The options, and the commands that each is for. */
static const struct {
    const char *name;
    int commands;
    int (*set)(Tcl_Interp *interp, Tcl_Obj *value, Settings *settings);
} options[] = {
    {"-threads", LISTS | TABLES, set_threads}, {"-memory", LISTS | TABLES, set_memory}, {"-uses", TABLES, set_uses},
    {"-errors", LISTS, set_errors},            {"-factors", FACTORS, set_factors},      {"-kernel", LISTS | TABLES, set_kernel},
    {"-plan", LISTS | TABLES, set_plan},       {"-timeout", LISTS | TABLES, set_timeout},
    {NULL, 0, NULL},
};

int settings_get(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int from, int allowed, Settings *settings)
{
    int i, which;

    memset(settings, 0, sizeof *settings);
    settings->table_bytes = 1 << 18;
    if (from < objc && pingala_options_new(&settings->options, NULL, 0) != PINGALA_OK)
        return fail(interp, "other", "the library cannot make options");
    for (i = from; i < objc; i += 2) {
        if (Tcl_GetIndexFromObjStruct(interp, objv[i], options, sizeof *options, "option", 0, &which) != TCL_OK)
            break;
        if (!(options[which].commands & allowed) || i + 1 == objc) {
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
