/* Written by `make border` from border/ and pingala.h; do not edit. */

#include "calls.h"

/* Room for the rows of most lists, and for most texts; what is longer is called for again. */
enum { SOME_ROWS = 64, TEXT_ROOM = 1 << 14 };

/* base^exponent modulo the modulus; a negative exponent takes the inverse of the base. */
static int command_powm(Call *call)
{
    if (call_room(call, call->operands[2].number.n_limbs, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_powmod_limbs(call->out, call->width * call->n_rows, call->operands[0].number.limbs,
        call->operands[0].number.n_limbs, call->operands[1].number.limbs, call->operands[1].number.n_limbs, call->operands[2].number.limbs,
        call->operands[2].number.n_limbs, call->flags, call->settings.options, call->why, sizeof call->why));
}

/* base^exponent modulo a prepared modulus. */
static int method_powm(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_pow_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].number.limbs, call->operands[1].number.n_limbs,
        call->flags, call->settings.options, call->why, sizeof call->why));
}

/* The plan of a power, and why it is chosen. */
static int plan_powm(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_explain_limbs(call->modulus, call->text, room, &call->needed, (uint32_t)call->settings.planned - 1,
            call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].number.limbs,
            call->operands[1].number.n_limbs, call->flags, call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* The inverse of value modulo the modulus; modulo 1 it is 0. */
static int command_invert(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_invert_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->flags, call->why, sizeof call->why));
}

/* bases[i]^exponents[i] modulo moduli[i] for each i. */
static int command_powm_list(Call *call)
{
    if (call_room(call, call->operands[2].rows.width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_pow_list_limbs(call->out, call->width, call->operands[0].rows.limbs, call->operands[0].rows.width,
        call->operands[1].rows.limbs, call->operands[1].rows.width, (const pingala_modulus *const *)call->moduli, call->n_moduli,
        call->modulus_of, call->count, call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* bases[i]^exponents[i] modulo one modulus for each i. */
static int method_powm_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_pow_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs,
        call->operands[1].rows.limbs, call->operands[1].rows.width, call->count, call->each, call->signs, call->settings.options,
        call->why, sizeof call->why));
}

/* The plan of a list of powers. */
static int plan_powm_list(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_plan_list_limbs(call->modulus, call->text, room, &call->needed, call->operands[0].rows.limbs,
            call->operands[1].rows.limbs, call->operands[1].rows.width, call->count, call->signs, call->settings.options, call->why,
            sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* base^exponents[i] for each i: powers of one base share squarings or a table. */
static int method_powm_exp_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_pow_exp_list_limbs(call->modulus, call->out, call->operands[0].number.limbs,
        call->operands[0].number.n_limbs, call->flags, call->operands[1].rows.limbs, call->operands[1].rows.width, call->count, call->each,
        call->signs, call->settings.options, call->why, sizeof call->why));
}

/* The plan of powers of one base, and why it is chosen. */
static int plan_powm_exp_list(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_explain_exp_list_limbs(call->modulus, call->text, room, &call->needed,
            (uint32_t)call->settings.planned - 1, call->operands[1].rows.limbs, call->operands[1].rows.width, call->count, call->signs,
            call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* bases[i]^exponent for each i: the exponent is recoded once. */
static int method_powm_base_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_pow_base_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs,
        call->operands[1].number.limbs, call->operands[1].number.n_limbs, call->flags, call->count, call->each, call->signs,
        call->settings.options, call->why, sizeof call->why));
}

/* The plan of powers with one exponent, and why it is chosen. */
static int plan_powm_base_list(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_explain_base_list_limbs(call->modulus, call->text, room, &call->needed,
            (uint32_t)call->settings.planned - 1, call->operands[0].rows.limbs, call->operands[0].rows.width, call->count,
            call->operands[1].number.limbs, call->operands[1].number.n_limbs, call->flags, call->settings.options, call->why,
            sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* The product of base^exponent over powers, a list {base exponent base exponent ...}; 1 modulo the modulus for none. */
static int method_product(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_pow_product_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].rows.limbs, call->operands[0].exponents.limbs, call->operands[0].exponents.width, call->count, call->signs,
        call->settings.options, call->why, sizeof call->why));
}

