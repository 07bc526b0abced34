/* Signatures and keys: pingala::dsa verify, verify_list, explain, validate, weaknesses, and pingala::rsa the same. */

#include "commands.h"

#include <stdlib.h>
#include <string.h>

static const char *const hashes[] = {"sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256", "sha3_224",
                                     "sha3_256", "sha3_384", "sha3_512", NULL};

/* What the options say. */
typedef struct {
    uint32_t scheme;
    int prehashed;
    Tcl_Obj *reason; /* the name of a variable, or NULL */
    pingala_options *options;
} Wanted;

/* The bytes of a value; TCL_ERROR for text that is no bytes, which Tcl 8 would cut silently. */
static int bytes_of(Tcl_Interp *interp, Tcl_Obj *value, const uint8_t **bytes, Tcl_Size *length)
{
    const Tcl_ObjType *type = Tcl_GetObjType("bytearray");

    if (type == NULL || value->typePtr != type) {
        const char *text = Tcl_GetString(value);

        for (; *text; text++)
            if ((unsigned char)*text > 0xc3) /* UTF-8 of U+0100 and above */
                return fail(interp, "bad_argument", "text has to be encoded as bytes first: encoding convertto utf-8");
    }
    *bytes = Tcl_GetByteArrayFromObj(value, length);
    return *bytes != NULL ? TCL_OK : fail(interp, "bad_argument", "expected bytes");
}

/* The field of a key as bytes, most significant first, which the caller frees; NULL with the error in `interp`. */
static uint8_t *field_of(Tcl_Interp *interp, Tcl_Obj *dict, const char *name, size_t *length)
{
    Tcl_Obj *key = Tcl_NewStringObj(name, -1), *value = NULL;
    uint8_t *bytes = NULL;
    Number number;
    size_t i;

    Tcl_IncrRefCount(key);
    Tcl_DictObjGet(NULL, dict, key, &value);
    Tcl_DecrRefCount(key);
    if (value == NULL) {
        Tcl_SetObjResult(interp, Tcl_ObjPrintf("the key has no number %s", name));
        fail(interp, "bad_argument", NULL);
        return NULL;
    }
    Tcl_IncrRefCount(value); /* number_get may change what the dictionary is made of */
    if (number_get(interp, value, &number) == TCL_OK) {
        *length = number.n_limbs * 8;
        if (number.negative)
            fail(interp, "out_of_range", "a number of the key is negative");
        else if ((bytes = zeros(interp, *length, 1, 1)) != NULL)
            for (i = 0; i < *length; i++)
                bytes[*length - 1 - i] = (uint8_t)(number.limbs[i / 8] >> (8 * (i % 8)));
        number_free(&number);
    }
    Tcl_DecrRefCount(value);
    return bytes;
}

static int key_of_numbers(Tcl_Interp *interp, Tcl_Obj *dict, int dsa, pingala_key **key)
{
    static const char *const names[2][4] = {{"n", "e"}, {"p", "q", "g", "y"}};
    uint8_t *field[4] = {NULL};
    size_t length[4] = {0};
    const int wanted = dsa ? 4 : 2;
    int n = 0, i;
    int32_t status;
    WHY;

    while (n < wanted && (field[n] = field_of(interp, dict, names[dsa][n], &length[n])) != NULL)
        n++;
    if (n == wanted) {
        if (dsa)
            status = pingala_key_new_dsa_be(key, field[0], length[0], field[1], length[1], field[2], length[2], field[3], length[3],
                                            WHY_ROOM);
        else
            status = pingala_key_new_rsa_be(key, field[0], length[0], field[1], length[1], WHY_ROOM);
        outcome(interp, status, why);
    }
    for (i = 0; i < n; i++)
        free(field[i]);
    return *key ? TCL_OK : TCL_ERROR;
}

/* A dictionary of numbers, or the bytes of a key file: PEM, DER, a line of OpenSSH. */
static int key_get(Tcl_Interp *interp, Tcl_Obj *value, int dsa, pingala_key **key)
{
    const char *text = Tcl_GetString(value);
    const uint8_t *bytes;
    Tcl_Size length, pairs;
    int32_t status;
    WHY;

    *key = NULL;
    if (text[0] != '0' && strstr(text, "-----BEGIN ") == NULL && strstr(text, "ssh-") == NULL
        && Tcl_DictObjSize(NULL, value, &pairs) == TCL_OK)
        return key_of_numbers(interp, value, dsa, key);
    if (bytes_of(interp, value, &bytes, &length) != TCL_OK)
        return TCL_ERROR;
    status = pingala_key_load(key, bytes, (size_t)length, WHY_ROOM);
    if (status != PINGALA_OK)
        return outcome(interp, status, why);
    if ((pingala_key_kind(*key) == PINGALA_DSA) == dsa)
        return TCL_OK;
    pingala_key_free(*key);
    *key = NULL;
    return fail(interp, "bad_argument", dsa ? "the key is not one of DSA" : "the key is not one of RSA");
}

