/* A plugin of qemu-user that counts executed A32 instructions by function and by class, and writes one line
 * `function class count` for each that is not zero. Loads and stores of several registers count words.
 *
 * qemu's packages ship no header for plugins, so the few prototypes that are used stand here (plugin interface 1). */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info_t;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, enum qemu_plugin_op, void *, uint64_t);
void qemu_plugin_outs(const char *);

#define EXPORTED __attribute__((visibility("default")))
EXPORTED int qemu_plugin_version = 1;

enum class {
    MUL, UMULL, UMLAL, /* one word of a product, both words, both added to two words */
    ADD,   /* sums and differences of numbers: with a carry in, or of two registers with flags out */
    INDEX, /* the others: addresses, loop counters */
    LOAD, LOAD_STACK, STORE, STORE_STACK, /* words; _STACK has the stack pointer as its base */
    SHIFT, MOVE, LOGIC, COMPARE, BRANCH, OTHER, CLASSES
};
static const char *const names[CLASSES] = {
    "mul", "umull", "umlal", "add", "index", "load", "load_stack", "store", "store_stack",
    "shift", "move", "logic", "compare", "branch", "other",
};

struct function {
    struct function *next;
    const char *name;
    uint64_t counts[CLASSES];
};
static struct function *functions;

/* Counters stay where they are, because translated code adds to them. */
static struct function *function_named(const char *name) {
    if (!name || !*name) name = "?";
    for (struct function *f = functions; f; f = f->next)
        if (!strcmp(f->name, name)) return f;
    struct function *f = calloc(1, sizeof *f);
    if (!f || !(f->name = strdup(name))) abort();
    f->next = functions;
    return functions = f;
}

static int is_set(uint32_t code, int bit) { return code >> bit & 1; }

static enum class memory(uint32_t code, int is_load) {
    int on_stack = (code >> 16 & 15) == 13;
    return is_load ? (on_stack ? LOAD_STACK : LOAD) : (on_stack ? STORE_STACK : STORE);
}

static enum class data_processing(uint32_t code) {
    int flags = is_set(code, 20);
    switch (code >> 21 & 15) {
    case 2: case 3: case 4: return flags && !is_set(code, 25) ? ADD : INDEX; /* sub rsb add; bit 25: a constant */
    case 5: case 6: case 7: return ADD;                                      /* adc sbc rsc */
    case 8: case 9: case 10: case 11:
        if (flags) return COMPARE;
        return (code & 0x0fffffd0) == 0x012fff10 ? BRANCH : OTHER; /* bx, blx */
    case 13: /* mov: with a shifted register it is a shift */
        return !is_set(code, 25) && (code & 0xff0) ? SHIFT : MOVE;
    case 15: return MOVE;
    default: return LOGIC;
    }
}

/* The class of an instruction and the words or instructions that it counts. */
static enum class classify(uint32_t code, unsigned *count) {
    *count = 1;
    if (code >> 28 == 15) return (code & 0x0e000000) == 0x0a000000 ? BRANCH : OTHER;
    switch (code >> 25 & 7) {
    case 0:
        if ((code & 0x90) == 0x90) {
            if (code & 0x60) { /* halves, signed bytes, pairs */
                int pair = !is_set(code, 20) && is_set(code, 6);
                *count += pair;
                return memory(code, pair ? !is_set(code, 5) : is_set(code, 20));
            }
            if (is_set(code, 24)) return OTHER; /* swp */
            return is_set(code, 23) ? (is_set(code, 21) ? UMLAL : UMULL) : MUL;
        }
        return data_processing(code);
    case 1: return data_processing(code);
    case 2: case 3: return memory(code, is_set(code, 20));
    case 4: *count = (unsigned)__builtin_popcount(code & 0xffff); return memory(code, is_set(code, 20));
    case 5: return BRANCH;
    default: return OTHER;
    }
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    (void)id;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        struct function *f = function_named(qemu_plugin_insn_symbol(instruction));
        enum class class = OTHER; /* Thumb, of which there is none in our code */
        unsigned count = 1;
        if (qemu_plugin_insn_size(instruction) == 4) {
            uint32_t code;
            memcpy(&code, qemu_plugin_insn_data(instruction), 4);
            class = classify(code, &count);
        }
        qemu_plugin_register_vcpu_insn_exec_inline(instruction, QEMU_PLUGIN_INLINE_ADD_U64, &f->counts[class], count);
    }
}

static void ended(qemu_plugin_id_t id, void *unused) {
    (void)id, (void)unused;
    char line[1024];
    for (struct function *f = functions; f; f = f->next)
        for (int class = 0; class < CLASSES; class++)
            if (f->counts[class]) {
                snprintf(line, sizeof line, "%s %s %" PRIu64 "\n", f->name, names[class], f->counts[class]);
                qemu_plugin_outs(line);
            }
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int argc, char **argv) {
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