/* The plan of a product of powers, and why it is chosen. */
static int plan_product(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_explain_product_limbs(call->modulus, call->text, room, &call->needed,
            (uint32_t)call->settings.planned - 1, call->operands[0].exponents.limbs, call->operands[0].exponents.width, call->count,
            call->signs, call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* A product as of `$m product` for each list of products; moduli has a modulus for each, or one for all. */
static int command_product_list(Call *call)
{
    if (call_room(call, call->operands[1].rows.width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_pow_product_list_limbs(call->out, call->width, call->operands[0].rows.limbs,
        call->operands[0].rows.width, call->operands[0].exponents.limbs, call->operands[0].exponents.width, call->operands[0].rows.count,
        call->operands[0].ends, (const pingala_modulus *const *)call->moduli, call->n_moduli, call->modulus_of, call->count, call->each,
        call->signs, call->settings.options, call->why, sizeof call->why));
}

/* A product as of `$m product` for each list of products; those with the same number of powers are computed in lanes. */
static int method_product_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_pow_product_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs,
        call->operands[0].exponents.limbs, call->operands[0].exponents.width, call->operands[0].rows.count, call->operands[0].ends,
        call->count, call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* The plan of a list of products, and why it is chosen. */
static int plan_product_list(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = call->settings.planned == 1 ? pingala_modulus_plan_product_list_limbs(call->modulus, call->text, room, &call->needed,
            call->operands[0].rows.limbs, call->operands[0].exponents.limbs, call->operands[0].exponents.width,
            call->operands[0].rows.count, call->operands[0].ends, call->count, call->signs, call->settings.options, call->why,
            sizeof call->why) : pingala_modulus_explain_product_list_limbs(call->modulus, call->text, room, &call->needed,
            (uint32_t)call->settings.planned - 1, call->operands[0].rows.limbs, call->operands[0].exponents.limbs,
            call->operands[0].exponents.width, call->operands[0].rows.count, call->operands[0].ends, call->count, call->signs,
            call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* The inverse of values[i] for each i; about a hundred share one inversion. */
static int method_invert_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_invert_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs, call->count,
        call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* a[i] b[i] modulo the modulus for each i; a list of one number stands for all. */
static int method_mul_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_mul_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs,
        call->operands[1].rows.limbs, call->count, call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* values[i]^2 modulo the modulus for each i. */
static int method_square_list(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_square_list_limbs(call->modulus, call->out, call->operands[0].rows.limbs, call->count,
        call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* The product of all values modulo the modulus; 1 modulo it for none. */
static int method_mul_all(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_product_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].rows.limbs, call->count, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* The product of values[0] to values[i] modulo the modulus for each i, on one thread. */
static int method_running_product(Call *call)
{
    if (call_room(call, call->width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_modulus_running_product_limbs(call->modulus, call->out, call->operands[0].rows.limbs, call->count,
        call->each, call->signs, call->settings.options, call->why, sizeof call->why));
}

/* base^(2^squarings) by successive squarings, whose state a file may keep. */
static int method_repeated_square(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_repeated_square_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].count, call->flags, call->settings.checkpoint,
        (uint64_t)call->settings.every, call->settings.options, call->why, sizeof call->why));
}

/* The plan of a repeated squaring, and why it is chosen. */
static int plan_repeated_square(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_explain_repeated_square(call->modulus, call->text, room, &call->needed,
            (uint32_t)call->settings.planned - 1, call->operands[1].count, call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* 2 if n is proved to be prime,
    as all below 2^64; 1 if the tests of Baillie and PSW and of Miller and Rabin find no factor; 0 if n is not prime. */
static int command_is_prime(Call *call)
{
    uint32_t answer = 0;
    const int32_t status = pingala_is_prime_limbs(&answer, call->operands[0].number.limbs, call->operands[0].number.n_limbs,
        call->settings.options, call->why, sizeof call->why);

    return call_integer(call, status, answer);
}

/* The answer of `is_prime` for each number; they are tested side by side. */
static int command_is_prime_list(Call *call)
{
    if (call_text_room(call, call->count) == NULL)
        return TCL_ERROR;
    return call_bytes(call, pingala_is_prime_list_limbs((uint8_t *)call->text, call->operands[0].rows.limbs, call->operands[0].rows.width,
        call->count, call->settings.options, call->why, sizeof call->why));
}

/* The least prime above n. */
static int command_next_prime(Call *call)
{
    if (call_room(call, call->operands[0].number.n_limbs + 1, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_next_prime_limbs(call->out, call->width * call->n_rows, call->operands[0].number.limbs,
        call->operands[0].number.n_limbs, call->settings.options, call->why, sizeof call->why));
}

/* The greatest prime below n. */
static int command_previous_prime(Call *call)
{
    if (call_room(call, call->operands[0].number.n_limbs, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_previous_prime_limbs(call->out, call->width * call->n_rows, call->operands[0].number.limbs,
        call->operands[0].number.n_limbs, call->settings.options, call->why, sizeof call->why));
}

/* The primes from a on that are below b. */
static int command_primes_between(Call *call)
{
    size_t rows = SOME_ROWS;
    int32_t status;

    do {
        rows = call->needed > rows ? call->needed : rows;
        if (call_room(call, call->operands[1].number.n_limbs + 1, rows) == NULL)
            return TCL_ERROR;
        status = pingala_primes_between_limbs(call->out, call->width * call->n_rows, call->width, &call->needed,
            call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].number.limbs,
            call->operands[1].number.n_limbs, call->settings.options, call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > rows);
    return call_numbers(call, status, call->needed);
}

/* A random prime of so many bits, at least 2. */
static int command_random_prime(Call *call)
{
    if (call_room(call, call->operands[0].count / 64 + 1, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_random_prime_limbs(call->out, call->width * call->n_rows, call->operands[0].count,
        call->settings.conditions, call->settings.options, call->why, sizeof call->why));
}

/* A dictionary: `tests`, how many numbers the search for such a prime is expected to test, and `seconds`, its expected time. */
static int command_estimate_random_prime(Call *call)
{
    double tests = 0, seconds = 0;
    const int32_t status = pingala_estimate_random_prime(&tests, &seconds, call->operands[0].count, call->settings.conditions, 0,
        call->settings.options, call->why, sizeof call->why);

    return call_estimate(call, status, tests, seconds);
}

/* A certificate that n is prime, as text; factors are known prime factors of n - 1. */
static int command_certify(Call *call)
{
    size_t room = TEXT_ROOM;
    int32_t status;

    do {
        room = call->needed > room ? call->needed : room;
        if (call_text_room(call, room) == NULL)
            return TCL_ERROR;
        status = pingala_certify_limbs(call->text, room, &call->needed, call->operands[0].number.limbs, call->operands[0].number.n_limbs,
            call->operands[1].rows.limbs, call->operands[1].rows.width, call->operands[1].rows.count, call->settings.options, call->why,
            sizeof call->why);
    } while (status == PINGALA_OK && call->needed > room);
    return call_text(call, status);
}

/* The prime of a certificate that holds. */
static int command_check_certificate(Call *call)
{
    if (call_room(call, call->operands[0].length / 16 + 1, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_check_certificate_limbs(call->out, call->width * call->n_rows, call->operands[0].text,
        call->operands[0].length, call->settings.options, call->why, sizeof call->why));
}

/* The Jacobi symbol (a/n) for an odd n above 0: 1, -1, or 0. */
static int command_jacobi(Call *call)
{
    int32_t answer = 0;
    const int32_t status = pingala_jacobi_limbs(&answer, call->operands[0].number.limbs, call->operands[0].number.n_limbs,
        call->operands[1].number.limbs, call->operands[1].number.n_limbs, call->flags, call->settings.options, call->why, sizeof call->why);

    return call_integer(call, status, answer);
}

/* The Jacobi symbol (a[i]/n[i]) for each i; a list of one n serves all. */
static int command_jacobi_list(Call *call)
{
    if ((call->each = zeros(call->interp, call->count, 1, sizeof *call->each)) == NULL)
        return TCL_ERROR;
    return call_symbols(call, pingala_jacobi_list_limbs(call->each, call->operands[0].rows.limbs, call->operands[0].rows.width,
        call->operands[1].rows.limbs, call->operands[1].rows.width, call->operands[1].rows.count, call->count, call->signs,
        call->settings.options, call->why, sizeof call->why));
}

/* The Kronecker symbol (a/n) for any n. */
static int command_kronecker(Call *call)
{
    int32_t answer = 0;
    const int32_t status = pingala_kronecker_limbs(&answer, call->operands[0].number.limbs, call->operands[0].number.n_limbs,
        call->operands[1].number.limbs, call->operands[1].number.n_limbs, call->flags, call->settings.options, call->why, sizeof call->why);

    return call_integer(call, status, answer);
}

/* The lesser square root of a modulo a prime p, or modulo a p whose prime factors `-factors` gives. */
static int command_sqrt_mod(Call *call)
{
    if (call_room(call, call->width, 1) == NULL)
        return TCL_ERROR;
    return call_number(call, pingala_modulus_sqrt_limbs(call->modulus, call->out, call->width * call->n_rows,
        call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->flags, call->settings.options, call->why,
        sizeof call->why));
}

/* All square roots of a, in order; more than `most` of them, by default 65536, are an error. */
static int command_sqrt_mod_all(Call *call)
{
    size_t rows = SOME_ROWS;
    int32_t status;

    do {
        rows = call->needed > rows ? call->needed : rows;
        if (call_room(call, call->width, rows) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_sqrt_all_limbs(call->modulus, call->out, call->width * call->n_rows, call->width, &call->needed,
            call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[2].count, call->flags, call->settings.options,
            call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > rows);
    return call_numbers(call, status, call->needed);
}

/* All square roots of a, in order; more than `most` of them, by default 65536, are an error. */
static int method_sqrt_all(Call *call)
{
    size_t rows = SOME_ROWS;
    int32_t status;

    do {
        rows = call->needed > rows ? call->needed : rows;
        if (call_room(call, call->width, rows) == NULL)
            return TCL_ERROR;
        status = pingala_modulus_sqrt_all_limbs(call->modulus, call->out, call->width * call->n_rows, call->width, &call->needed,
            call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].count, call->flags, call->settings.options,
            call->why, sizeof call->why);
    } while (status == PINGALA_OK && call->needed > rows);
    return call_numbers(call, status, call->needed);
}

/* The lesser square root of values[i] modulo primes[i] for each i; a list of one prime serves all. */
static int command_sqrt_mod_list(Call *call)
{
    if (call_room(call, call->operands[1].rows.width, call->count) == NULL)
        return TCL_ERROR;
    return call_list(call, pingala_sqrt_mod_list_limbs(call->out, call->width, call->operands[0].rows.limbs, call->operands[0].rows.width,
        call->operands[1].rows.limbs, call->operands[1].rows.width, call->operands[1].rows.count, call->count, call->each, call->signs,
        call->settings.options, call->why, sizeof call->why));
}

/* A list of two numbers: base^(2^squarings), and Wesolowski's proof of it. */
static int method_prove_squaring(Call *call)
{
    if (call_room(call, call->width, 2) == NULL)
        return TCL_ERROR;
    return call_numbers(call, pingala_modulus_prove_squaring_limbs(call->modulus, call->out, call->width, call->out + call->width,
        call->width, call->operands[0].number.limbs, call->operands[0].number.n_limbs, call->operands[1].count, call->flags,
        call->settings.checkpoint, (uint64_t)call->settings.every, (uint64_t)call->settings.proof_bytes, call->settings.options, call->why,
        sizeof call->why), 2);
}

/* 1 if the proof shows that the result is base^(2^squarings), 0 otherwise. */
static int method_verify_squaring(Call *call)
{
    uint32_t answer = 0;
    const int32_t status = pingala_modulus_verify_squaring_limbs(call->modulus, &answer, call->operands[0].number.limbs,
        call->operands[0].number.n_limbs, call->operands[1].count, call->flags, call->operands[2].number.limbs,
        call->operands[2].number.n_limbs, call->operands[3].number.limbs, call->operands[3].number.n_limbs, call->settings.options,
        call->why, sizeof call->why);

    return call_integer(call, status, answer);
}

/* 1 for each proofs[i] that shows that results[i] is bases[i]^(2^squarings), 0 for each other. */
static int method_verify_squaring_list(Call *call)
{
    if (call_text_room(call, call->count) == NULL)
        return TCL_ERROR;
    return call_bytes(call, pingala_modulus_verify_squaring_list_limbs(call->modulus, (uint8_t *)call->text, call->operands[0].rows.limbs,
        call->operands[0].rows.width, call->operands[1].count, call->operands[2].rows.limbs, call->operands[2].rows.width,
        call->operands[3].rows.limbs, call->operands[3].rows.width, call->count, call->signs, call->settings.options, call->why,
        sizeof call->why));
}

const CallRow command_rows[] = {
    {"powm", "base exponent modulus ?-option value ...?", {NUMBER | BASE_SIGN, NUMBER | EXPONENT_SIGN, NUMBER | MODULUS}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS | OPTION_MAX_EXPONENT_BITS, command_powm, NULL, 0},
    {"invert", "value modulus ?-option value ...?", {NUMBER | BASE_SIGN, HANDLE | MODULUS}, 0, OPTION_MAX_MODULUS_BITS | OPTION_FACTORS,
        command_invert, NULL, 0},
    {"powm_list", "bases exponents moduli ?-option value ...?", {LIST | BASE_SIGN | REPEATED, LIST | EXPONENT_SIGN | REPEATED,
        MODULI | MODULUS | REPEATED}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS | OPTION_MAX_EXPONENT_BITS,
        command_powm_list, NULL, 0},
    {"product_list", "products moduli ?-option value ...?", {PAIR_LISTS, MODULI | MODULUS | REPEATED}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MEMORY | OPTION_MAX_MODULUS_BITS |
        OPTION_MAX_EXPONENT_BITS, command_product_list, NULL, 0},
    {"is_prime", "n ?-option value ...?", {NUMBER}, 0, OPTION_ROUNDS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS, command_is_prime, NULL, 0},
    {"is_prime_list", "numbers ?-option value ...?", {LIST}, 0, OPTION_ROUNDS | OPTION_THREADS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_is_prime_list, NULL, 0},
    {"next_prime", "n ?-option value ...?", {NUMBER}, 0, OPTION_THREADS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS, command_next_prime,
        NULL, 0},
    {"previous_prime", "n ?-option value ...?", {NUMBER}, 0, OPTION_THREADS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_previous_prime, NULL, 0},
    {"primes_between", "a b ?-option value ...?", {NUMBER, NUMBER}, 0, OPTION_THREADS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_primes_between, NULL, 0},
    {"random_prime", "bits ?-option value ...?", {COUNT}, 0,
        OPTION_ROUNDS | OPTION_RESIDUE | OPTION_THREADS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS | OPTION_CONDITIONS,
        command_random_prime, NULL, 0},
    {"estimate_random_prime", "bits ?-option value ...?", {COUNT}, 0,
        OPTION_ROUNDS | OPTION_RESIDUE | OPTION_THREADS | OPTION_MAX_MODULUS_BITS | OPTION_CONDITIONS, command_estimate_random_prime, NULL,
        0},
    {"certify", "n ?factors? ?-option value ...?", {NUMBER | NATURAL, LIST | NATURAL | OPTIONAL}, 0,
        OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS, command_certify, NULL, 0},
    {"check_certificate", "certificate ?-option value ...?", {TEXT}, 0, OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_check_certificate, NULL, 0},
    {"jacobi", "a n ?-option value ...?", {NUMBER | BASE_SIGN, NUMBER | NATURAL}, 0, OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_jacobi, NULL, 0},
    {"jacobi_list", "a n ?-option value ...?", {LIST | BASE_SIGN, LIST | NATURAL | ONE_FOR_ALL}, 0,
        OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS, command_jacobi_list, NULL, 0},
    {"kronecker", "a n ?-option value ...?", {NUMBER | BASE_SIGN, NUMBER | EXPONENT_SIGN}, 0, OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS,
        command_kronecker, NULL, 0},
    {"sqrt_mod", "a p ?-option value ...?", {NUMBER | BASE_SIGN, HANDLE | MODULUS}, 0,
        OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS | OPTION_FACTORS, command_sqrt_mod, NULL, 0},
    {"sqrt_mod_all", "a p ?most? ?-option value ...?", {NUMBER | BASE_SIGN, HANDLE | MODULUS, COUNT | OPTIONAL}, 65536,
        OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS | OPTION_FACTORS, command_sqrt_mod_all, NULL, 0},
    {"sqrt_mod_list", "values primes ?-option value ...?", {LIST | BASE_SIGN, LIST | MODULUS | ONE_FOR_ALL}, 0,
        OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MAX_MODULUS_BITS, command_sqrt_mod_list, NULL, 0},
    {NULL, NULL, {0}, 0, 0, NULL, NULL, 0},
};

const CallRow modulus_rows[] = {
    {"powm", "base exponent ?-option value ...?", {NUMBER | BASE_SIGN, NUMBER | EXPONENT_SIGN}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_TIMEOUT | OPTION_MAX_EXPONENT_BITS, method_powm, plan_powm, 1},
    {"invert", "value", {NUMBER | BASE_SIGN}, 0, 0, command_invert, NULL, 0},
    {"powm_list", "bases exponents ?-option value ...?", {LIST | BASE_SIGN | REDUCED, LIST | EXPONENT_SIGN}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MAX_EXPONENT_BITS, method_powm_list,
        plan_powm_list, 0},
    {"powm_exp_list", "base exponents ?-option value ...?", {NUMBER | BASE_SIGN, LIST | EXPONENT_SIGN}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MEMORY | OPTION_MAX_EXPONENT_BITS,
        method_powm_exp_list, plan_powm_exp_list, 1},
    {"powm_base_list", "bases exponent ?-option value ...?", {LIST | BASE_SIGN | REDUCED, NUMBER | EXPONENT_SIGN}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MAX_EXPONENT_BITS, method_powm_base_list,
        plan_powm_base_list, 1},
    {"product", "powers ?-option value ...?", {PAIRS | REDUCED}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_TIMEOUT | OPTION_MEMORY | OPTION_MAX_EXPONENT_BITS, method_product,
        plan_product, 1},
    {"product_list", "products ?-option value ...?", {PAIR_LISTS | REDUCED}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_THREADS | OPTION_ERRORS | OPTION_TIMEOUT | OPTION_MEMORY | OPTION_MAX_EXPONENT_BITS,
        method_product_list, plan_product_list, 1},
    {"invert_list", "values ?-option value ...?", {LIST | BASE_SIGN | REDUCED}, 0, OPTION_THREADS | OPTION_ERRORS, method_invert_list,
        NULL, 0},
    {"mul_list", "a b ?-option value ...?", {LIST | BASE_SIGN | REPEATED | REDUCED, LIST | EXPONENT_SIGN | REPEATED | REDUCED}, 0,
        OPTION_KERNEL | OPTION_THREADS | OPTION_TIMEOUT, method_mul_list, NULL, 0},
    {"square_list", "values ?-option value ...?", {LIST | BASE_SIGN | REDUCED}, 0, OPTION_KERNEL | OPTION_THREADS | OPTION_TIMEOUT,
        method_square_list, NULL, 0},
    {"mul_all", "values ?-option value ...?", {LIST | BASE_SIGN | REDUCED}, 0, OPTION_KERNEL | OPTION_THREADS | OPTION_TIMEOUT,
        method_mul_all, NULL, 0},
    {"running_product", "values ?-option value ...?", {LIST | BASE_SIGN | REDUCED}, 0, OPTION_KERNEL | OPTION_TIMEOUT,
        method_running_product, NULL, 0},
    {"repeated_square", "base squarings ?-option value ...?", {NUMBER | BASE_SIGN, COUNT}, 0,
        OPTION_KERNEL | OPTION_PLAN | OPTION_TIMEOUT | OPTION_CHECKPOINT, method_repeated_square, plan_repeated_square, 1},
    {"sqrt", "a ?-option value ...?", {NUMBER | BASE_SIGN}, 0, OPTION_TIMEOUT, command_sqrt_mod, NULL, 0},
    {"sqrt_all", "a ?most? ?-option value ...?", {NUMBER | BASE_SIGN, COUNT | OPTIONAL}, 65536, OPTION_TIMEOUT, method_sqrt_all, NULL, 0},
    {"prove_squaring", "base squarings ?-option value ...?", {NUMBER | BASE_SIGN, COUNT}, 0,
        OPTION_MEMORY | OPTION_THREADS | OPTION_TIMEOUT | OPTION_CHECKPOINT, method_prove_squaring, NULL, 0},
    {"verify_squaring", "base squarings result proof ?-option value ...?", {NUMBER | BASE_SIGN, COUNT, NUMBER, NUMBER | NATURAL}, 0,
        OPTION_TIMEOUT, method_verify_squaring, NULL, 0},
    {"verify_squaring_list", "bases squarings results proofs ?-option value ...?", {LIST | BASE_SIGN, COUNT, LIST, LIST | NATURAL}, 0,
        OPTION_THREADS | OPTION_TIMEOUT, method_verify_squaring_list, NULL, 0},
    {"plan", "method argument ?argument ...?", {0}, 0, 0, NULL, NULL, 0},
    {"explain", "method argument ?argument ...?", {0}, 0, 0, NULL, NULL, 0},
    {"value", "", {0}, 0, 0, NULL, NULL, 0},
    {"destroy", "", {0}, 0, 0, NULL, NULL, 0},
    {NULL, NULL, {0}, 0, 0, NULL, NULL, 0},
};
