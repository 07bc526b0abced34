/* Makes the calls of vectors/calls.txt and vectors/prime_calls.txt, whose formats the files file.rs of crates/pingala-core/tests/suite/calls and
 * crates/pingala-proofs/tests/calls have, by bytes and by limbs, with rows as narrow as they can be and with wider ones. Arguments: one of
 * these files, and a path for files. Prints each workload with its calls, and how many
 * answers were compared. It is C99 and C++17. */
#include "check.h"

#define MOST 10           /* elements, powers of a product, factors, moduli */
#define MOST_ROWS 40      /* powers of a list of products */
#define MOST_BYTES 1024   /* of a row, and units of one */
#define MOST_LINE 2048
#define TABLE_BYTES 65536

typedef struct {
    uint8_t bytes[MOST_BYTES]; /* most significant first, without zeros in front */
    size_t length;
    int negative;
} Number;

typedef struct {
    Number value, factors[MOST];
    uint32_t multiplicities[MOST];
    size_t n_factors;
    int secret;
} Modulus;

typedef struct {
    size_t modulus, n_powers;
    Number bases[MOST], exponents[MOST];
} Element;

typedef struct {
    int32_t status;
    Number value;
} Answer;

typedef struct {
    char line[MOST_LINE], workload[64], timeout[8], kernel[32];
    uint64_t threads, cap, blinded, wider, memory, plan;
    Modulus moduli[MOST];
    Element elements[MOST];
    Answer answers[MOST];
    size_t n_moduli, count;
} Call;

static Call call;
/* Those of the call, and for moduli and tables those without a time-out and a kernel. */
static pingala_options *options, *plain;
static pingala_modulus *moduli[MOST];
static const char *path;
static unsigned long compared;

/* The flags of all powers, and of those of one power an element. */
static uint8_t signs[MOST_ROWS], signs_of_bases[MOST_ROWS], signs_of_exponents[MOST_ROWS];
static uint64_t ends[MOST];
static uint32_t modulus_of[MOST];
static size_t n_powers;

/* The file is not as it should be: there is no sense in going on. */
static void broken(const char *what)
{
    fprintf(stderr, "%s\n%s\n", what, call.line);
    exit(2);
}

static void wrong(const char *way, size_t at, const char *found)
{
    fprintf(stderr, "%s, element %lu: %s, where %s is expected (%s)\n%s\n", way, (unsigned long)at, found,
            pingala_status_name(call.answers[at].status), why, call.line);
    failed = 1;
}

static int is(const char *workload) { return strcmp(call.workload, workload) == 0; }

static const char *forced_kernel(void) { return strcmp(call.kernel, "-") == 0 ? NULL : call.kernel; }

/* Whether a call may end with a status, whatever its results are. */
static int is_tolerated(int32_t status)
{
    return (status == PINGALA_INTERRUPTED && strcmp(call.timeout, "past") == 0) ||
           (status == PINGALA_BAD_PLAN && forced_kernel() != NULL);
}

/* Primes, symbols and roots: moduli are numbers, and the cap is that of all numbers. */
static int is_of_primes(void)
{
    return strstr(call.workload, "prime") != NULL || strstr(call.workload, "jacobi") != NULL || is("kronecker") ||
           strstr(call.workload, "sqrt") != NULL;
}

