/* Made from pingala.h by tools/java_abi.py (make c-header); do not edit. */

/* The functions of the library that was opened. */
static struct {
    __typeof__(pingala_abi) *abi;
    __typeof__(pingala_version) *version;
    __typeof__(pingala_status_name) *status_name;
    __typeof__(pingala_options_new) *options_new;
    __typeof__(pingala_options_free) *options_free;
    __typeof__(pingala_options_set_threads) *options_set_threads;
    __typeof__(pingala_options_set_kernel) *options_set_kernel;
    __typeof__(pingala_options_set_plan) *options_set_plan;
    __typeof__(pingala_options_set_memory) *options_set_memory;
    __typeof__(pingala_options_set_limits) *options_set_limits;
    __typeof__(pingala_options_set_timeout) *options_set_timeout;
    __typeof__(pingala_options_set_watch) *options_set_watch;
    __typeof__(pingala_options_set_public_exponent_be) *options_set_public_exponent_be;
    __typeof__(pingala_options_set_blinding) *options_set_blinding;
    __typeof__(pingala_options_set_width) *options_set_width;
    __typeof__(pingala_options_set_prime_rounds) *options_set_prime_rounds;
    __typeof__(pingala_options_set_prime_residue_be) *options_set_prime_residue_be;
    __typeof__(pingala_options_set_salt) *options_set_salt;
    __typeof__(pingala_modulus_new_be) *modulus_new_be;
    __typeof__(pingala_modulus_new_factored_be) *modulus_new_factored_be;
    __typeof__(pingala_modulus_new_secret_be) *modulus_new_secret_be;
    __typeof__(pingala_modulus_free) *modulus_free;
    __typeof__(pingala_modulus_bits) *modulus_bits;
    __typeof__(pingala_modulus_width_be) *modulus_width_be;
    __typeof__(pingala_modulus_value_be) *modulus_value_be;
    __typeof__(pingala_powmod_be) *powmod_be;
    __typeof__(pingala_modulus_pow_be) *modulus_pow_be;
    __typeof__(pingala_modulus_invert_be) *modulus_invert_be;
    __typeof__(pingala_modulus_pow_list_be) *modulus_pow_list_be;
    __typeof__(pingala_pow_list_be) *pow_list_be;
    __typeof__(pingala_modulus_pow_exp_list_be) *modulus_pow_exp_list_be;
    __typeof__(pingala_modulus_pow_base_list_be) *modulus_pow_base_list_be;
    __typeof__(pingala_modulus_invert_list_be) *modulus_invert_list_be;
    __typeof__(pingala_modulus_mul_list_be) *modulus_mul_list_be;
    __typeof__(pingala_modulus_square_list_be) *modulus_square_list_be;
    __typeof__(pingala_modulus_product_be) *modulus_product_be;
    __typeof__(pingala_modulus_running_product_be) *modulus_running_product_be;
    __typeof__(pingala_modulus_pow_product_be) *modulus_pow_product_be;
    __typeof__(pingala_pow_product_list_be) *pow_product_list_be;
    __typeof__(pingala_modulus_pow_product_list_be) *modulus_pow_product_list_be;
    __typeof__(pingala_fixed_base_new_be) *fixed_base_new_be;
    __typeof__(pingala_fixed_base_load) *fixed_base_load;
    __typeof__(pingala_fixed_base_save) *fixed_base_save;
    __typeof__(pingala_fixed_base_verify) *fixed_base_verify;
    __typeof__(pingala_fixed_base_free) *fixed_base_free;
    __typeof__(pingala_fixed_base_modulus) *fixed_base_modulus;
    __typeof__(pingala_fixed_base_exponent_bits) *fixed_base_exponent_bits;
    __typeof__(pingala_fixed_base_table_bytes) *fixed_base_table_bytes;
    __typeof__(pingala_fixed_base_base_be) *fixed_base_base_be;
    __typeof__(pingala_fixed_base_pow_be) *fixed_base_pow_be;
    __typeof__(pingala_fixed_base_pow_list_be) *fixed_base_pow_list_be;
    __typeof__(pingala_fixed_exponent_search_be) *fixed_exponent_search_be;
    __typeof__(pingala_fixed_exponent_load) *fixed_exponent_load;
    __typeof__(pingala_fixed_exponent_save) *fixed_exponent_save;
    __typeof__(pingala_fixed_exponent_free) *fixed_exponent_free;
    __typeof__(pingala_fixed_exponent_length) *fixed_exponent_length;
    __typeof__(pingala_fixed_exponent_bits) *fixed_exponent_bits;
    __typeof__(pingala_fixed_exponent_value_be) *fixed_exponent_value_be;
    __typeof__(pingala_fixed_exponent_explain) *fixed_exponent_explain;
    __typeof__(pingala_fixed_exponent_modulo) *fixed_exponent_modulo;
    __typeof__(pingala_fixed_power_free) *fixed_power_free;
    __typeof__(pingala_fixed_power_pow_be) *fixed_power_pow_be;
    __typeof__(pingala_fixed_power_pow_list_be) *fixed_power_pow_list_be;
    __typeof__(pingala_modulus_repeated_square_be) *modulus_repeated_square_be;
    __typeof__(pingala_modulus_prove_squaring_be) *modulus_prove_squaring_be;
    __typeof__(pingala_modulus_verify_squaring_be) *modulus_verify_squaring_be;
    __typeof__(pingala_modulus_verify_squaring_list_be) *modulus_verify_squaring_list_be;
    __typeof__(pingala_modulus_pow_sec_be) *modulus_pow_sec_be;
    __typeof__(pingala_modulus_pow_sec_list_be) *modulus_pow_sec_list_be;
    __typeof__(pingala_fixed_base_pow_sec_list_be) *fixed_base_pow_sec_list_be;
    __typeof__(pingala_modulus_explain_be) *modulus_explain_be;
    __typeof__(pingala_modulus_explain_exp_list_be) *modulus_explain_exp_list_be;
    __typeof__(pingala_modulus_explain_base_list_be) *modulus_explain_base_list_be;
    __typeof__(pingala_modulus_explain_product_be) *modulus_explain_product_be;
    __typeof__(pingala_modulus_explain_repeated_square) *modulus_explain_repeated_square;
    __typeof__(pingala_fixed_base_explain_be) *fixed_base_explain_be;
    __typeof__(pingala_plan_list_be) *plan_list_be;
    __typeof__(pingala_modulus_plan_list_be) *modulus_plan_list_be;
    __typeof__(pingala_plan_product_list_be) *plan_product_list_be;
    __typeof__(pingala_modulus_plan_product_list_be) *modulus_plan_product_list_be;
    __typeof__(pingala_explain_product_list_be) *explain_product_list_be;
    __typeof__(pingala_modulus_explain_product_list_be) *modulus_explain_product_list_be;
    __typeof__(pingala_fixed_base_plan) *fixed_base_plan;
    __typeof__(pingala_key_new_dsa_be) *key_new_dsa_be;
    __typeof__(pingala_key_new_rsa_be) *key_new_rsa_be;
    __typeof__(pingala_key_load) *key_load;
    __typeof__(pingala_key_free) *key_free;
    __typeof__(pingala_key_kind) *key_kind;
    __typeof__(pingala_key_scheme) *key_scheme;
    __typeof__(pingala_key_salt) *key_salt;
    __typeof__(pingala_key_bits) *key_bits;
    __typeof__(pingala_key_weaknesses) *key_weaknesses;
    __typeof__(pingala_key_validate) *key_validate;
    __typeof__(pingala_hash) *hash;
    __typeof__(pingala_verify_list) *verify_list;
    __typeof__(pingala_explain_verify_list) *explain_verify_list;
    __typeof__(pingala_is_prime_be) *is_prime_be;
    __typeof__(pingala_is_prime_list_be) *is_prime_list_be;
    __typeof__(pingala_next_prime_be) *next_prime_be;
    __typeof__(pingala_previous_prime_be) *previous_prime_be;
    __typeof__(pingala_primes_between_be) *primes_between_be;
    __typeof__(pingala_random_prime_be) *random_prime_be;
    __typeof__(pingala_random_proved_prime_be) *random_proved_prime_be;
    __typeof__(pingala_random_secret_prime_be) *random_secret_prime_be;
    __typeof__(pingala_prime_pair_be) *prime_pair_be;
    __typeof__(pingala_certify_be) *certify_be;
    __typeof__(pingala_check_certificate_be) *check_certificate_be;
    __typeof__(pingala_estimate_random_prime) *estimate_random_prime;
    __typeof__(pingala_jacobi_be) *jacobi_be;
    __typeof__(pingala_jacobi_list_be) *jacobi_list_be;
    __typeof__(pingala_kronecker_be) *kronecker_be;
    __typeof__(pingala_sqrt_mod_be) *sqrt_mod_be;
    __typeof__(pingala_sqrt_mod_all_be) *sqrt_mod_all_be;
    __typeof__(pingala_modulus_sqrt_be) *modulus_sqrt_be;
    __typeof__(pingala_modulus_sqrt_all_be) *modulus_sqrt_all_be;
    __typeof__(pingala_sqrt_mod_list_be) *sqrt_mod_list_be;
} f;

