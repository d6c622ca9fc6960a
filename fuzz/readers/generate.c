/* generate.c - see generate.h. A grammar file has rules:
 *
 *     # a comment
 *     name:
 *       an alternative
 *       another one with <name>, which is expanded, <name,>, a list with commas between the items, and <name+>, a list without separators
 *
 * \< \\ \n \r \t \s (space) \e (nothing) and \xFF are bytes. Built in: <#word> <#text> (inside a JSON string) <#raw> (any UTF-8) <#bytes>
 * <#number> (of JSON) <#digits> <#index> (another number each time). */
#include "generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Grammars --- */

typedef enum builtin { BUILT_NONE, BUILT_WORD, BUILT_TEXT, BUILT_RAW, BUILT_BYTES, BUILT_NUMBER, BUILT_DIGITS, BUILT_INDEX } builtin;
static const char *const builtin_names[] = { "", "#word", "#text", "#raw", "#bytes", "#number", "#digits", "#index" };

/* Bytes, or a reference to a rule. */
typedef struct piece {
    const char *bytes;
    size_t count;
    size_t rule; /* if there are no bytes and it is not built in */
    builtin built;
    int list; /* the byte between items; '+' for none; 0: one item */
} piece;

typedef struct alternative { piece *pieces; size_t count, height; } alternative;
typedef struct rule { char *name; alternative *alternatives; size_t count, height, lowest, line; } rule;
struct grammar { rule *rules; size_t count; size_t start; const char *file; };

static void *grow(void *items, size_t count, size_t size)
{
    void *const more = realloc(items, (count + 1) * size);
    if (!more)
        abort();
    memset((char *)more + count * size, 0, size);
    return more;
}

static void refuse(const grammar *in, size_t line, const char *why, const char *what)
{
    fprintf(stderr, "%s:%zu: %s: %s\n", in->file, line, why, what);
    exit(2);
}

static size_t rule_named(grammar *in, const char *name, size_t length)
{
    size_t i;
    for (i = 0; i < in->count; i++)
        if (strlen(in->rules[i].name) == length && memcmp(in->rules[i].name, name, length) == 0)
            return i;
    in->rules = grow(in->rules, in->count, sizeof *in->rules);
    in->rules[in->count].name = strndup(name, length);
    return in->count++;
}

static piece *add_piece(alternative *to)
{
    to->pieces = grow(to->pieces, to->count, sizeof *to->pieces);
    return &to->pieces[to->count++];
}

/* Appends `<name>` or `<name,>`; returns the rest of the text. */
static const char *read_reference(grammar *in, alternative *to, const char *text, size_t line)
{
    const char *const end = strchr(text, '>');
    piece *const piece = add_piece(to);
    size_t length = end ? (size_t)(end - text) : 0, i;
    if (length == 0)
        refuse(in, line, "expected a name and >", text);
    if (length > 1 && strchr("+,&;|./ :\n", text[length - 1]))
        piece->list = text[--length];
    for (i = 1; i < sizeof builtin_names / sizeof *builtin_names; i++)
        if (strlen(builtin_names[i]) == length && memcmp(builtin_names[i], text, length) == 0)
            piece->built = (builtin)i;
    if (!piece->built)
        piece->rule = rule_named(in, text, length);
    return end + 1;
}

static unsigned hexadecimal(char digit) { return (unsigned)(digit <= '9' ? digit - '0' : (digit | 32) - 'a' + 10); }

static void read_alternative(grammar *in, rule *of, const char *text, size_t line)
{
    const size_t which = (size_t)(of - in->rules); /* an index, because a reference can move the rules */
    alternative made = { NULL, 0, 0 };
    char *const bytes = malloc(strlen(text) + 1);
    size_t count = 0, start = 0;
    while (*text) {
        if (*text == '<') {
            if (count > start)
                *add_piece(&made) = (piece){ bytes + start, count - start, 0, BUILT_NONE, 0 };
            start = count;
            text = read_reference(in, &made, text + 1, line);
        } else if (*text == '\\' && text[1]) {
            static const char from[] = "nrts", to[] = "\n\r\t ";
            const char *const known = strchr(from, text[1]);
            if (text[1] == 'x' && text[2] && text[3]) {
                bytes[count++] = (char)(hexadecimal(text[2]) * 16 + hexadecimal(text[3]));
                text += 4;
                continue;
            }
            if (text[1] != 'e')
                bytes[count++] = known ? to[known - from] : text[1];
            text += 2;
        } else {
            bytes[count++] = *text++;
        }
    }
    if (count > start)
        *add_piece(&made) = (piece){ bytes + start, count - start, 0, BUILT_NONE, 0 };
    of = &in->rules[which];
    of->alternatives = grow(of->alternatives, of->count, sizeof *of->alternatives);
    of->alternatives[of->count++] = made;
}

