/* text.c - the bodies of CSystemText.h. */
#include "CSystemText.h"

#include <string.h>

uint64_t csystem_word(const uint8_t *bytes, size_t start, size_t end)
{
    uint64_t word = 0;
    while (end > start)
        word = word << 8 | bytes[--end];
    return word;
}

uint32_t csystem_hash(const uint8_t *bytes, size_t start, size_t end)
{
    uint64_t hash = (end - start) * UINT64_C(0x9E3779B97F4A7C15), word;
    for (; end - start >= 8; start += 8) {
        memcpy(&word, bytes + start, 8);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    hash = (hash ^ csystem_word(bytes, start, end)) * UINT64_C(0xBF58476D1CE4E5B9);
    hash ^= hash >> 29;
    return (uint32_t)(hash * UINT64_C(0x9E3779B97F4A7C15) >> 32);
}

int32_t csystem_equal_ranges(const uint8_t *left, size_t left_start, const uint8_t *right, size_t right_start, size_t count)
{
    return memcmp(left + left_start, right + right_start, count) == 0;
}

size_t csystem_count(const uint8_t *bytes, size_t count, uint8_t byte)
{
    size_t found = 0;
    for (size_t index = 0; index < count; index++)
        found += bytes[index] == byte;
    return found;
}

size_t csystem_plain_end(const uint8_t *bytes, size_t start, size_t end)
{
    static const uint8_t plain[256] = {
        ['0'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ['-'] = 1, ['.'] = 1, ['_'] = 1,
        ['A'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        ['a'] = 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
    };
    while (start < end && plain[bytes[start]])
        start++;
    return start;
}

size_t csystem_length(const char *text)
{
    return strlen(text);
}
