/* targets.c - the readers as targets of libFuzzer: one program, in which READER names the reader. Its mutations are a new
 * expansion of the grammar, and damage. */
#include "readers.h"

#include "generate.h"

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

static const reader *wanted;
static grammar *rules;

int LLVMFuzzerInitialize(int *count, char ***words)
{
    static const reader *const all[] = { document_readers, value_readers, message_readers };
    const char *const name = getenv("READER");
    size_t i;
    (void)count, (void)words;
    for (i = 0; i < 3 && !wanted; i++) {
        const reader *each = all[i];
        for (; each->name; each++)
            if (name && strcmp(each->name, name) == 0)
                wanted = each;
    }
    if (!wanted) {
        fprintf(stderr, "READER is not the name of a reader\n");
        exit(2);
    }
    FUZZ_LEAKS(disable);
    rules = grammar_read("fuzz/grammars", wanted->grammar);
    FUZZ_LEAKS(enable);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const routable_status status = wanted->read((const char *)data, size);
    (void)status;
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned seed)
{
    static generator from;
    from.random = seed;
    switch (generate_below(&from, 8)) {
    case 0:
        generate_input(&from, rules, generate_below(&from, capacity), (growth)generate_below(&from, GROW_KINDS));
        break;
    case 1:
    case 2:
        generate_start(&from, (const char *)data, size);
        generate_damage(&from);
        break;
    default: return LLVMFuzzerMutate(data, size, capacity);
    }
    size = from.count < capacity ? from.count : capacity;
    memcpy(data, from.bytes, size);
    return size;
}