static void read_rules(grammar *in, const char *folder, const char *name)
{
    char path[512], line[8192];
    size_t number = 0, current = SIZE_MAX;
    FILE *file;
    snprintf(path, sizeof path, "%s/%s.grammar", folder, name);
    in->file = strdup(path);
    file = fopen(path, "r");
    if (!file)
        refuse(in, 0, "the file cannot be read", path);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        number++;
        if (line[0] == '\0' || line[0] == '#')
            continue;
        if (line[0] != ' ') {
            line[strcspn(line, ":")] = '\0';
            current = rule_named(in, line, strlen(line));
            in->rules[current].line = number;
            if (in->start == SIZE_MAX && strcmp(name, "common") != 0)
                in->start = current;
        } else if (current != SIZE_MAX) {
            read_alternative(in, &in->rules[current], line + 2, number);
        }
    }
    fclose(file);
}

/* Determines the height of the lowest expansion of each rule, so that each expansion can end. */
static void find_heights(grammar *in)
{
    int changed = 1;
    size_t i, j, k;
    for (i = 0; i < in->count; i++) {
        in->rules[i].height = SIZE_MAX;
        if (in->rules[i].count == 0)
            refuse(in, in->rules[i].line, "a rule without alternatives", in->rules[i].name);
    }
    while (changed) {
        changed = 0;
        for (i = 0; i < in->count; i++)
            for (j = 0; j < in->rules[i].count; j++) {
                const alternative *const each = &in->rules[i].alternatives[j];
                size_t height = 1;
                for (k = 0; k < each->count && height != SIZE_MAX; k++)
                    if (!each->pieces[k].bytes && !each->pieces[k].built && !each->pieces[k].list) {
                        const size_t below = in->rules[each->pieces[k].rule].height;
                        height = below == SIZE_MAX ? SIZE_MAX : below + 1 > height ? below + 1 : height;
                    }
                if (height < in->rules[i].height) {
                    in->rules[i].height = height;
                    in->rules[i].lowest = j;
                    changed = 1;
                }
            }
    }
    for (i = 0; i < in->count; i++)
        if (in->rules[i].height == SIZE_MAX)
            refuse(in, in->rules[i].line, "a rule without an end", in->rules[i].name);
}

grammar *grammar_read(const char *folder, const char *name)
{
    grammar *const made = calloc(1, sizeof *made);
    made->start = SIZE_MAX;
    read_rules(made, folder, "common");
    read_rules(made, folder, name);
    find_heights(made);
    return made;
}

/* --- Random numbers and bytes --- */

uint64_t generate_random(generator *to)
{
    uint64_t mixed = to->random += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
}

size_t generate_below(generator *to, size_t bound) { return bound ? (size_t)(((generate_random(to) >> 32) * bound) >> 32) : 0; }

static void reserve(generator *to, size_t more)
{
    if (to->capacity - to->count < more) {
        to->capacity = to->capacity * 2 + more + 4096;
        to->bytes = realloc(to->bytes, to->capacity);
        if (!to->bytes)
            abort();
    }
}

static void append(generator *to, const char *bytes, size_t count)
{
    reserve(to, count);
    if (count)
        memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
}

/* --- Built-in rules --- */

/* The number of characters of a string: few, or all that remain. */
static size_t string_length(generator *to)
{
    if (to->growth == GROW_STRINGS && to->count < to->wanted && generate_below(to, 8) == 0)
        return generate_below(to, to->wanted - to->count + 1);
    return generate_below(to, 5) ? generate_below(to, 9) : generate_below(to, 40);
}

static void append_some(generator *to, const char *const *choices, size_t count, size_t length)
{
    while (length--) {
        const char *const each = choices[generate_below(to, count)];
        append(to, each, strlen(each));
    }
}

static void append_alike(generator *to, const char *choices, size_t length)
{
    const size_t count = strlen(choices);
    uint64_t bits = 0;
    size_t i;
    reserve(to, length);
    for (i = 0; i < length; i++, bits >>= 8) {
        if ((i & 7) == 0)
            bits = generate_random(to);
        to->bytes[to->count++] = choices[(bits & 255) * count >> 8];
    }
}