/* Reads options from objv[2] on; returns the index of the first argument after them, or -1. */
static int wanted_get(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int dsa, Wanted *wanted)
{
    static const char *const names[] = {"-hash", "-encoding", "-policy", "-digest", "-reason", "-threads", "-scheme", "-mgf", "-salt", NULL};
    static const char *const encodings[] = {"der", "lenient", "p1363", "raw", "ssh", "openpgp", NULL};
    static const uint32_t encoding_flags[] = {0, PINGALA_LENIENT, PINGALA_P1363, PINGALA_P1363, PINGALA_SSH, PINGALA_OPENPGP};
    static const char *const policies[] = {"legacy", "strict", "modern", NULL}, *const schemes[] = {"pkcs1", "pss", NULL};
    static const uint32_t policy_flags[] = {0, PINGALA_STRICT, PINGALA_MODERN};
    uint32_t hash = 0, encoding = 0, policy = 0, scheme = dsa ? PINGALA_DSA : PINGALA_RSA_PKCS1, mask = 0;
    int i, which, choice, code;
    Tcl_WideInt number;

    memset(wanted, 0, sizeof *wanted);
    if (objc % 2 == 0) {
        Tcl_WrongNumArgs(interp, 2, objv, "?-option value ...? key message signature");
        return -1;
    }
    for (i = 2; i < objc - 3; i += 2) {
        if (Tcl_GetIndexFromObj(interp, objv[i], names, "option", 0, &which) != TCL_OK)
            break;
        if (dsa && which > 5) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("%s is not for DSA", names[which]));
            fail(interp, "bad_argument", NULL);
            break;
        }
        if (which == 0 || which == 7) {
            if ((code = Tcl_GetIndexFromObj(interp, objv[i + 1], hashes, "hash", TCL_EXACT, &choice)) == TCL_OK)
                *(which == 0 ? &hash : &mask) = (uint32_t)(choice + 1) << (which == 0 ? 8 : 16);
        } else if (which == 1) {
            if ((code = Tcl_GetIndexFromObj(interp, objv[i + 1], encodings, "encoding", 0, &choice)) == TCL_OK)
                encoding = encoding_flags[choice];
        } else if (which == 2) {
            if ((code = Tcl_GetIndexFromObj(interp, objv[i + 1], policies, "policy", 0, &choice)) == TCL_OK)
                policy = policy_flags[choice];
        } else if (which == 3) {
            code = Tcl_GetBooleanFromObj(interp, objv[i + 1], &wanted->prehashed);
        } else if (which == 4) {
            wanted->reason = objv[i + 1];
            code = TCL_OK;
        } else if (which == 6) {
            if ((code = Tcl_GetIndexFromObj(interp, objv[i + 1], schemes, "scheme", 0, &choice)) == TCL_OK)
                scheme = choice ? PINGALA_RSA_PSS : PINGALA_RSA_PKCS1;
        } else if ((code = Tcl_GetWideIntFromObj(interp, objv[i + 1], &number)) == TCL_OK) {
            if (number < 0 || (wanted->options == NULL && pingala_options_new(&wanted->options, NULL, 0) != PINGALA_OK))
                code = fail(interp, "bad_argument", "the number of an option must be an integer from 0 on");
            else if (which == 5)
                pingala_options_set_threads(wanted->options, (size_t)number);
            else
                pingala_options_set_salt(wanted->options, number);
        }
        if (code != TCL_OK)
            break;
    }
    if (hash == 0 && scheme != PINGALA_RSA_PSS) /* of PSS the key may say which */
        hash = PINGALA_SHA256;
    wanted->scheme = scheme | hash | encoding | policy | mask;
    if (i == objc - 3)
        return i;
    pingala_options_free(wanted->options);
    return -1;
}

/* Writes the digest of a message, or the digest that it is. */
static int digest_of(Tcl_Interp *interp, const Wanted *wanted, Tcl_Obj *message, uint8_t *digest, size_t width)
{
    const uint8_t *bytes;
    Tcl_Size length;
    int32_t status;
    WHY;

    if (bytes_of(interp, message, &bytes, &length) != TCL_OK)
        return TCL_ERROR;
    if (wanted->prehashed) {
        if ((size_t)length != width) {
            Tcl_SetObjResult(interp, Tcl_ObjPrintf("the digest has %ld bytes, but the hash function makes %ld", (long)length, (long)width));
            return fail(interp, "bad_argument", NULL);
        }
        memcpy(digest, bytes, width);
        return TCL_OK;
    }
    status = pingala_hash(digest, width, NULL, wanted->scheme, bytes, (size_t)length, WHY_ROOM);
    return outcome(interp, status, why);
}