static const struct {
    void *where;
    const char *name;
} functions[] = {
    {&f.abi, "pingala_abi"},
    {&f.version, "pingala_version"},
    {&f.status_name, "pingala_status_name"},
    {&f.options_new, "pingala_options_new"},
    {&f.options_free, "pingala_options_free"},
    {&f.options_set_threads, "pingala_options_set_threads"},
    {&f.options_set_kernel, "pingala_options_set_kernel"},
    {&f.options_set_plan, "pingala_options_set_plan"},
    {&f.options_set_memory, "pingala_options_set_memory"},
    {&f.options_set_limits, "pingala_options_set_limits"},
    {&f.options_set_timeout, "pingala_options_set_timeout"},
    {&f.options_set_watch, "pingala_options_set_watch"},
    {&f.options_set_public_exponent_be, "pingala_options_set_public_exponent_be"},
    {&f.options_set_blinding, "pingala_options_set_blinding"},
    {&f.options_set_width, "pingala_options_set_width"},
    {&f.options_set_prime_rounds, "pingala_options_set_prime_rounds"},
    {&f.options_set_prime_residue_be, "pingala_options_set_prime_residue_be"},
    {&f.options_set_salt, "pingala_options_set_salt"},
    {&f.modulus_new_be, "pingala_modulus_new_be"},
    {&f.modulus_new_factored_be, "pingala_modulus_new_factored_be"},
    {&f.modulus_new_secret_be, "pingala_modulus_new_secret_be"},
    {&f.modulus_free, "pingala_modulus_free"},
    {&f.modulus_bits, "pingala_modulus_bits"},
    {&f.modulus_width_be, "pingala_modulus_width_be"},
    {&f.modulus_value_be, "pingala_modulus_value_be"},
    {&f.powmod_be, "pingala_powmod_be"},
    {&f.modulus_pow_be, "pingala_modulus_pow_be"},
    {&f.modulus_invert_be, "pingala_modulus_invert_be"},
    {&f.modulus_pow_list_be, "pingala_modulus_pow_list_be"},
    {&f.pow_list_be, "pingala_pow_list_be"},
    {&f.modulus_pow_exp_list_be, "pingala_modulus_pow_exp_list_be"},
    {&f.modulus_pow_base_list_be, "pingala_modulus_pow_base_list_be"},
    {&f.modulus_invert_list_be, "pingala_modulus_invert_list_be"},
    {&f.modulus_mul_list_be, "pingala_modulus_mul_list_be"},
    {&f.modulus_square_list_be, "pingala_modulus_square_list_be"},
    {&f.modulus_product_be, "pingala_modulus_product_be"},
    {&f.modulus_running_product_be, "pingala_modulus_running_product_be"},
    {&f.modulus_pow_product_be, "pingala_modulus_pow_product_be"},
    {&f.pow_product_list_be, "pingala_pow_product_list_be"},
    {&f.modulus_pow_product_list_be, "pingala_modulus_pow_product_list_be"},
    {&f.fixed_base_new_be, "pingala_fixed_base_new_be"},
    {&f.fixed_base_load, "pingala_fixed_base_load"},
    {&f.fixed_base_save, "pingala_fixed_base_save"},
    {&f.fixed_base_verify, "pingala_fixed_base_verify"},
    {&f.fixed_base_free, "pingala_fixed_base_free"},
    {&f.fixed_base_modulus, "pingala_fixed_base_modulus"},
    {&f.fixed_base_exponent_bits, "pingala_fixed_base_exponent_bits"},
    {&f.fixed_base_table_bytes, "pingala_fixed_base_table_bytes"},
    {&f.fixed_base_base_be, "pingala_fixed_base_base_be"},
    {&f.fixed_base_pow_be, "pingala_fixed_base_pow_be"},
    {&f.fixed_base_pow_list_be, "pingala_fixed_base_pow_list_be"},
    {&f.fixed_exponent_search_be, "pingala_fixed_exponent_search_be"},
    {&f.fixed_exponent_load, "pingala_fixed_exponent_load"},
    {&f.fixed_exponent_save, "pingala_fixed_exponent_save"},
    {&f.fixed_exponent_free, "pingala_fixed_exponent_free"},
    {&f.fixed_exponent_length, "pingala_fixed_exponent_length"},
    {&f.fixed_exponent_bits, "pingala_fixed_exponent_bits"},
    {&f.fixed_exponent_value_be, "pingala_fixed_exponent_value_be"},
    {&f.fixed_exponent_explain, "pingala_fixed_exponent_explain"},
    {&f.fixed_exponent_modulo, "pingala_fixed_exponent_modulo"},
    {&f.fixed_power_free, "pingala_fixed_power_free"},
    {&f.fixed_power_pow_be, "pingala_fixed_power_pow_be"},
    {&f.fixed_power_pow_list_be, "pingala_fixed_power_pow_list_be"},
    {&f.modulus_repeated_square_be, "pingala_modulus_repeated_square_be"},
    {&f.modulus_prove_squaring_be, "pingala_modulus_prove_squaring_be"},
    {&f.modulus_verify_squaring_be, "pingala_modulus_verify_squaring_be"},
    {&f.modulus_verify_squaring_list_be, "pingala_modulus_verify_squaring_list_be"},
    {&f.modulus_pow_sec_be, "pingala_modulus_pow_sec_be"},
    {&f.modulus_pow_sec_list_be, "pingala_modulus_pow_sec_list_be"},
    {&f.fixed_base_pow_sec_list_be, "pingala_fixed_base_pow_sec_list_be"},
    {&f.modulus_explain_be, "pingala_modulus_explain_be"},
    {&f.modulus_explain_exp_list_be, "pingala_modulus_explain_exp_list_be"},
    {&f.modulus_explain_base_list_be, "pingala_modulus_explain_base_list_be"},
    {&f.modulus_explain_product_be, "pingala_modulus_explain_product_be"},
    {&f.modulus_explain_repeated_square, "pingala_modulus_explain_repeated_square"},
    {&f.fixed_base_explain_be, "pingala_fixed_base_explain_be"},
    {&f.plan_list_be, "pingala_plan_list_be"},
    {&f.modulus_plan_list_be, "pingala_modulus_plan_list_be"},
    {&f.plan_product_list_be, "pingala_plan_product_list_be"},
    {&f.modulus_plan_product_list_be, "pingala_modulus_plan_product_list_be"},
    {&f.explain_product_list_be, "pingala_explain_product_list_be"},
    {&f.modulus_explain_product_list_be, "pingala_modulus_explain_product_list_be"},
    {&f.fixed_base_plan, "pingala_fixed_base_plan"},
    {&f.key_new_dsa_be, "pingala_key_new_dsa_be"},
    {&f.key_new_rsa_be, "pingala_key_new_rsa_be"},
    {&f.key_load, "pingala_key_load"},
    {&f.key_free, "pingala_key_free"},
    {&f.key_kind, "pingala_key_kind"},
    {&f.key_scheme, "pingala_key_scheme"},
    {&f.key_salt, "pingala_key_salt"},
    {&f.key_bits, "pingala_key_bits"},
    {&f.key_weaknesses, "pingala_key_weaknesses"},
    {&f.key_validate, "pingala_key_validate"},
    {&f.hash, "pingala_hash"},
    {&f.verify_list, "pingala_verify_list"},
    {&f.explain_verify_list, "pingala_explain_verify_list"},
    {&f.is_prime_be, "pingala_is_prime_be"},
    {&f.is_prime_list_be, "pingala_is_prime_list_be"},
    {&f.next_prime_be, "pingala_next_prime_be"},
    {&f.previous_prime_be, "pingala_previous_prime_be"},
    {&f.primes_between_be, "pingala_primes_between_be"},
    {&f.random_prime_be, "pingala_random_prime_be"},
    {&f.random_proved_prime_be, "pingala_random_proved_prime_be"},
    {&f.random_secret_prime_be, "pingala_random_secret_prime_be"},
    {&f.prime_pair_be, "pingala_prime_pair_be"},
    {&f.certify_be, "pingala_certify_be"},
    {&f.check_certificate_be, "pingala_check_certificate_be"},
    {&f.estimate_random_prime, "pingala_estimate_random_prime"},
    {&f.jacobi_be, "pingala_jacobi_be"},
    {&f.jacobi_list_be, "pingala_jacobi_list_be"},
    {&f.kronecker_be, "pingala_kronecker_be"},
    {&f.sqrt_mod_be, "pingala_sqrt_mod_be"},
    {&f.sqrt_mod_all_be, "pingala_sqrt_mod_all_be"},
    {&f.modulus_sqrt_be, "pingala_modulus_sqrt_be"},
    {&f.modulus_sqrt_all_be, "pingala_modulus_sqrt_all_be"},
    {&f.sqrt_mod_list_be, "pingala_sqrt_mod_list_be"},
};

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_abi(JNIEnv *env, jobject self)
{
    (void)env, (void)self;
    return (jint)f.abi();
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_version(JNIEnv *env, jobject self)
{
    (void)env, (void)self;
    return (jlong)(intptr_t)f.version();
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_statusName(JNIEnv *env, jobject self, jint status)
{
    (void)env, (void)self;
    return (jlong)(intptr_t)f.status_name((int32_t)status);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsNew(JNIEnv *env, jobject self, jlong options, jlong why,
        jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.options_new((pingala_options **)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_optionsFree(JNIEnv *env, jobject self, jlong options)
{
    (void)env, (void)self;
    f.options_free((pingala_options *)(intptr_t)options);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetThreads(JNIEnv *env, jobject self, jlong options, jlong
        threads)
{
    (void)env, (void)self;
    return (jint)f.options_set_threads((pingala_options *)(intptr_t)options, (size_t)threads);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetKernel(JNIEnv *env, jobject self, jlong options, jlong
        kernel)
{
    (void)env, (void)self;
    return (jint)f.options_set_kernel((pingala_options *)(intptr_t)options, (const char *)(intptr_t)kernel);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetPlan(JNIEnv *env, jobject self, jlong options, jlong
        plan)
{
    (void)env, (void)self;
    return (jint)f.options_set_plan((pingala_options *)(intptr_t)options, (const char *)(intptr_t)plan);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetMemory(JNIEnv *env, jobject self, jlong options, jlong
        bytes)
{
    (void)env, (void)self;
    return (jint)f.options_set_memory((pingala_options *)(intptr_t)options, (uint64_t)bytes);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetLimits(JNIEnv *env, jobject self, jlong options, jlong
        modulus_bits, jlong exponent_bits)
{
    (void)env, (void)self;
    return (jint)f.options_set_limits((pingala_options *)(intptr_t)options, (uint64_t)modulus_bits,
            (uint64_t)exponent_bits);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetTimeout(JNIEnv *env, jobject self, jlong options, jlong
        milliseconds)
{
    (void)env, (void)self;
    return (jint)f.options_set_timeout((pingala_options *)(intptr_t)options, (uint64_t)milliseconds);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetWatch(JNIEnv *env, jobject self, jlong options, jlong
        stop, jlong done)
{
    (void)env, (void)self;
    return (jint)f.options_set_watch((pingala_options *)(intptr_t)options, (const uint32_t *)(intptr_t)stop, (uint64_t
            *)(intptr_t)done);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetPublicExponent(JNIEnv *env, jobject self, jlong options,
        jlong exponent, jlong exponent_len)
{
    (void)env, (void)self;
    return (jint)f.options_set_public_exponent_be((pingala_options *)(intptr_t)options, (const uint8_t
            *)(intptr_t)exponent, (size_t)exponent_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetBlinding(JNIEnv *env, jobject self, jlong options, jint
        blinding)
{
    (void)env, (void)self;
    return (jint)f.options_set_blinding((pingala_options *)(intptr_t)options, (uint32_t)blinding);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetWidth(JNIEnv *env, jobject self, jlong options, jlong
        units)
{
    (void)env, (void)self;
    return (jint)f.options_set_width((pingala_options *)(intptr_t)options, (size_t)units);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetPrimeRounds(JNIEnv *env, jobject self, jlong options,
        jint rounds)
{
    (void)env, (void)self;
    return (jint)f.options_set_prime_rounds((pingala_options *)(intptr_t)options, (uint32_t)rounds);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetPrimeResidue(JNIEnv *env, jobject self, jlong options,
        jlong residue, jlong residue_len, jlong divisor, jlong divisor_len)
{
    (void)env, (void)self;
    return (jint)f.options_set_prime_residue_be((pingala_options *)(intptr_t)options, (const uint8_t
            *)(intptr_t)residue, (size_t)residue_len, (const uint8_t *)(intptr_t)divisor, (size_t)divisor_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_optionsSetSalt(JNIEnv *env, jobject self, jlong options, jlong
        bytes)
{
    (void)env, (void)self;
    return (jint)f.options_set_salt((pingala_options *)(intptr_t)options, (int64_t)bytes);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusNew(JNIEnv *env, jobject self, jlong modulus, jlong value,
        jlong value_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_new_be((pingala_modulus **)(intptr_t)modulus, (const uint8_t *)(intptr_t)value,
            (size_t)value_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusNewFactored(JNIEnv *env, jobject self, jlong modulus, jlong
        value, jlong value_len, jlong factors, jlong factor_width, jlong multiplicities, jlong count, jlong options,
        jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_new_factored_be((pingala_modulus **)(intptr_t)modulus, (const uint8_t *)(intptr_t)value,
            (size_t)value_len, (const uint8_t *)(intptr_t)factors, (size_t)factor_width, (const uint32_t
            *)(intptr_t)multiplicities, (size_t)count, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusNewSecret(JNIEnv *env, jobject self, jlong modulus, jlong
        value, jlong value_len, jlong factors, jlong factor_width, jlong factor_bits, jlong multiplicities, jlong count,
        jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_new_secret_be((pingala_modulus **)(intptr_t)modulus, (const uint8_t *)(intptr_t)value,
            (size_t)value_len, (const uint8_t *)(intptr_t)factors, (size_t)factor_width, (const uint64_t
            *)(intptr_t)factor_bits, (const uint32_t *)(intptr_t)multiplicities, (size_t)count, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_modulusFree(JNIEnv *env, jobject self, jlong modulus)
{
    (void)env, (void)self;
    f.modulus_free((pingala_modulus *)(intptr_t)modulus);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_modulusBits(JNIEnv *env, jobject self, jlong modulus)
{
    (void)env, (void)self;
    return (jlong)f.modulus_bits((const pingala_modulus *)(intptr_t)modulus);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_modulusWidth(JNIEnv *env, jobject self, jlong modulus)
{
    (void)env, (void)self;
    return (jlong)f.modulus_width_be((const pingala_modulus *)(intptr_t)modulus);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusValue(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_value_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_powmod(JNIEnv *env, jobject self, jlong out, jlong out_len, jlong
        base, jlong base_len, jlong exponent, jlong exponent_len, jlong modulus, jlong modulus_len, jint signs, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.powmod_be((uint8_t *)(intptr_t)out, (size_t)out_len, (const uint8_t *)(intptr_t)base,
            (size_t)base_len, (const uint8_t *)(intptr_t)exponent, (size_t)exponent_len, (const uint8_t
            *)(intptr_t)modulus, (size_t)modulus_len, (uint32_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPow(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong base, jlong base_len, jlong exponent, jlong exponent_len, jint signs, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (size_t)out_len,
            (const uint8_t *)(intptr_t)base, (size_t)base_len, (const uint8_t *)(intptr_t)exponent,
            (size_t)exponent_len, (uint32_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusInvert(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong value, jlong value_len, jint signs, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_invert_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)value, (size_t)value_len, (uint32_t)signs, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowList(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong bases, jlong exponents, jlong exponent_width, jlong count, jlong status, jlong signs, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)bases, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (size_t)count,
            (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options,
            (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_powList(JNIEnv *env, jobject self, jlong out, jlong out_width,
        jlong bases, jlong base_width, jlong exponents, jlong exponent_width, jlong moduli, jlong moduli_count, jlong
        modulus_of, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.pow_list_be((uint8_t *)(intptr_t)out, (size_t)out_width, (const uint8_t *)(intptr_t)bases,
            (size_t)base_width, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (const pingala_modulus
            *const *)(intptr_t)moduli, (size_t)moduli_count, (const uint32_t *)(intptr_t)modulus_of, (size_t)count,
            (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options,
            (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowExpList(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong base, jlong base_len, jint base_signs, jlong exponents, jlong exponent_width, jlong count, jlong
        status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_exp_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)base, (size_t)base_len, (uint32_t)base_signs, (const uint8_t *)(intptr_t)exponents,
            (size_t)exponent_width, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowBaseList(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong bases, jlong exponent, jlong exponent_len, jint exponent_signs, jlong count, jlong status, jlong
        signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_base_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)bases, (const uint8_t *)(intptr_t)exponent, (size_t)exponent_len,
            (uint32_t)exponent_signs, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusInvertList(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong values, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_invert_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)values, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusMulList(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong a, jlong b, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_mul_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)a, (const uint8_t *)(intptr_t)b, (size_t)count, (int32_t *)(intptr_t)status, (const
            uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusSquareList(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong values, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_square_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)values, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusProduct(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong values, jlong count, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_product_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)values, (size_t)count, (const uint8_t *)(intptr_t)signs, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusRunningProduct(JNIEnv *env, jobject self, jlong modulus,
        jlong out, jlong values, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_running_product_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (const uint8_t *)(intptr_t)values, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t
            *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowProduct(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong out_len, jlong bases, jlong exponents, jlong exponent_width, jlong count, jlong signs, jlong options,
        jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_product_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)bases, (const uint8_t *)(intptr_t)exponents,
            (size_t)exponent_width, (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_powProductList(JNIEnv *env, jobject self, jlong out, jlong
        out_width, jlong bases, jlong base_width, jlong exponents, jlong exponent_width, jlong factor_count, jlong ends,
        jlong moduli, jlong moduli_count, jlong modulus_of, jlong count, jlong status, jlong signs, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.pow_product_list_be((uint8_t *)(intptr_t)out, (size_t)out_width, (const uint8_t *)(intptr_t)bases,
            (size_t)base_width, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (size_t)factor_count,
            (const uint64_t *)(intptr_t)ends, (const pingala_modulus *const *)(intptr_t)moduli, (size_t)moduli_count,
            (const uint32_t *)(intptr_t)modulus_of, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t
            *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowProductList(JNIEnv *env, jobject self, jlong modulus,
        jlong out, jlong bases, jlong exponents, jlong exponent_width, jlong factor_count, jlong ends, jlong count,
        jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_product_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (const uint8_t *)(intptr_t)bases, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width,
            (size_t)factor_count, (const uint64_t *)(intptr_t)ends, (size_t)count, (int32_t *)(intptr_t)status, (const
            uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseNew(JNIEnv *env, jobject self, jlong fixed, jlong modulus,
        jlong base, jlong base_len, jint signs, jlong exponent_bits, jlong memory_bytes, jlong uses, jint kind, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_new_be((pingala_fixed_base **)(intptr_t)fixed, (const pingala_modulus *)(intptr_t)modulus,
            (const uint8_t *)(intptr_t)base, (size_t)base_len, (uint32_t)signs, (uint64_t)exponent_bits,
            (uint64_t)memory_bytes, (uint64_t)uses, (uint32_t)kind, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseLoad(JNIEnv *env, jobject self, jlong fixed, jlong path,
        jlong expected, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_load((pingala_fixed_base **)(intptr_t)fixed, (const char *)(intptr_t)path, (const
            pingala_modulus *)(intptr_t)expected, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseSave(JNIEnv *env, jobject self, jlong fixed, jlong path,
        jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_save((const pingala_fixed_base *)(intptr_t)fixed, (const char *)(intptr_t)path, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseVerify(JNIEnv *env, jobject self, jlong fixed, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_verify((const pingala_fixed_base *)(intptr_t)fixed, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_fixedBaseFree(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    f.fixed_base_free((pingala_fixed_base *)(intptr_t)fixed);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseModulus(JNIEnv *env, jobject self, jlong fixed, jlong
        modulus, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_modulus((const pingala_fixed_base *)(intptr_t)fixed, (pingala_modulus
            **)(intptr_t)modulus, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_fixedBaseExponentBits(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    return (jlong)f.fixed_base_exponent_bits((const pingala_fixed_base *)(intptr_t)fixed);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_fixedBaseTableBytes(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    return (jlong)f.fixed_base_table_bytes((const pingala_fixed_base *)(intptr_t)fixed);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseBase(JNIEnv *env, jobject self, jlong fixed, jlong out,
        jlong out_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_base_be((const pingala_fixed_base *)(intptr_t)fixed, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBasePow(JNIEnv *env, jobject self, jlong fixed, jlong out,
        jlong out_len, jlong exponent, jlong exponent_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_pow_be((const pingala_fixed_base *)(intptr_t)fixed, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)exponent, (size_t)exponent_len, (uint32_t)signs, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBasePowList(JNIEnv *env, jobject self, jlong fixed, jlong out,
        jlong exponents, jlong exponent_width, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong
        why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_pow_list_be((const pingala_fixed_base *)(intptr_t)fixed, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (size_t)count, (int32_t *)(intptr_t)status, (const
            uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentSearch(JNIEnv *env, jobject self, jlong fixed, jlong
        exponent, jlong exponent_len, jlong moves, jlong milliseconds, jlong seed, jlong options, jlong why, jlong
        why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_search_be((pingala_fixed_exponent **)(intptr_t)fixed, (const uint8_t
            *)(intptr_t)exponent, (size_t)exponent_len, (uint64_t)moves, (uint64_t)milliseconds, (uint64_t)seed, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentLoad(JNIEnv *env, jobject self, jlong fixed, jlong
        path, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_load((pingala_fixed_exponent **)(intptr_t)fixed, (const char *)(intptr_t)path, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentSave(JNIEnv *env, jobject self, jlong fixed, jlong
        path, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_save((const pingala_fixed_exponent *)(intptr_t)fixed, (const char *)(intptr_t)path,
            (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_fixedExponentFree(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    f.fixed_exponent_free((pingala_fixed_exponent *)(intptr_t)fixed);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_fixedExponentLength(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    return (jlong)f.fixed_exponent_length((const pingala_fixed_exponent *)(intptr_t)fixed);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_fixedExponentBits(JNIEnv *env, jobject self, jlong fixed)
{
    (void)env, (void)self;
    return (jlong)f.fixed_exponent_bits((const pingala_fixed_exponent *)(intptr_t)fixed);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentValue(JNIEnv *env, jobject self, jlong fixed, jlong
        out, jlong out_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_value_be((const pingala_fixed_exponent *)(intptr_t)fixed, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentExplain(JNIEnv *env, jobject self, jlong fixed, jlong
        modulus, jlong text, jlong text_len, jlong needed, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_explain((const pingala_fixed_exponent *)(intptr_t)fixed, (const pingala_modulus
            *)(intptr_t)modulus, (char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedExponentModulo(JNIEnv *env, jobject self, jlong fixed, jlong
        modulus, jlong power, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_exponent_modulo((const pingala_fixed_exponent *)(intptr_t)fixed, (const pingala_modulus
            *)(intptr_t)modulus, (pingala_fixed_power **)(intptr_t)power, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_fixedPowerFree(JNIEnv *env, jobject self, jlong power)
{
    (void)env, (void)self;
    f.fixed_power_free((pingala_fixed_power *)(intptr_t)power);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedPowerPow(JNIEnv *env, jobject self, jlong power, jlong out,
        jlong out_len, jlong base, jlong base_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_power_pow_be((const pingala_fixed_power *)(intptr_t)power, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)base, (size_t)base_len, (uint32_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedPowerPowList(JNIEnv *env, jobject self, jlong power, jlong
        out, jlong bases, jlong count, jlong status, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_power_pow_list_be((const pingala_fixed_power *)(intptr_t)power, (uint8_t *)(intptr_t)out,
            (const uint8_t *)(intptr_t)bases, (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t
            *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusRepeatedSquare(JNIEnv *env, jobject self, jlong modulus,
        jlong out, jlong out_len, jlong base, jlong base_len, jlong squarings, jint signs, jlong checkpoint, jlong
        every_milliseconds, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_repeated_square_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)base, (size_t)base_len, (uint64_t)squarings, (uint32_t)signs,
            (const char *)(intptr_t)checkpoint, (uint64_t)every_milliseconds, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusProveSquaring(JNIEnv *env, jobject self, jlong modulus,
        jlong out, jlong out_len, jlong proof, jlong proof_len, jlong base, jlong base_len, jlong squarings, jint signs,
        jlong checkpoint, jlong every_milliseconds, jlong memory_bytes, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_prove_squaring_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (uint8_t *)(intptr_t)proof, (size_t)proof_len, (const uint8_t *)(intptr_t)base,
            (size_t)base_len, (uint64_t)squarings, (uint32_t)signs, (const char *)(intptr_t)checkpoint,
            (uint64_t)every_milliseconds, (uint64_t)memory_bytes, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusVerifySquaring(JNIEnv *env, jobject self, jlong modulus,
        jlong valid, jlong base, jlong base_len, jlong squarings, jint signs, jlong result, jlong result_len, jlong
        proof, jlong proof_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_verify_squaring_be((const pingala_modulus *)(intptr_t)modulus, (uint32_t *)(intptr_t)valid,
            (const uint8_t *)(intptr_t)base, (size_t)base_len, (uint64_t)squarings, (uint32_t)signs, (const uint8_t
            *)(intptr_t)result, (size_t)result_len, (const uint8_t *)(intptr_t)proof, (size_t)proof_len, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusVerifySquaringList(JNIEnv *env, jobject self, jlong modulus,
        jlong answers, jlong bases, jlong base_width, jlong squarings, jlong results, jlong result_width, jlong proofs,
        jlong proof_width, jlong count, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_verify_squaring_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t
            *)(intptr_t)answers, (const uint8_t *)(intptr_t)bases, (size_t)base_width, (uint64_t)squarings, (const
            uint8_t *)(intptr_t)results, (size_t)result_width, (const uint8_t *)(intptr_t)proofs, (size_t)proof_width,
            (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowSec(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong base, jlong base_len, jlong exponent, jlong exponent_len, jlong exponent_bits, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_sec_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)base, (size_t)base_len, (const uint8_t *)(intptr_t)exponent,
            (size_t)exponent_len, (uint64_t)exponent_bits, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPowSecList(JNIEnv *env, jobject self, jlong modulus, jlong
        out, jlong bases, jlong exponents, jlong exponent_width, jlong exponent_bits, jlong exponent_count, jlong count,
        jlong status, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_pow_sec_list_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out, (const
            uint8_t *)(intptr_t)bases, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width,
            (uint64_t)exponent_bits, (size_t)exponent_count, (size_t)count, (int32_t *)(intptr_t)status, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBasePowSecList(JNIEnv *env, jobject self, jlong fixed, jlong
        out, jlong exponents, jlong exponent_width, jlong exponent_bits, jlong count, jlong status, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_pow_sec_list_be((const pingala_fixed_base *)(intptr_t)fixed, (uint8_t *)(intptr_t)out,
            (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (uint64_t)exponent_bits, (size_t)count,
            (int32_t *)(intptr_t)status, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplain(JNIEnv *env, jobject self, jlong modulus, jlong
        text, jlong text_len, jlong needed, jint format, jlong base, jlong base_len, jlong exponent, jlong exponent_len,
        jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)base,
            (size_t)base_len, (const uint8_t *)(intptr_t)exponent, (size_t)exponent_len, (uint32_t)signs, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplainExpList(JNIEnv *env, jobject self, jlong modulus,
        jlong text, jlong text_len, jlong needed, jint format, jlong exponents, jlong exponent_width, jlong count, jlong
        signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_exp_list_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)exponents,
            (size_t)exponent_width, (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplainBaseList(JNIEnv *env, jobject self, jlong modulus,
        jlong text, jlong text_len, jlong needed, jint format, jlong bases, jlong base_width, jlong count, jlong
        exponent, jlong exponent_len, jint exponent_signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_base_list_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)bases,
            (size_t)base_width, (size_t)count, (const uint8_t *)(intptr_t)exponent, (size_t)exponent_len,
            (uint32_t)exponent_signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplainProduct(JNIEnv *env, jobject self, jlong modulus,
        jlong text, jlong text_len, jlong needed, jint format, jlong exponents, jlong exponent_width, jlong count, jlong
        signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_product_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)exponents,
            (size_t)exponent_width, (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplainRepeatedSquare(JNIEnv *env, jobject self, jlong
        modulus, jlong text, jlong text_len, jlong needed, jint format, jlong squarings, jlong options, jlong why, jlong
        why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_repeated_square((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (uint64_t)squarings, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBaseExplain(JNIEnv *env, jobject self, jlong modulus, jlong
        text, jlong text_len, jlong needed, jint format, jlong base, jlong base_len, jint signs, jlong exponent_bits,
        jlong memory_bytes, jlong powers, jint kind, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_explain_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)base,
            (size_t)base_len, (uint32_t)signs, (uint64_t)exponent_bits, (uint64_t)memory_bytes, (uint64_t)powers,
            (uint32_t)kind, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_planList(JNIEnv *env, jobject self, jlong text, jlong text_len,
        jlong needed, jlong bases, jlong base_width, jlong exponents, jlong exponent_width, jlong moduli, jlong
        moduli_count, jlong modulus_of, jlong count, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.plan_list_be((char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed, (const uint8_t
            *)(intptr_t)bases, (size_t)base_width, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (const
            pingala_modulus *const *)(intptr_t)moduli, (size_t)moduli_count, (const uint32_t *)(intptr_t)modulus_of,
            (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPlanList(JNIEnv *env, jobject self, jlong modulus, jlong
        text, jlong text_len, jlong needed, jlong bases, jlong exponents, jlong exponent_width, jlong count, jlong
        signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_plan_list_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (const uint8_t *)(intptr_t)bases, (const uint8_t
            *)(intptr_t)exponents, (size_t)exponent_width, (size_t)count, (const uint8_t *)(intptr_t)signs, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_planProductList(JNIEnv *env, jobject self, jlong text, jlong
        text_len, jlong needed, jlong bases, jlong base_width, jlong exponents, jlong exponent_width, jlong
        factor_count, jlong ends, jlong moduli, jlong moduli_count, jlong modulus_of, jlong count, jlong signs, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.plan_product_list_be((char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed, (const
            uint8_t *)(intptr_t)bases, (size_t)base_width, (const uint8_t *)(intptr_t)exponents, (size_t)exponent_width,
            (size_t)factor_count, (const uint64_t *)(intptr_t)ends, (const pingala_modulus *const *)(intptr_t)moduli,
            (size_t)moduli_count, (const uint32_t *)(intptr_t)modulus_of, (size_t)count, (const uint8_t
            *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusPlanProductList(JNIEnv *env, jobject self, jlong modulus,
        jlong text, jlong text_len, jlong needed, jlong bases, jlong exponents, jlong exponent_width, jlong
        factor_count, jlong ends, jlong count, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_plan_product_list_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (const uint8_t *)(intptr_t)bases, (const uint8_t
            *)(intptr_t)exponents, (size_t)exponent_width, (size_t)factor_count, (const uint64_t *)(intptr_t)ends,
            (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_explainProductList(JNIEnv *env, jobject self, jlong text, jlong
        text_len, jlong needed, jint format, jlong bases, jlong base_width, jlong exponents, jlong exponent_width, jlong
        factor_count, jlong ends, jlong moduli, jlong moduli_count, jlong modulus_of, jlong count, jlong signs, jlong
        options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.explain_product_list_be((char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed,
            (uint32_t)format, (const uint8_t *)(intptr_t)bases, (size_t)base_width, (const uint8_t
            *)(intptr_t)exponents, (size_t)exponent_width, (size_t)factor_count, (const uint64_t *)(intptr_t)ends,
            (const pingala_modulus *const *)(intptr_t)moduli, (size_t)moduli_count, (const uint32_t
            *)(intptr_t)modulus_of, (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusExplainProductList(JNIEnv *env, jobject self, jlong modulus,
        jlong text, jlong text_len, jlong needed, jint format, jlong bases, jlong exponents, jlong exponent_width, jlong
        factor_count, jlong ends, jlong count, jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_explain_product_list_be((const pingala_modulus *)(intptr_t)modulus, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint32_t)format, (const uint8_t *)(intptr_t)bases, (const
            uint8_t *)(intptr_t)exponents, (size_t)exponent_width, (size_t)factor_count, (const uint64_t
            *)(intptr_t)ends, (size_t)count, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_fixedBasePlan(JNIEnv *env, jobject self, jlong fixed, jlong text,
        jlong text_len, jlong needed, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.fixed_base_plan((const pingala_fixed_base *)(intptr_t)fixed, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyNewDsa(JNIEnv *env, jobject self, jlong key, jlong p, jlong
        p_len, jlong q, jlong q_len, jlong g, jlong g_len, jlong y, jlong y_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.key_new_dsa_be((pingala_key **)(intptr_t)key, (const uint8_t *)(intptr_t)p, (size_t)p_len, (const
            uint8_t *)(intptr_t)q, (size_t)q_len, (const uint8_t *)(intptr_t)g, (size_t)g_len, (const uint8_t
            *)(intptr_t)y, (size_t)y_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyNewRsa(JNIEnv *env, jobject self, jlong key, jlong n, jlong
        n_len, jlong e, jlong e_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.key_new_rsa_be((pingala_key **)(intptr_t)key, (const uint8_t *)(intptr_t)n, (size_t)n_len, (const
            uint8_t *)(intptr_t)e, (size_t)e_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyLoad(JNIEnv *env, jobject self, jlong key, jlong data, jlong
        data_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.key_load((pingala_key **)(intptr_t)key, (const uint8_t *)(intptr_t)data, (size_t)data_len, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT void JNICALL Java_org_pingala_JniFunctions_keyFree(JNIEnv *env, jobject self, jlong key)
{
    (void)env, (void)self;
    f.key_free((pingala_key *)(intptr_t)key);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyKind(JNIEnv *env, jobject self, jlong key)
{
    (void)env, (void)self;
    return (jint)f.key_kind((const pingala_key *)(intptr_t)key);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyScheme(JNIEnv *env, jobject self, jlong key, jint scheme)
{
    (void)env, (void)self;
    return (jint)f.key_scheme((const pingala_key *)(intptr_t)key, (uint32_t)scheme);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_keySalt(JNIEnv *env, jobject self, jlong key)
{
    (void)env, (void)self;
    return (jlong)f.key_salt((const pingala_key *)(intptr_t)key);
}

JNIEXPORT jlong JNICALL Java_org_pingala_JniFunctions_keyBits(JNIEnv *env, jobject self, jlong key)
{
    (void)env, (void)self;
    return (jlong)f.key_bits((const pingala_key *)(intptr_t)key);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyWeaknesses(JNIEnv *env, jobject self, jlong key, jint scheme)
{
    (void)env, (void)self;
    return (jint)f.key_weaknesses((const pingala_key *)(intptr_t)key, (uint32_t)scheme);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_keyValidate(JNIEnv *env, jobject self, jlong key, jint depth, jlong
        defects, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.key_validate((const pingala_key *)(intptr_t)key, (uint32_t)depth, (uint32_t *)(intptr_t)defects,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_hash(JNIEnv *env, jobject self, jlong out, jlong out_len, jlong
        needed, jint scheme, jlong message, jlong message_len, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.hash((uint8_t *)(intptr_t)out, (size_t)out_len, (size_t *)(intptr_t)needed, (uint32_t)scheme, (const
            uint8_t *)(intptr_t)message, (size_t)message_len, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_verifyList(JNIEnv *env, jobject self, jlong verdicts, jlong status,
        jlong keys, jlong key_of, jlong digests, jlong digest_width, jlong signatures, jlong ends, jlong count, jint
        scheme, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.verify_list((uint8_t *)(intptr_t)verdicts, (int32_t *)(intptr_t)status, (const pingala_key *const
            *)(intptr_t)keys, (const uint32_t *)(intptr_t)key_of, (const uint8_t *)(intptr_t)digests,
            (size_t)digest_width, (const uint8_t *)(intptr_t)signatures, (const uint64_t *)(intptr_t)ends,
            (size_t)count, (uint32_t)scheme, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_explainVerifyList(JNIEnv *env, jobject self, jlong text, jlong
        text_len, jlong needed, jlong keys, jlong key_of, jlong digests, jlong digest_width, jlong signatures, jlong
        ends, jlong count, jint scheme, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.explain_verify_list((char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed, (const
            pingala_key *const *)(intptr_t)keys, (const uint32_t *)(intptr_t)key_of, (const uint8_t *)(intptr_t)digests,
            (size_t)digest_width, (const uint8_t *)(intptr_t)signatures, (const uint64_t *)(intptr_t)ends,
            (size_t)count, (uint32_t)scheme, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_isPrime(JNIEnv *env, jobject self, jlong answer, jlong n, jlong
        n_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.is_prime_be((uint32_t *)(intptr_t)answer, (const uint8_t *)(intptr_t)n, (size_t)n_len, (const
            pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_isPrimeList(JNIEnv *env, jobject self, jlong answers, jlong
        numbers, jlong number_width, jlong count, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.is_prime_list_be((uint8_t *)(intptr_t)answers, (const uint8_t *)(intptr_t)numbers,
            (size_t)number_width, (size_t)count, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_nextPrime(JNIEnv *env, jobject self, jlong out, jlong out_len,
        jlong n, jlong n_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.next_prime_be((uint8_t *)(intptr_t)out, (size_t)out_len, (const uint8_t *)(intptr_t)n, (size_t)n_len,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_previousPrime(JNIEnv *env, jobject self, jlong out, jlong out_len,
        jlong n, jlong n_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.previous_prime_be((uint8_t *)(intptr_t)out, (size_t)out_len, (const uint8_t *)(intptr_t)n,
            (size_t)n_len, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_primesBetween(JNIEnv *env, jobject self, jlong out, jlong out_len,
        jlong width, jlong needed, jlong a, jlong a_len, jlong b, jlong b_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.primes_between_be((uint8_t *)(intptr_t)out, (size_t)out_len, (size_t)width, (size_t
            *)(intptr_t)needed, (const uint8_t *)(intptr_t)a, (size_t)a_len, (const uint8_t *)(intptr_t)b,
            (size_t)b_len, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_randomPrime(JNIEnv *env, jobject self, jlong out, jlong out_len,
        jlong bits, jint conditions, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.random_prime_be((uint8_t *)(intptr_t)out, (size_t)out_len, (uint64_t)bits, (uint32_t)conditions,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_randomProvedPrime(JNIEnv *env, jobject self, jlong out, jlong
        out_len, jlong text, jlong text_len, jlong needed, jlong bits, jint conditions, jlong options, jlong why, jlong
        why_len)
{
    (void)env, (void)self;
    return (jint)f.random_proved_prime_be((uint8_t *)(intptr_t)out, (size_t)out_len, (char *)(intptr_t)text,
            (size_t)text_len, (size_t *)(intptr_t)needed, (uint64_t)bits, (uint32_t)conditions, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_randomSecretPrime(JNIEnv *env, jobject self, jlong out, jlong
        out_len, jlong bits, jint conditions, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.random_secret_prime_be((uint8_t *)(intptr_t)out, (size_t)out_len, (uint64_t)bits,
            (uint32_t)conditions, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_primePair(JNIEnv *env, jobject self, jlong p, jlong p_len, jlong q,
        jlong q_len, jlong modulus_bits, jint kind, jlong public_exponent, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.prime_pair_be((uint8_t *)(intptr_t)p, (size_t)p_len, (uint8_t *)(intptr_t)q, (size_t)q_len,
            (uint64_t)modulus_bits, (uint32_t)kind, (uint64_t)public_exponent, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_certify(JNIEnv *env, jobject self, jlong text, jlong text_len,
        jlong needed, jlong n, jlong n_len, jlong factors, jlong factor_width, jlong factor_count, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.certify_be((char *)(intptr_t)text, (size_t)text_len, (size_t *)(intptr_t)needed, (const uint8_t
            *)(intptr_t)n, (size_t)n_len, (const uint8_t *)(intptr_t)factors, (size_t)factor_width,
            (size_t)factor_count, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_checkCertificate(JNIEnv *env, jobject self, jlong out, jlong
        out_len, jlong certificate, jlong certificate_len, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.check_certificate_be((uint8_t *)(intptr_t)out, (size_t)out_len, (const char *)(intptr_t)certificate,
            (size_t)certificate_len, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_estimateRandomPrime(JNIEnv *env, jobject self, jlong tests, jlong
        seconds, jlong bits, jint conditions, jint secret, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.estimate_random_prime((double *)(intptr_t)tests, (double *)(intptr_t)seconds, (uint64_t)bits,
            (uint32_t)conditions, (uint32_t)secret, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_jacobi(JNIEnv *env, jobject self, jlong symbol, jlong a, jlong
        a_len, jlong n, jlong n_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.jacobi_be((int32_t *)(intptr_t)symbol, (const uint8_t *)(intptr_t)a, (size_t)a_len, (const uint8_t
            *)(intptr_t)n, (size_t)n_len, (uint32_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_jacobiList(JNIEnv *env, jobject self, jlong symbols, jlong a, jlong
        a_width, jlong n, jlong n_width, jlong n_count, jlong count, jlong signs, jlong options, jlong why, jlong
        why_len)
{
    (void)env, (void)self;
    return (jint)f.jacobi_list_be((int32_t *)(intptr_t)symbols, (const uint8_t *)(intptr_t)a, (size_t)a_width, (const
            uint8_t *)(intptr_t)n, (size_t)n_width, (size_t)n_count, (size_t)count, (const uint8_t *)(intptr_t)signs,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_kronecker(JNIEnv *env, jobject self, jlong symbol, jlong a, jlong
        a_len, jlong n, jlong n_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.kronecker_be((int32_t *)(intptr_t)symbol, (const uint8_t *)(intptr_t)a, (size_t)a_len, (const uint8_t
            *)(intptr_t)n, (size_t)n_len, (uint32_t)signs, (const pingala_options *)(intptr_t)options, (char
            *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_sqrtMod(JNIEnv *env, jobject self, jlong out, jlong out_len, jlong
        a, jlong a_len, jlong p, jlong p_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.sqrt_mod_be((uint8_t *)(intptr_t)out, (size_t)out_len, (const uint8_t *)(intptr_t)a, (size_t)a_len,
            (const uint8_t *)(intptr_t)p, (size_t)p_len, (uint32_t)signs, (const pingala_options *)(intptr_t)options,
            (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_sqrtModAll(JNIEnv *env, jobject self, jlong out, jlong out_len,
        jlong width, jlong needed, jlong a, jlong a_len, jlong p, jlong p_len, jint signs, jlong options, jlong why,
        jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.sqrt_mod_all_be((uint8_t *)(intptr_t)out, (size_t)out_len, (size_t)width, (size_t *)(intptr_t)needed,
            (const uint8_t *)(intptr_t)a, (size_t)a_len, (const uint8_t *)(intptr_t)p, (size_t)p_len, (uint32_t)signs,
            (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusSqrt(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong a, jlong a_len, jint signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_sqrt_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (const uint8_t *)(intptr_t)a, (size_t)a_len, (uint32_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_modulusSqrtAll(JNIEnv *env, jobject self, jlong modulus, jlong out,
        jlong out_len, jlong width, jlong needed, jlong a, jlong a_len, jlong most, jint signs, jlong options, jlong
        why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.modulus_sqrt_all_be((const pingala_modulus *)(intptr_t)modulus, (uint8_t *)(intptr_t)out,
            (size_t)out_len, (size_t)width, (size_t *)(intptr_t)needed, (const uint8_t *)(intptr_t)a, (size_t)a_len,
            (uint64_t)most, (uint32_t)signs, (const pingala_options *)(intptr_t)options, (char *)(intptr_t)why,
            (size_t)why_len);
}

JNIEXPORT jint JNICALL Java_org_pingala_JniFunctions_sqrtModList(JNIEnv *env, jobject self, jlong out, jlong out_width,
        jlong values, jlong value_width, jlong primes, jlong prime_width, jlong prime_count, jlong count, jlong status,
        jlong signs, jlong options, jlong why, jlong why_len)
{
    (void)env, (void)self;
    return (jint)f.sqrt_mod_list_be((uint8_t *)(intptr_t)out, (size_t)out_width, (const uint8_t *)(intptr_t)values,
            (size_t)value_width, (const uint8_t *)(intptr_t)primes, (size_t)prime_width, (size_t)prime_count,
            (size_t)count, (int32_t *)(intptr_t)status, (const uint8_t *)(intptr_t)signs, (const pingala_options
            *)(intptr_t)options, (char *)(intptr_t)why, (size_t)why_len);
}