static void append_word(generator *to)
{
    static const char *const words[] = { "a", "b", "c", "d", "e", "id", "user", "post", "name", "x-y", "a_b", "A", "T1" };
    const size_t length = generate_below(to, 4) ? 0 : string_length(to);
    if (length)
        append_alike(to, "abcdefghijklmnopqrstuvwxyz0123456789_", length);
    else
        append_some(to, words, sizeof words / sizeof *words, 1);
}

static void append_text(generator *to)
{
    static const char *const texts[] = { "a", "b", " ", "\\n", "\\\"", "\\\\", "\\u0041", "\\ud83d\\ude00", "\xC3\xA9", "\xF0\x9F\x98\x80",
        "%2F", "/", "~1", "~0", "{", "}", "&", "=", "\\u0000", "0", ".", "..", "\\/", "+" };
    const size_t length = string_length(to);
    if (length > 64 && generate_below(to, 2))
        append_alike(to, "abcdefgh 01/.-", length);
    else
        append_some(to, texts, sizeof texts / sizeof *texts, length);
}

static void append_raw(generator *to)
{
    static const char *const texts[] = { "a", "b", "0", " ", "%20", "%C3%A9", "%FF", "%zz", "%", "+", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", ".",
        "-", "~", "!", "*", "'", "(", "@", ":", "$", ",", ";", "=", "&", "/", "?", "#", "[", "]", "{", "}", "\"", "\\", "\t", "^", "|" };
    const size_t length = string_length(to);
    if (length > 64 && generate_below(to, 2))
        append_alike(to, "abcdefgh%20+&=/.-", length);
    else
        append_some(to, texts, sizeof texts / sizeof *texts, length);
}

static void append_bytes(generator *to)
{
    size_t length = string_length(to);
    reserve(to, length);
    while (length--)
        to->bytes[to->count++] = (char)generate_random(to);
}

static void append_digits(generator *to)
{
    if (to->growth == GROW_NUMBERS && to->count < to->wanted && generate_below(to, 4) == 0)
        append_alike(to, generate_below(to, 2) ? "0123456789" : "9", generate_below(to, to->wanted - to->count + 1) + 1);
    else
        append_alike(to, "0123456789", 1 + generate_below(to, generate_below(to, 8) ? 3 : 24));
}

