/* Signatures: verify FOLDER, with the data of pingala-verify's tests in the folder. */
#include "check.h"

static size_t from_file(const char *folder, const char *name, uint8_t *bytes, size_t length)
{
    char path[1024];
    FILE *file;
    size_t read;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    read = fread(bytes, 1, length, file);
    fclose(file);
    return read;
}

static size_t from_hex(const char *hex, uint8_t *bytes)
{
    size_t length = strlen(hex) / 2, at;
    for (at = 0; at < length; at++) {
        unsigned value = 0;
        sscanf(hex + 2 * at, "%2x", &value);
        bytes[at] = (uint8_t)value;
    }
    return length;
}

/* A word of a line of rfc6979.txt, up to `length` characters. */
static const char *word(char **rest)
{
    char *start = *rest;
    char *end = start + strcspn(start, " \n");
    *rest = *end ? end + 1 : end;
    *end = 0;
    return start;
}

static void rsa(const char *folder)
{
    static uint8_t pem[4096], signatures[3 * 256 + 1], message[100];
    uint8_t digests[3 * 32], verdicts[3] = {7, 7, 7};
    const uint32_t scheme = PINGALA_RSA_PKCS1 | PINGALA_SHA256, key_of[3] = {0, 0, 0};
    uint64_t ends[3] = {256, 512, 768};
    int32_t status[3];
    uint32_t defects = 9;
    size_t at, needed = 0, pem_len = from_file(folder, "rsa.pem", pem, sizeof pem);
    size_t message_len = from_file(folder, "message", message, sizeof message);
    pingala_key *key = NULL;
    const pingala_key *keys[3];
    pingala_options *options = NULL;
    for (at = 0; at < 3; at++)
        CHECK(from_file(folder, "rsa.sig", signatures + 256 * at, 256) == 256);
    OK(pingala_key_load(&key, pem, pem_len, WHY));
    CHECK(pingala_key_kind(key) == PINGALA_RSA_PKCS1 && pingala_key_bits(key) == 2048);
    CHECK(pingala_key_weaknesses(key, scheme) == 0);
    CHECK(pingala_key_weaknesses(key, PINGALA_RSA_PKCS1 | PINGALA_SHA1) == PINGALA_BROKEN_HASH);
    OK(pingala_key_validate(key, 2, &defects, NULL, WHY));
    CHECK(defects == 0);
    for (at = 0; at < 3; at++) {
        keys[at] = key;
        OK(pingala_hash(digests + 32 * at, 32, &needed, scheme, message, message_len, WHY));
    }
    CHECK(needed == 32);
    CHECK(pingala_hash(digests, 31, NULL, scheme, message, message_len, WHY) == PINGALA_BAD_ARGUMENT);
    signatures[300] ^= 1;
    OK(pingala_verify_list(verdicts, status, keys, key_of, digests, 32, signatures, ends, 3, scheme, NULL, WHY));
    CHECK(verdicts[0] == 1 && verdicts[1] == 0 && verdicts[2] == 1);
    CHECK(status[0] == PINGALA_OK && status[1] == PINGALA_MISMATCH && status[2] == PINGALA_OK);
    CHECK(!strcmp(pingala_status_name(status[1]), "mismatch"));
    OK(pingala_verify_list(verdicts, NULL, keys, NULL, digests, 32, signatures, ends, 3, scheme | PINGALA_STRICT, NULL, WHY));
    CHECK(verdicts[0] == 1 && verdicts[1] == 0 && verdicts[2] == 1);
    /* Lengths, paddings and settings that do not fit. */
    ends[2] = 767;
    OK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 3, scheme, NULL, WHY));
    CHECK(verdicts[2] == 0 && status[2] == PINGALA_BAD_ENCODING);
    OK(pingala_options_new(&options, WHY));
    OK(pingala_options_set_salt(options, 32));
    OK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 1,
        PINGALA_RSA_PSS | PINGALA_SHA256 | PINGALA_SHA1 << PINGALA_MGF_SHIFT, options, WHY));
    CHECK(verdicts[0] == 0 && status[0] == PINGALA_MISMATCH);
    OK(pingala_verify_list(verdicts, status, keys, NULL, digests, 31, signatures, ends, 1, scheme, NULL, WHY));
    CHECK(verdicts[0] == 0 && status[0] == PINGALA_BAD_ARGUMENT);
    OK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 1, PINGALA_DSA | PINGALA_SHA256, NULL, WHY));
    CHECK(verdicts[0] == 0 && status[0] == PINGALA_BAD_ARGUMENT);
    verdicts[0] = 1;
    ends[0] = 300;
    ends[1] = 256;
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 2, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(verdicts[0] == 0);
    keys[1] = NULL;
    ends[1] = 512;
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 2, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(verdicts, status, NULL, NULL, digests, 32, signatures, ends, 1, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(NULL, status, keys, NULL, digests, 32, signatures, ends, 1, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, NULL, 32, signatures, ends, 1, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, NULL, 1, scheme, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 1, 0, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_verify_list(verdicts, status, keys, NULL, digests, 32, signatures, ends, 1, scheme | 1u << 30, NULL, WHY)
        == PINGALA_BAD_ARGUMENT);
    OK(pingala_verify_list(NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, scheme, NULL, WHY));
    CHECK(pingala_key_validate(key, 3, &defects, NULL, WHY) == PINGALA_BAD_ARGUMENT);
    pingala_options_free(options);
    pingala_key_free(key);
    pingala_key_free(NULL);
    key = (pingala_key *)1;
    CHECK(pingala_key_load(&key, pem, 20, WHY) == PINGALA_BAD_ARGUMENT && key == NULL);
    CHECK(pingala_key_kind(NULL) == 0 && pingala_key_bits(NULL) == 0 && pingala_key_weaknesses(NULL, scheme) == 0);
}

