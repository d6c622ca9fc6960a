/* text.c - implements CSystemText.h. */
#include "CSystemText.h"

#include "CSystem.h"

#include <string.h>

/* Up to eight bytes, padded with zeros; the two words of four bytes may overlap. */
static inline uint64_t word_of(const uint8_t *bytes, size_t count)
{
    uint32_t first, last;
    uint64_t word;
    if (count >= 8) {
        memcpy(&word, bytes, 8);
        return word;
    }
    if (count >= 4) {
        memcpy(&first, bytes, 4);
        memcpy(&last, bytes + count - 4, 4);
        return first | (uint64_t)last << (count - 4) * 8;
    }
    word = count > 0 ? bytes[0] : 0;
    if (count > 1) word |= (uint64_t)bytes[1] << 8;
    if (count > 2) word |= (uint64_t)bytes[2] << 16;
    return word;
}

uint64_t csystem_word(const uint8_t *bytes, size_t start, size_t end)
{
    return word_of(bytes + start, end - start);
}

/* Chosen when the library is loaded, so that an author cannot construct a description whose names collide. */
static uint64_t keys[3] = { UINT64_C(0x9E3779B97F4A7C15), UINT64_C(0xBF58476D1CE4E5B9), UINT64_C(0x94D049BB133111EB) };

__attribute__((constructor)) static void choose_keys(void)
{
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++)
        keys[index] ^= (uint64_t)csystem_random() << 32 | csystem_random();
}

/* Combines both halves of the product: each bit of the result depends on all bits of both factors. */
static inline uint64_t mixed(uint64_t left, uint64_t right)
{
#ifdef __SIZEOF_INT128__
    const unsigned __int128 product = (unsigned __int128)left * right;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    const uint64_t low = (left & UINT32_MAX) * (right & UINT32_MAX), high = (left >> 32) * (right >> 32);
    const uint64_t one = (left >> 32) * (right & UINT32_MAX), other = (left & UINT32_MAX) * (right >> 32);
    const uint64_t middle = one + (low >> 32), sum = (middle & UINT32_MAX) + other;
    return (sum << 32 | (low & UINT32_MAX)) ^ (high + (middle >> 32) + (sum >> 32));
#endif
}

uint32_t csystem_hash(const uint8_t *bytes, size_t start, size_t end)
{
    uint64_t hash = keys[0] ^ (end - start);
    for (; end - start > 8; start += 8)
        hash = mixed(hash ^ keys[1], word_of(bytes + start, 8) ^ keys[2]);
    hash = mixed(hash ^ keys[1], word_of(bytes + start, end - start) ^ keys[2]);
    return (uint32_t)(hash ^ hash >> 32);
}

int32_t csystem_equal_ranges(const uint8_t *left, size_t left_start, const uint8_t *right, size_t right_start, size_t count)
{
    return memcmp(left + left_start, right + right_start, count) == 0;
}

size_t csystem_index(const uint8_t *bytes, size_t count, uint8_t byte)
{
    const uint8_t *const found = count ? memchr(bytes, byte, count) : NULL;
    return found ? (size_t)(found - bytes) : count;
}

int32_t csystem_cut_template(
    const uint8_t *text, size_t count, csystem_segment *segments, size_t capacity, int32_t *ends_in_slash)
{
    /* 1: allowed in a literal; 2: also allowed in a name after a colon, which Rails restricts further. */
    static const uint8_t plain[256] = {
        ['0'] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, ['-'] = 1, ['.'] = 1, ['_'] = 3,
        ['A'] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
        ['a'] = 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3
    };
    size_t at = count > 0 && text[0] == '/', found = 0;
    *ends_in_slash = 0;
    if (count > INT32_MAX)
        return -1;
    while (at < count) {
        const uint8_t mark = text[at];
        const uint8_t wanted = mark == ':' ? 2 : 1;
        size_t start;
        if (found == capacity)
            return -1;
        at += mark == ':' || mark == '{';
        start = at;
        while (at < count && (plain[text[at]] & wanted))
            at++;
        if (at == start)
            return -1;
        segments[found].start = (uint32_t)start;
        segments[found].end = (uint32_t)at;
        segments[found++].is_parameter = mark == ':' || mark == '{';
        if (mark == '{' && (at == count || text[at++] != '}' || text[at - 2] == '.'))
            return -1;
        if (at == count)
            break;
        if (text[at++] != '/')
            return -1;
        *ends_in_slash = at == count;
    }
    return (int32_t)found;
}

/* Up to three bytes, the last of them a space, and their number: one store and no branch for each number. */
#define PACKED(first, second, third, count) \
    ((uint32_t)(first) | (uint32_t)(second) << 8 | (uint32_t)(third) << 16 | (uint32_t)(count) << 24)
#define ONE(digit) PACKED('0' + (digit), ' ', 0, 2)
#define TWO(tens, digit) PACKED('0' + (tens), '0' + (digit), ' ', 3)
#define TEN(tens) \
    TWO(tens, 0), TWO(tens, 1), TWO(tens, 2), TWO(tens, 3), TWO(tens, 4), TWO(tens, 5), TWO(tens, 6), TWO(tens, 7), TWO(tens, 8), \
        TWO(tens, 9)

void csystem_write_numbers(const int32_t *numbers, size_t count, char *out)
{
    /* The numbers from -1 on. */
    static const uint32_t small[101] = {
        PACKED('-', '1', ' ', 3), ONE(0), ONE(1), ONE(2), ONE(3), ONE(4), ONE(5), ONE(6), ONE(7), ONE(8), ONE(9),
        TEN(1), TEN(2), TEN(3), TEN(4), TEN(5), TEN(6), TEN(7), TEN(8), TEN(9)
    };
    char *const start = out;
    for (size_t index = 0; index < count; index++) {
        const uint32_t place = (uint32_t)numbers[index] + 1;
        if (place < 101) {
            memcpy(out, &small[place], 4);
            out += small[place] >> 24;
        } else {
            char digits[12], *next = digits + sizeof digits;
            uint32_t left = numbers[index] < 0 ? 0 - (uint32_t)numbers[index] : (uint32_t)numbers[index];
            *--next = ' ';
            do {
                *--next = (char)('0' + left % 10);
                left /= 10;
            } while (left);
            if (numbers[index] < 0) *--next = '-';
            memcpy(out, next, (size_t)(digits + sizeof digits - next));
            out += digits + sizeof digits - next;
        }
    }
    if (out > start) out--;
    *out = 0;
}

size_t csystem_length(const char *text)
{
    return strlen(text);
}