static void append_number(generator *to)
{
    static const char *const edges[] = { "0", "1", "-1", "-0", "0.5", "1e2", "1E-7", "2.5e+3", "1e400", "-1e-400", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551616", "0.1", "1.7976931348623157e308", "4.9e-324", "1.0", "100" };
    if (to->growth != GROW_NUMBERS && generate_below(to, 2)) {
        append_some(to, edges, sizeof edges / sizeof *edges, 1);
        return;
    }
    append_some(to, (const char *const[]){ "", "", "-" }, 3, 1);
    append(to, &"123456789"[generate_below(to, 9)], 1);
    append_digits(to);
    if (generate_below(to, 4) == 0) {
        append(to, ".", 1);
        append_digits(to);
    }
    if (generate_below(to, 6) == 0) {
        append_some(to, (const char *const[]){ "e", "E-", "e+" }, 3, 1);
        append_digits(to);
    }
}

static void append_built(generator *to, builtin built)
{
    char number[32];
    switch (built) {
    case BUILT_WORD: append_word(to); break;
    case BUILT_TEXT: append_text(to); break;
    case BUILT_RAW: append_raw(to); break;
    case BUILT_BYTES: append_bytes(to); break;
    case BUILT_NUMBER: append_number(to); break;
    case BUILT_DIGITS: append_digits(to); break;
    default: append(to, number, (size_t)snprintf(number, sizeof number, "%zu", to->index++)); break;
    }
}

/* --- Expansion --- */

static void expand(generator *to, const grammar *from, size_t which);

static void expand_list(generator *to, const grammar *from, const piece *list)
{
    const int is_long = to->growth == GROW_LISTS && to->count < to->wanted && to->depth < 12 && generate_below(to, 3) == 0;
    const size_t until = is_long ? to->count + generate_below(to, to->wanted - to->count + 1) : 0, start = to->count;
    size_t left = is_long ? SIZE_MAX : to->depth >= to->most_depth || to->count > to->wanted ? 0 : generate_below(to, 4);
    size_t i;
    for (i = 0; left && (!is_long || to->count < until); i++, left--) {
        if (i && list->list != '+')
            append(to, &(const char){ (char)list->list }, 1);
        if (list->built)
            append_built(to, list->built);
        else
            expand(to, from, list->rule);
        if (is_long && i >= 16 && to->count == start)
            break; /* the items are empty */
        if (is_long && to->repeats && i >= 16 && to->count - start < until - to->count) {
            size_t length = to->count - start;
            reserve(to, length + 1);
            if (list->list != '+')
                to->bytes[to->count++] = (char)list->list;
            memcpy(to->bytes + to->count, to->bytes + start, length);
            to->count += length;
        }
    }
}

static void expand(generator *to, const grammar *from, size_t which)
{
    const rule *const rule = &from->rules[which];
    const alternative *chosen = &rule->alternatives[generate_below(to, rule->count)];
    size_t i;
    if (to->depth + rule->height >= to->most_depth || to->count > to->wanted * 2 + 4096)
        chosen = &rule->alternatives[rule->lowest];
    else if (to->growth == GROW_DEPTH && to->count < to->wanted && rule->count > 1)
        for (i = 0; i < 4; i++) { /* selects an alternative with a reference, if there is one */
            const alternative *const other = &rule->alternatives[generate_below(to, rule->count)];
            size_t k;
            for (k = 0; k < other->count; k++)
                if (!other->pieces[k].bytes && !other->pieces[k].built)
                    chosen = other;
        }
    to->depth++;
    for (i = 0; i < chosen->count; i++) {
        const piece *const each = &chosen->pieces[i];
        if (each->bytes)
            append(to, each->bytes, each->count);
        else if (each->list)
            expand_list(to, from, each);
        else if (each->built)
            append_built(to, each->built);
        else
            expand(to, from, each->rule);
    }
    to->depth--;
}

void generate_input(generator *to, const grammar *from, size_t wanted, growth growth)
{
    size_t turn;
    to->count = 0;
    to->wanted = wanted;
    to->growth = growth;
    to->repeats = generate_below(to, 4) != 0;
    to->most_depth = growth == GROW_DEPTH ? 16 + generate_below(to, wanted < 40000 ? wanted / 2 + 1 : 20000) : 16;
    to->depth = to->index = 0;
    expand(to, from, from->start);
    for (turn = 0; turn < 8 && growth != GROW_NOTHING && to->count < wanted / 2; turn++) { /* the large part was not selected */
        to->count = to->depth = to->index = 0;
        expand(to, from, from->start);
    }
}

void generate_start(generator *to, const char *bytes, size_t count)
{
    to->count = 0;
    append(to, bytes, count);
}

void generate_damage(generator *to)
{
    static const char *const tokens[] = { "\"", "{", "}", "[", "]", ",", ":", "null", "\\u0000", "%", "\xFF", "\x80", "\0", "\r\n", "<", ">", ";", "=", "*",
        "/", "..", "-1", "1e999", "{}", "[]", "\"$ref\":\"#\"," };
    size_t times = 1 + generate_below(to, 3);
    while (times--) {
        const size_t at = generate_below(to, to->count), left = to->count - at;
        const size_t length = left ? 1 + generate_below(to, left < 64 ? left : 64) : 0;
        const char *token = tokens[generate_below(to, sizeof tokens / sizeof *tokens)];
        size_t extra = *token ? strlen(token) : 1;
        switch (left ? generate_below(to, 6) : 3) {
        case 0: to->bytes[at] = (char)generate_random(to); break;
        case 1: to->bytes[at] = (char)(to->bytes[at] ^ (1 << generate_below(to, 8))); break;
        case 2: /* removes bytes */
            memmove(to->bytes + at, to->bytes + at + length, left - length);
            to->count -= length;
            break;
        case 3:
        case 4: /* inserts a token, or bytes of another position */
            reserve(to, 64);
            if (left && generate_below(to, 3) == 0) {
                token = to->bytes + generate_below(to, to->count);
                extra = (size_t)(to->bytes + to->count - token);
                extra = extra < length ? extra : length;
            }
            {
                char copy[64];
                memcpy(copy, token, extra);
                memmove(to->bytes + at + extra, to->bytes + at, left);
                memcpy(to->bytes + at, copy, extra);
            }
            to->count += extra;
            break;
        default: to->count -= generate_below(to, 4) ? 0 : length; break; /* truncates the end */
        }
    }
}