/* What test_c.py names as not offered, and no call here can make. */
static int is_not_offered(void)
{
    return is("mul_words") || is("residue_chain") || is("accumulate") || is("witnesses") || is("update_witnesses") || is("failing_witnesses");
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static uint64_t bits_of(const Number *number)
{
    uint64_t bits = 8 * (uint64_t)number->length;
    unsigned top = number->length > 0 ? number->bytes[0] : 0x80;
    for (; top < 0x80; top <<= 1)
        bits--;
    return bits;
}

static uint8_t signs_of(const Number *base, const Number *exponent)
{
    return (uint8_t)((base && base->negative ? PINGALA_NEGATIVE_BASE : 0) | (exponent && exponent->negative ? PINGALA_NEGATIVE_EXPONENT : 0));
}

/* What all elements have, where they have one: 3 in an empty list. */
static const Number three = {{3}, 1, 0};

static const Number *one_base(void) { return call.count > 0 && call.elements[0].n_powers > 0 ? &call.elements[0].bases[0] : &three; }

static const Number *one_exponent(void)
{
    return call.count > 0 && call.elements[0].n_powers > 0 ? &call.elements[0].exponents[0] : &three;
}

/* The declared length of a secret exponent. */
static uint64_t declared(size_t i) { return (uint64_t)larger(bits_of(&call.elements[i].exponents[0]) + call.wider, 1); }

/* The longest exponent of a table, within the cap; a secret one may be declared longer than it is. */
static uint64_t table_bits(int secret)
{
    uint64_t bits = call.count > 0 ? 0 : 1;
    size_t i;
    for (i = 0; i < call.count; i++)
        bits = larger(bits, bits_of(&call.elements[i].exponents[0]));
    bits += secret ? 2 : 0;
    if (call.cap > 0 && bits > call.cap)
        bits = call.cap;
    return larger(bits, 1);
}

static const Number zero = {{0}, 0, 0};

/* A number of a function without signs: 0 for a negative one. */
static const Number *not_below_zero(const Number *number) { return number->negative ? &zero : number; }

/* A number of at most 64 bits. */
static uint64_t read_small(const Number *number)
{
    uint64_t word = 0;
    size_t i;
    for (i = 0; i < number->length; i++)
        word = word << 8 | number->bytes[i];
    return word;
}

/* An answer that is a small integer. */
static void compare_small(const char *way, size_t at, int32_t status, int found)
{
    const Answer *answer = &call.answers[at];
    const Number *value = &answer->value;
    int wanted = value->length > 0 ? value->bytes[value->length - 1] : 0;
    if (value->negative)
        wanted = -wanted;
    compared++;
    if (is_tolerated(status))
        return;
    if (status != answer->status)
        wrong(way, at, pingala_status_name(status));
    else if (status == PINGALA_OK && (found != wanted || value->length > 1))
        wrong(way, at, "another number");
}

/* The status of a call that has the first error of its elements. */
static int32_t first_status(void)
{
    size_t i;
    for (i = 0; i < call.count; i++)
        if (call.answers[i].status != PINGALA_OK)
            return call.answers[i].status;
    return PINGALA_OK;
}

/* Whether a call without statuses has that of its first error. */
static int is_first(int32_t status) { return is_tolerated(status) || status == first_status(); }

static void close_moduli(void)
{
    size_t i;
    for (i = 0; i < MOST; i++) {
        pingala_modulus_free(moduli[i]);
        moduli[i] = NULL;
    }
}

#define UNIT uint8_t
#define FUNCTION(name) pingala_##name##_be
#define NAMED(name) name##_be
#include "generated.h"
#undef UNIT
#undef FUNCTION
#undef NAMED

#define UNIT uint64_t
#define FUNCTION(name) pingala_##name##_limbs
#define NAMED(name) name##_limbs
#include "generated.h"

/* --- the file ------------------------------------------------------------------------------------------------------ */

static int digit(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

/* Reads a number, and goes on behind it. */
static void read_number(const char **text, Number *number)
{
    const char *end;
    size_t i, digits;
    memset(number, 0, sizeof *number);
    number->negative = **text == '-';
    *text += number->negative;
    for (end = *text; digit(*end) >= 0; end++)
        ;
    digits = (size_t)(end - *text);
    if (digits == 0 || digits / 2 >= MOST_BYTES)
        broken("a number is expected");
    number->length = **text == '0' ? 0 : (digits + 1) / 2;
    for (i = 0; number->length > 0 && i < digits; i++)
        number->bytes[number->length - 1 - i / 2] |= (uint8_t)(digit((*text)[digits - 1 - i]) << (4 * (i % 2)));
    *text = end;
}

static uint64_t read_word(const char **text)
{
    Number number;
    read_number(text, &number);
    if (number.length > 8 || number.negative)
        broken("a small number is expected");
    return read_small(&number);
}

/* Goes over a letter if it stands there. */
static int over(const char **text, char letter)
{
    const int is_there = **text == letter;
    *text += is_there;
    return is_there;
}

static void read_modulus(const char **text, Modulus *modulus)
{
    read_number(text, &modulus->value);
    modulus->secret = over(text, '!');
    if (!modulus->secret && !over(text, ':'))
        return;
    do {
        if (modulus->n_factors == MOST)
            broken("too many factors");
        read_number(text, &modulus->factors[modulus->n_factors]);
        if (!over(text, '^'))
            broken("a multiplicity is expected");
        modulus->multiplicities[modulus->n_factors++] = (uint32_t)read_word(text);
    } while (over(text, ','));
}

static void read_element(const char **text, Element *element)
{
    element->modulus = (size_t)read_word(text);
    if (element->modulus >= call.n_moduli)
        broken("there is no such modulus");
    while (over(text, ',')) {
        if (element->n_powers == MOST)
            broken("too many powers");
        read_number(text, &element->bases[element->n_powers]);
        if (!over(text, ','))
            broken("an exponent is expected");
        read_number(text, &element->exponents[element->n_powers++]);
    }
}

static void read_answer(const char **text, Answer *answer)
{
    char name[32];
    size_t length;
    if (!over(text, '!')) {
        read_number(text, &answer->value);
        return;
    }
    length = strcspn(*text, "; \n");
    if (length >= sizeof name)
        broken("no code");
    memcpy(name, *text, length);
    name[length] = 0;
    *text += length;
    for (answer->status = 1; answer->status < PINGALA_PANIC; answer->status++)
        if (strcmp(pingala_status_name(answer->status), name) == 0)
            return;
    broken("the library does not know the code");
}

/* The value of the option `name`, which stands there. */
static void expect(const char **text, const char *name)
{
    const size_t length = strlen(name);
    if (!over(text, ' ') || strncmp(*text, name, length) != 0 || (*text)[length] != '=')
        broken("the driver does not know this option");
    *text += length + 1;
}

static uint64_t read_option(const char **text, const char *name)
{
    expect(text, name);
    return read_word(text);
}

static void read_name(const char **text, const char *name, char *value, size_t room)
{
    size_t length;
    expect(text, name);
    length = strcspn(*text, " ");
    if (length >= room)
        broken("a long name");
    memcpy(value, *text, length);
    value[length] = 0;
    *text += length;
}

/* Whether there is one more item of a list, behind the first `count`. */
static int more(const char **text, size_t count)
{
    if (count == 0)
        return digit((*text)[1]) >= 0 || !over(text, '-');
    if (count == MOST && **text == ';')
        broken("too many items");
    return over(text, ';');
}

static void read_call(void)
{
    const char *text = call.line;
    size_t i, j, n_answers = 0;
    const size_t length = strcspn(text, " ");
    if (length >= sizeof call.workload)
        broken("no workload");
    memcpy(call.workload, text, length);
    text += length;
    if (!over(&text, ' '))
        broken("the number of the call is expected");
    read_word(&text);
    call.threads = read_option(&text, "threads");
    call.cap = read_option(&text, "cap");
    call.blinded = read_option(&text, "blinded");
    read_name(&text, "timeout", call.timeout, sizeof call.timeout);
    call.memory = read_option(&text, "memory");
    strcpy(call.kernel, "-");
    if (strncmp(text, " kernel=", 8) == 0) {
        read_name(&text, "kernel", call.kernel, sizeof call.kernel);
        call.plan = read_option(&text, "plan");
    }
    for (expect(&text, "moduli"); more(&text, call.n_moduli); call.n_moduli++)
        read_modulus(&text, &call.moduli[call.n_moduli]);
    for (expect(&text, "powers"); more(&text, call.count); call.count++)
        read_element(&text, &call.elements[call.count]);
    for (expect(&text, "results"); more(&text, n_answers); n_answers++)
        read_answer(&text, &call.answers[n_answers]);
    call.wider = *text == ' ' ? read_option(&text, "wider") : 0;
    if (*text != '\n' || n_answers != call.count)
        broken("the line does not end here, or has another number of results");
    for (n_powers = 0, i = 0; i < call.count; i++) {
        const Element *e = &call.elements[i];
        for (j = 0; j < e->n_powers; j++) {
            if (n_powers == MOST_ROWS)
                broken("too many powers");
            signs_of_bases[n_powers] = signs_of(&e->bases[j], NULL);
            signs_of_exponents[n_powers] = signs_of(NULL, &e->exponents[j]);
            signs[n_powers++] = signs_of(&e->bases[j], &e->exponents[j]);
        }
        ends[i] = n_powers;
        modulus_of[i] = (uint32_t)e->modulus;
    }
}

/* Bases of secret powers have no sign: their residues take their place. */
static void reduce_bases(void)
{
    const uint8_t one = 1;
    size_t i;
    for (i = 0; i < call.count; i++) {
        Number *base = &call.elements[i].bases[0], residue;
        const Number *m = &call.moduli[0].value;
        const size_t width = m->length;
        size_t zeros = 0;
        if (!base->negative)
            continue;
        memset(&residue, 0, sizeof residue);
        OK(pingala_powmod_be(residue.bytes, width, base->bytes, base->length, &one, 1, m->bytes, width, PINGALA_NEGATIVE_BASE, NULL, WHY));
        while (zeros < width && residue.bytes[zeros] == 0)
            zeros++;
        memmove(residue.bytes, residue.bytes + zeros, width - zeros);
        residue.length = width - zeros;
        *base = residue;
    }
}

static pingala_options *open_options(void)
{
    pingala_options *made;
    OK(pingala_options_new(&made, WHY));
    OK(pingala_options_set_threads(made, (size_t)call.threads));
    OK(pingala_options_set_limits(made, is_of_primes() ? call.cap : 0, is_of_primes() ? 0 : call.cap));
    OK(pingala_options_set_blinding(made, (uint32_t)call.blinded));
    return made;
}

static void make_call(void)
{
    size_t padding;
    plain = open_options();
    options = open_options();
    OK(pingala_options_set_memory(options, call.memory));
    OK(pingala_options_set_kernel(options, forced_kernel()));
    if (strcmp(call.timeout, "none") != 0)
        OK(pingala_options_set_timeout(options, strcmp(call.timeout, "past") == 0 ? 1 : 3600000));
    if (is("secret_power"))
        reduce_bases();
    for (padding = 0; padding < 4; padding += 3) {
        make_be(padding);
        make_limbs(padding);
    }
    pingala_options_free(options);
    pingala_options_free(plain);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "r") : NULL;
    char before[64] = "";
    unsigned long n_calls = 0;
    if (file == NULL) {
        fprintf(stderr, "arguments: the file of calls, and a path for files\n");
        return 2;
    }
    path = argv[2];
    for (;;) {
        memset(&call, 0, sizeof call);
        if (fgets(call.line, sizeof call.line, file) == NULL)
            break;
        if (call.line[0] == '#')
            continue;
        read_call();
        if (n_calls > 0 && !is(before)) {
            printf("%s %lu\n", before, n_calls);
            n_calls = 0;
        }
        memcpy(before, call.workload, sizeof before);
        n_calls++;
        make_call();
    }
    printf("%s %lu\n%lu\n", before, n_calls, compared);
    fclose(file);
    return failed;
}