/* The verdicts of lists of messages and signatures under one key; without room for them, how they would be verified, in `interp`. */
static int verify(Tcl_Interp *interp, const Wanted *wanted, const pingala_key *key, Tcl_Obj *const messages[], Tcl_Obj *const signatures[],
                  size_t count, uint8_t *verdicts, int32_t *status)
{
    char *text = NULL;
    size_t needed = 0;
    int32_t failed;
    uint8_t *digests = NULL, *joined = NULL;
    uint64_t *ends = zeros(interp, count, 1, sizeof *ends);
    uint32_t *key_of = zeros(interp, count, 1, sizeof *key_of);
    const uint8_t *bytes;
    size_t width = 0, total = 0, i;
    Tcl_Size length;
    int code = TCL_ERROR;
    WHY;

    pingala_hash(NULL, 0, &width, wanted->scheme, NULL, 0, NULL, 0);
    for (i = 0; ends && i < count && bytes_of(interp, signatures[i], &bytes, &length) == TCL_OK; i++)
        ends[i] = total += (size_t)length;
    if (ends && key_of && i == count && (digests = zeros(interp, count, width, 1)) != NULL && (joined = zeros(interp, total, 1, 1)) != NULL) {
        for (i = 0; i < count && digest_of(interp, wanted, messages[i], digests + i * width, width) == TCL_OK; i++)
            if (bytes_of(interp, signatures[i], &bytes, &length) == TCL_OK && length > 0)
                memcpy(joined + ends[i] - (size_t)length, bytes, (size_t)length);
        if (i == count) {
            if (verdicts)
                failed = pingala_verify_list(verdicts, status, &key, key_of, digests, width, joined, ends, count, wanted->scheme,
                                             wanted->options, WHY_ROOM);
            else
                failed = pingala_explain_verify_list(NULL, 0, &needed, &key, key_of, digests, width, joined, ends, count, wanted->scheme,
                                                     wanted->options, WHY_ROOM);
            if (failed == PINGALA_OK && !verdicts && (text = zeros(interp, needed, 1, 1)) != NULL) {
                failed = pingala_explain_verify_list(text, needed, NULL, &key, key_of, digests, width, joined, ends, count, wanted->scheme,
                                                     wanted->options, WHY_ROOM);
                Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
            }
            code = failed != PINGALA_OK ? outcome(interp, failed, why) : verdicts || text ? TCL_OK : TCL_ERROR;
        }
    }
    free(ends);
    free(key_of);
    free(digests);
    free(joined);
    free(text);
    return code;
}

static Tcl_Obj *reason_of(int32_t status)
{
    return Tcl_NewStringObj(pingala_status_name(status), -1);
}

/* validate ?-depth name? ?-timeout milliseconds? key, and weaknesses ?-hash name? key: a list of names. */
static int judge_key(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[], int dsa, int validate)
{
    static const char *const names[2][3] = {{"-hash", NULL}, {"-depth", "-timeout", NULL}};
    static const char *const usages[] = {"?-hash name? key", "?-depth name? ?-timeout milliseconds? key"};
    static const char *const depths[] = {"ranges", "subgroup", "primes", NULL};
    static const char *const found[2][9] = {
        {"short_key", "sha1", "odd_sizes", "small_exponent", "short_digest", NULL},
        {"order_does_not_divide", "generator_not_in_subgroup", "public_value_not_in_subgroup", "field_not_prime", "order_not_prime",
         "modulus_prime", "small_factor", "modulus_power", NULL},
    };
    int i, which, depth = 1, hash = 2;
    int32_t status = PINGALA_OK;
    uint32_t set = 0;
    Tcl_WideInt milliseconds = 0;
    pingala_options *options = NULL;
    pingala_key *key;
    Tcl_Obj *list;
    WHY;

    if (objc % 2 == 0) {
        Tcl_WrongNumArgs(interp, 2, objv, usages[validate]);
        return TCL_ERROR;
    }
    for (i = 2; i < objc - 1; i += 2) {
        if (Tcl_GetIndexFromObj(interp, objv[i], names[validate], "option", 0, &which) != TCL_OK)
            return TCL_ERROR;
        if (which == 1 && (Tcl_GetWideIntFromObj(interp, objv[i + 1], &milliseconds) != TCL_OK || milliseconds < 0))
            return fail(interp, "bad_argument", "the number of an option must be an integer from 0 on");
        if (which == 0 && Tcl_GetIndexFromObj(interp, objv[i + 1], validate ? depths : hashes, validate ? "depth" : "hash", TCL_EXACT,
                                              validate ? &depth : &hash) != TCL_OK)
            return TCL_ERROR;
    }
    if (key_get(interp, objv[objc - 1], dsa, &key) != TCL_OK)
        return TCL_ERROR;
    if (!validate)
        set = pingala_key_weaknesses(key, (dsa ? PINGALA_DSA : PINGALA_RSA_PKCS1) | (uint32_t)(hash + 1) << 8);
    else if ((status = pingala_options_new(&options, WHY_ROOM)) == PINGALA_OK) {
        pingala_options_set_timeout(options, (uint64_t)milliseconds);
        status = pingala_key_validate(key, (uint32_t)depth, &set, options, WHY_ROOM);
        pingala_options_free(options);
    }
    pingala_key_free(key);
    if (status != PINGALA_OK)
        return outcome(interp, status, why);
    list = Tcl_NewListObj(0, NULL);
    for (i = 0; found[validate][i]; i++)
        if (set >> i & 1)
            Tcl_ListObjAppendElement(NULL, list, Tcl_NewStringObj(found[validate][i], -1));
    Tcl_SetObjResult(interp, list);
    return TCL_OK;
}