/* A signature behind its length in bits, and one of OpenSSH; then what a list of them would share. */
static void encodings(const char *folder)
{
    static uint8_t pem[4096], message[100], signature[300];
    uint8_t digest[32], saved[2], *blob = signature + 24, *mpi, verdict = 7;
    const uint32_t scheme = PINGALA_RSA_PKCS1 | PINGALA_SHA256;
    uint64_t ends[2] = {256, 512};
    size_t needed = 0, pem_len = from_file(folder, "rsa.pem", pem, sizeof pem);
    size_t message_len = from_file(folder, "message", message, sizeof message);
    char text[200], all[2000];
    pingala_key *key = NULL;
    const pingala_key *keys[1];
    const uint32_t key_of[2] = {0, 0};
    uint8_t two[2 * 256], digests[64];
    unsigned bits = 2048;
    OK(pingala_key_load(&key, pem, pem_len, WHY));
    keys[0] = key;
    OK(pingala_hash(digest, 32, NULL, scheme, message, message_len, WHY));
    CHECK(from_file(folder, "rsa.sig", blob, 256) == 256);

    /* Without the zeros on top. */
    while (!(blob[(2048 - bits) / 8] >> (bits - 1) % 8 & 1))
        bits--;
    mpi = blob + 256 - (bits + 7) / 8;
    saved[0] = mpi[-2];
    saved[1] = mpi[-1];
    mpi[-2] = (uint8_t)(bits >> 8);
    mpi[-1] = (uint8_t)bits;
    ends[0] = 2 + (bits + 7) / 8;
    OK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, 32, mpi - 2, ends, 1, scheme | PINGALA_OPENPGP, NULL, WHY));
    CHECK(verdict == 1);
    OK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, 32, mpi - 2, ends, 1, scheme | PINGALA_SSH, NULL, WHY));
    CHECK(verdict == 0);
    mpi[-2] = saved[0];
    mpi[-1] = saved[1];
    memcpy(signature, "\0\0\0\014rsa-sha2-256\0\0\1\0", 20);
    memmove(signature + 20, blob, 256);
    ends[0] = 276;
    OK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, 32, signature, ends, 1, scheme | PINGALA_SSH, NULL, WHY));
    CHECK(verdict == 1);
    CHECK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, 32, signature, ends, 1, scheme | PINGALA_SSH | PINGALA_OPENPGP,
              NULL, WHY) == PINGALA_BAD_ARGUMENT);
    CHECK(verdict == 0);

    memcpy(two, signature + 20, 256);
    memcpy(two + 256, signature + 20, 256);
    memcpy(digests, digest, 32);
    memcpy(digests + 32, digest, 32);
    ends[0] = 256;
    OK(pingala_explain_verify_list(all, sizeof all, &needed, keys, key_of, digests, 32, two, ends, 2, scheme, NULL, WHY));
    CHECK(strstr(all, "rsa 2048: 2 with exponents of 17 bits") == all && needed == strlen(all) + 1);
    OK(pingala_explain_verify_list(text, 9, NULL, keys, key_of, digests, 32, two, ends, 2, scheme, NULL, WHY));
    CHECK(!strcmp(text, "rsa 2048"));
    ends[1] = 511;
    OK(pingala_explain_verify_list(all, sizeof all, NULL, keys, key_of, digests, 32, two, ends, 2, scheme, NULL, WHY));
    CHECK(strstr(all, "1 without arithmetic") == all);
    OK(pingala_explain_verify_list(NULL, 0, &needed, NULL, NULL, NULL, 0, NULL, NULL, 0, scheme, NULL, WHY));
    CHECK(needed == 1);
    CHECK(pingala_explain_verify_list(text, 9, NULL, NULL, NULL, digests, 32, two, ends, 2, scheme, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    CHECK(pingala_explain_verify_list(text, 9, NULL, keys, key_of, digests, 0, two, ends, 2, scheme, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    pingala_key_free(key);
}

/* The keys and signatures of RFC 6979. */
static void dsa(const char *folder)
{
    static uint8_t text[20000];
    const char *names[] = {"sha1", "sha224", "sha256", "sha384", "sha512"};
    char *rest = (char *)text;
    int count = 0;
    pingala_key *key = NULL;
    text[from_file(folder, "rfc6979.txt", text, sizeof text - 1)] = 0;
    while (*rest) {
        char *line = rest;
        rest += strcspn(rest, "\n");
        if (*rest)
            *rest++ = 0;
        if (*line == '#')
            continue;
        if (!strncmp(line, "key ", 4)) {
            static uint8_t numbers[4][400];
            size_t lengths[4], at;
            line += 4;
            for (at = 0; at < 4; at++)
                lengths[at] = from_hex(word(&line), numbers[at]);
            pingala_key_free(key);
            OK(pingala_key_new_dsa_be(&key, numbers[0], lengths[0], numbers[1], lengths[1], numbers[2], lengths[2],
                numbers[3], lengths[3], WHY));
            CHECK(pingala_key_kind(key) == PINGALA_DSA);
        } else {
            const char *name = word(&line), *message = word(&line);
            uint8_t digest[64], signature[200], verdict = 0;
            const pingala_key *keys[1];
            size_t width = 0, length;
            uint64_t end;
            uint32_t hash = 0;
            while (strcmp(names[hash], name))
                hash++;
            hash = (hash + 1) << 8;
            OK(pingala_hash(digest, sizeof digest, &width, hash, (const uint8_t *)message, strlen(message), WHY));
            length = from_hex(word(&line), signature);
            length += from_hex(word(&line), signature + length);
            end = length;
            keys[0] = key;
            OK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, width, signature, &end, 1,
                PINGALA_DSA | PINGALA_P1363 | hash, NULL, WHY));
            CHECK(verdict == 1);
            digest[0] ^= 1;
            OK(pingala_verify_list(&verdict, NULL, keys, NULL, digest, width, signature, &end, 1,
                PINGALA_DSA | PINGALA_P1363 | hash, NULL, WHY));
            CHECK(verdict == 0);
            count++;
        }
    }
    CHECK(count == 20);
    pingala_key_free(key);
}

/* A key that is restricted to PSS with SHA-256, a mask by SHA-1 and salts from 32 bytes on, with a signature that OpenSSL made by it. */
static void restricted(const char *folder)
{
    static uint8_t pem[4096], signature[128], message[100];
    uint8_t digest[32], verdict = 7;
    const uint32_t of_key = PINGALA_RSA_PSS | PINGALA_SHA256 | PINGALA_SHA1 << PINGALA_MGF_SHIFT;
    const uint64_t end = 128;
    const pingala_key *keys[1];
    pingala_key *key = NULL, *free_key = NULL;
    pingala_options *options = NULL;
    int32_t status = -1;
    size_t i;
    const struct {
        uint32_t scheme;
        int64_t salt;
        int32_t said;
    } rows[] = {
        {PINGALA_RSA_PSS, -1, PINGALA_OK},
        {PINGALA_RSA_PSS | PINGALA_SHA256, 32, PINGALA_OK},
        {PINGALA_RSA_PSS | PINGALA_SHA1 << PINGALA_MGF_SHIFT | PINGALA_STRICT, -1, PINGALA_OK},
        {of_key, -1, PINGALA_OK},
        {of_key, 33, PINGALA_MISMATCH},
        {of_key, 31, PINGALA_POLICY},
        {PINGALA_RSA_PSS | PINGALA_SHA256 | PINGALA_SHA256 << PINGALA_MGF_SHIFT, -1, PINGALA_POLICY},
        {PINGALA_RSA_PSS | PINGALA_SHA3_256, -1, PINGALA_POLICY},
        {PINGALA_RSA_PKCS1 | PINGALA_SHA256, -1, PINGALA_POLICY},
        {of_key | PINGALA_MODERN, -1, PINGALA_POLICY}, /* of 1024 bits */
    };

    from_file(folder, "message", message, sizeof message);
    CHECK(from_file(folder, "pss_restricted.sig", signature, sizeof signature) == 128);
    OK(pingala_key_load(&key, pem, from_file(folder, "pss_restricted.pem", pem, sizeof pem), WHY));
    OK(pingala_key_load(&free_key, pem, from_file(folder, "rsa.pem", pem, sizeof pem), WHY));
    OK(pingala_options_new(&options, WHY));
    CHECK(pingala_key_scheme(key, PINGALA_RSA_PSS) == of_key && pingala_key_salt(key) == 32);
    CHECK(pingala_key_scheme(key, PINGALA_RSA_PSS | PINGALA_SSH | PINGALA_STRICT) == (of_key | PINGALA_SSH | PINGALA_STRICT));
    CHECK(pingala_key_scheme(key, PINGALA_RSA_PKCS1 | PINGALA_SHA512) == (PINGALA_RSA_PKCS1 | PINGALA_SHA512));
    CHECK(pingala_key_scheme(free_key, PINGALA_RSA_PSS)
          == (PINGALA_RSA_PSS | PINGALA_SHA256 | PINGALA_SHA256 << PINGALA_MGF_SHIFT));
    CHECK(pingala_key_salt(free_key) == -1 && pingala_key_salt(NULL) == -1 && pingala_key_scheme(NULL, PINGALA_RSA_PSS) == 0);
    CHECK(pingala_key_weaknesses(key, PINGALA_RSA_PSS) == PINGALA_SHORT_KEY);
    OK(pingala_hash(digest, 32, NULL, pingala_key_scheme(key, PINGALA_RSA_PSS), message, 8, WHY));
    keys[0] = key;
    for (i = 0; i < sizeof rows / sizeof *rows; i++) {
        OK(pingala_options_set_salt(options, rows[i].salt));
        OK(pingala_verify_list(&verdict, &status, keys, NULL, digest, 32, signature, &end, 1, rows[i].scheme, options, WHY));
        if (status != rows[i].said || verdict != (rows[i].said == PINGALA_OK)) {
            fprintf(stderr, "row %u: %s\n", (unsigned)i, pingala_status_name(status));
            failed = 1;
        }
    }
    /* A digest of the wrong length for the hash function of the key is an error of the element. */
    OK(pingala_verify_list(&verdict, &status, keys, NULL, digest, 20, signature, &end, 1, PINGALA_RSA_PSS, NULL, WHY));
    CHECK(status == PINGALA_BAD_ARGUMENT && verdict == 0);
    CHECK(pingala_verify_list(&verdict, &status, keys, NULL, digest, 32, signature, &end, 1, PINGALA_RSA_PKCS1, NULL, WHY)
          == PINGALA_BAD_ARGUMENT);
    pingala_key_free(key);
    pingala_key_free(free_key);
    pingala_options_free(options);
}

int main(int arguments, char **argument)
{
    if (arguments != 2)
        return 2;
    rsa(argument[1]);
    encodings(argument[1]);
    dsa(argument[1]);
    restricted(argument[1]);
    return failed;
}