/* pingala::dsa and pingala::rsa: verify key message signature, verify_list key messages signatures, explain the same; validate and weaknesses */
int signature_command(ARGUMENTS)
{
    enum { EXPLAIN = 2, VALIDATE };
    static const char *const names[] = {"verify", "verify_list", "explain", "validate", "weaknesses", NULL};
    const int dsa = data != NULL;
    Tcl_Obj *one[2] = {NULL, NULL}, **items[2] = {&one[0], &one[1]}, *verdict_list, *reasons;
    Tcl_Size n_items[2] = {1, 1};
    Wanted wanted;
    pingala_key *key;
    uint8_t *verdicts = NULL;
    int32_t *status = NULL;
    int list, explain, first, code = TCL_ERROR;
    size_t i;

    if (objc >= 3 && Tcl_GetIndexFromObj(interp, objv[1], names, "subcommand", TCL_EXACT, &list) != TCL_OK)
        return TCL_ERROR;
    if (objc >= 3 && list >= VALIDATE)
        return judge_key(interp, objc, objv, dsa, list == VALIDATE);
    if (objc < 5) {
        Tcl_WrongNumArgs(interp, 1, objv, "verify ?-option value ...? key message signature");
        return TCL_ERROR;
    }
    if ((first = wanted_get(interp, objc, objv, dsa, &wanted)) < 0)
        return TCL_ERROR;
    explain = list == EXPLAIN;
    if (key_get(interp, objv[first], dsa, &key) == TCL_OK) {
        wanted.scheme = pingala_key_scheme(key, wanted.scheme);
        one[0] = objv[first + 1];
        one[1] = objv[first + 2];
        if (list) { /* copies, because a list may be an element of the other one, and reading that as bytes would free it */
            one[0] = Tcl_DuplicateObj(one[0]);
            one[1] = Tcl_DuplicateObj(one[1]);
        }
        Tcl_IncrRefCount(one[0]);
        Tcl_IncrRefCount(one[1]);
        if (!list || (Tcl_ListObjGetElements(interp, one[0], &n_items[0], &items[0]) == TCL_OK
                      && Tcl_ListObjGetElements(interp, one[1], &n_items[1], &items[1]) == TCL_OK)) {
            const size_t count = (size_t)n_items[0];

            if (n_items[0] != n_items[1])
                fail(interp, "bad_argument", "there must be as many messages as signatures");
            else if (explain || ((verdicts = zeros(interp, count, 1, 1)) != NULL && (status = zeros(interp, count, 1, sizeof *status)) != NULL))
                code = verify(interp, &wanted, key, items[0], items[1], count, verdicts, status);
        }
        Tcl_DecrRefCount(one[0]);
        Tcl_DecrRefCount(one[1]);
        pingala_key_free(key);
    }
    if (code == TCL_OK && !explain) {
        verdict_list = Tcl_NewListObj(0, NULL);
        reasons = list ? Tcl_NewListObj(0, NULL) : reason_of(status[0]);
        Tcl_IncrRefCount(reasons);
        for (i = 0; list && i < (size_t)n_items[0]; i++) {
            Tcl_ListObjAppendElement(NULL, verdict_list, Tcl_NewBooleanObj(verdicts[i] == 1));
            Tcl_ListObjAppendElement(NULL, reasons, reason_of(status[i]));
        }
        Tcl_IncrRefCount(verdict_list);
        if (wanted.reason && Tcl_ObjSetVar2(interp, wanted.reason, NULL, reasons, TCL_LEAVE_ERR_MSG) == NULL)
            code = TCL_ERROR;
        else
            Tcl_SetObjResult(interp, list ? verdict_list : Tcl_NewBooleanObj(verdicts[0] == 1));
        Tcl_DecrRefCount(verdict_list);
        Tcl_DecrRefCount(reasons);
    }
    free(verdicts);
    free(status);
    pingala_options_free(wanted.options);
    return code;
}
