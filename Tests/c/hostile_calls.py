#!/usr/bin/env python3
"""Generates, for Tests/c/test_hostile.c, one C function for each exported function of include/: it makes arguments of the
right types, calls the function, and verifies the result against the conventions of the headers.

Everything is read from the headers, so that a new function is called without a word here.  A parameter of a type, or a
count by a name, that this file does not know ends it with an error: decide what a hostile host may pass, and add it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bindings/python/tests"))

import c_header  # noqa: E402

# What has no exported function is compiled into the host.
HEADERS = [header for header in sorted((ROOT / "include").glob("routable*.h")) if header != c_header.HEADER and c_header.functions(header)]
FUNCTIONS = [function for header in HEADERS for function in c_header.functions(header)]
STRUCTS = {name: members for header in HEADERS for name, members in c_header.structs(header).items()}
HANDLES = sorted({name for header in HEADERS for name in c_header.handles(header)})
INTEGERS = {name: kind for header in HEADERS for name, kind in c_header.integers(header).items()}
EXPORTED = {function.name for function in FUNCTIONS}
# An object that somebody owns has a function that frees it; the others are borrowed.
OWNED = [name for name in HANDLES if f"{name}_free" in EXPORTED]
BORROWED = [name for name in HANDLES if name not in OWNED]

BY_HAND = {"routable_str", "routable_string", "routable_value", "routable_argument", "routable_header", "routable_match"}
CALLBACKS = {
    "routable_transfer_fn": "on_end",
    "routable_presentable_fn": "on_presentable",
    "routable_set_child_fn": "on_child",
    "routable_set_children_fn": "on_children",
    "routable_predicate_fn": "on_predicate",
    "routable_unmatched_fn": "on_unmatched",
    "routable_release_fn": "on_release",
    "routable_event_fn": "on_event",
    "routable_deviation_fn": "on_deviation",
    "routable_read_fn": "on_read",
    "routable_refresh_fn": "on_refresh",
    "routable_sign_fn": "on_sign",
    "routable_tokens_fn": "on_tokens",
    "routable_setup_fn": "on_setup",
    "routable_rewind_fn": "on_rewind",
    "routable_item_fn": "on_item",
    "routable_verify_fn": "on_verify",
    "routable_mock_change_fn": "on_change",
    "routable_transport_fn": "on_transport",
    "routable_middleware_fn": "on_middleware",
    "routable_write_fn": "on_write",
    "routable_progress_fn": "on_progress",
    "routable_load_fn": "on_load",
}
SCALARS = {"int32_t": "any_int32", "uint32_t": "any_uint32", "double": "any_real", "int64_t": "any_int64", "uint64_t": "any_uint64", "int": "any_int32"}
# Times a blocking call may take, and what would make the client wait: small, whatever else is hostile.
TIMES = {"timeout_ms", "deadline_ms", "connect_timeout_ms", "retry_delay_ms", "max_retry_delay_ms", "retry_ms", "retries",
         "stall_timeout_ms", "delay_ms"}
LENGTHS = {"length", "template_length", "values_length"}  # of the text before
NUMBERS = {"index", "max_errors", "first_index"}
SIZES = {"max_document_bytes", "max_body_bytes", "max_response_bytes", "min_length", "max_length", "max_item_bytes", "max_buffered_bytes", "max_pages",
         "max_items"}


def give_up(function: str, what: str) -> NoReturn:
    sys.exit(f"{Path(__file__).name}: {function}: no values are known for {what}")


def parameters(function: c_header.Function) -> list[tuple[str, str, bool]]:
    """Name, type, whether what it points to is const."""
    inside = function.declaration.partition("(")[2].rpartition(")")[0]
    if inside in ("", "void"):
        return []
    found = []
    for part in inside.split(","):
        found.append((re.findall(r"(\w+)\s*$", part)[0], c_header.type_of(part), "const" in part.split("*")[0]))
    return found


def scalar(where: str, kind: str, name: str) -> str:
    kind = INTEGERS.get(kind, kind)
    if name == "bytes":
        return "(w->seed ? (size_t)1 << 40 : 0)"  # a limit of the whole process: one that is reached fails the calls of all threads
    if name == "descriptor":
        return "any_descriptor(w)"
    if name in TIMES:
        return f"({kind})any_time(w)"
    if kind == "size_t":
        if name in NUMBERS or name in SIZES:
            return "any_size(w)"
        give_up(where, f"the size_t {name}")
    if kind not in SCALARS:
        give_up(where, f"{kind} {name}")
    return f"{SCALARS[kind]}(w)"


def is_count(name: str) -> bool:
    return name == "count" or name.endswith("_count")


def struct_maker(name: str) -> str:
    """`any_NAME(w, depth)`: NULL, or COUNT of them with every member made up, at the end of a page."""
    lines = [f"static {name} *any_{name}(world *w, size_t count, int depth)", "{"]
    sized = STRUCTS[name][0] == ("size", "size_t")
    # A later header may be longer: then the bytes that this library does not know follow.
    lines += [f"    const size_t longer = {'count == 1 && chance(w, 5) ? 16 : 0' if sized else '0'};",
              f"    {name} *const all = ({name} *)place(w, NULL, count * sizeof({name}) + longer);",
              "    size_t i;",
              "    if (longer && chance(w, 50)) ((char *)(all + count))[9] = 1;",
              "    (void)depth;",
              "    for (i = 0; i < count; i++) {"]
    for member, kind in STRUCTS[name]:
        target = f"all[i].{member}"
        where = f"{name}.{member}"
        plain = kind.removeprefix("const ").rstrip("*")
        if member == "size" and sized:
            lines.append(f"        {target} = chance(w, 8) ? count == 1 ? any_size(w) % (sizeof({name}) + 1) : any_size(w) % 8 : sizeof({name}) + longer;")
        elif member in ("reserved", "flags"):
            lines.append(f"        {target} = chance(w, 4) ? ({INTEGERS.get(kind, kind)})any_uint32(w) : 0;")
        elif is_count(member):
            lines.append(f"        {target} = depth > 3 ? 0 : below(w, ARRAY + 1);")
        elif kind == "const char*":
            lines.append(f"        {target} = any_name(w, \"{name}.{member}\");")
        elif kind == "const char**":
            lines.append(f"        {target} = any_names(w);")
        elif kind == "void*":
            lines.append(f"        {target} = w;")
        elif kind in CALLBACKS:
            lines.append(f"        {target} = chance(w, 80) ? {CALLBACKS[kind]} : NULL;")
        elif kind == "routable_str":
            lines.append(f"        {target} = any_text(w, \"{member}\");")
        elif kind == "routable_value":
            lines.append(f"        {target} = one_value(w);")
        elif kind in ("const routable_str*", "routable_str*"):
            lines.append(f"        {target} = any_texts(w);")
        elif kind.endswith("*") and kind.count("*") == 1 and plain in STRUCTS:
            many = any(is_count(other) for other, _ in STRUCTS[name]) and plain != "routable_encoding_options"
            lines.append(f"        {target} = depth > 3 || chance(w, 60) ? NULL : any_{plain}(w, {'ARRAY' if many else '1'}, depth + 1);")
        elif kind.endswith("*") and plain in HANDLES:
            lines.append(f"        {target} = one_{plain}(w);")
        elif not kind.endswith(("*", "]")):
            lines.append(f"        {target} = {scalar(where, kind, member)};")
        else:
            give_up(where, kind)
    # Where there is no array, there is none to count.
    for member, _ in STRUCTS[name]:
        stem = member.removesuffix("_count")
        for array in (stem, stem + "s", stem[:-1] + "ies" if stem.endswith("y") else stem + "es"):
            if member.endswith("_count") and any(other == array for other, _ in STRUCTS[name]):
                lines.append(f"        if (!all[i].{array} && chance(w, 90)) all[i].{member} = 0;")
    lines += ["    }", "    return all;", "}"]
    return "\n".join(lines)


def caller(function: c_header.Function) -> str:
    before: list[str] = []
    after: list[str] = []
    words: list[str] = []
    name = function.name
    has_error = False
    frees = name.endswith("_free") and name.removesuffix("_free") in OWNED
    previous = ""
    for parameter, kind, constant in parameters(function):
        plain = kind.removeprefix("const ").rstrip("*")
        stars = kind.count("*")
        if kind == "routable_error**":
            has_error = True
            before += ["    routable_error *error = NULL;", "    const int told = chance(w, 90);"]
            words.append("told ? &error : NULL")
        elif stars == 2 and plain in HANDLES and (constant or name.endswith("_free_many")):
            given = f"const {plain}" if constant else plain
            before += [f"    {given} *{parameter}[ARRAY];",
                       f"    for (size_t i = 0; i < ARRAY; i++) {parameter}[i] = {'one' if constant else 'take'}_{plain}(w);"]
            words.append(f"chance(w, 95) ? {parameter} : NULL" if constant else parameter)
            previous = "ARRAY"
            continue
        elif stars == 2 and plain in OWNED and name.endswith("_many"):
            before.append(f"    {plain} *{parameter}[ARRAY] = {{ NULL }};")
            words.append(f"chance(w, 95) ? {parameter} : NULL")
            after += [f"    for (size_t i = 0; i < ARRAY; i++) if ({parameter}[i]) {{",
                      f"        expect(status == ROUTABLE_OK, \"{name}: {parameter} was touched\");",
                      f"        adopt_{plain}(w, {parameter}[i]);", "    }"]
        elif stars == 2 and plain in OWNED:
            before.append(f"    {plain} *{parameter} = UNTOUCHED({plain});")
            before.append(f"    {plain} **const to_{parameter} = chance(w, 95) ? &{parameter} : NULL;")
            words.append(f"to_{parameter}")
            after.append(f"    if (status == ROUTABLE_OK && to_{parameter}) adopt_{plain}(w, {parameter});")
            after.append(f"    else expect({parameter} == UNTOUCHED({plain}), \"{name}: {parameter} was touched\");")
        elif kind == "json_t**":
            before.append(f"    json_t *{parameter} = NULL;")
            words.append(f"chance(w, 95) ? &{parameter} : NULL")
            after.append(f"    json_decref({parameter});")
        elif kind == "json_t*":
            before.append(f"    json_t *const {parameter} = any_json(w);")
            words.append(parameter)
            after.append(f"    json_decref({parameter});")
        elif stars == 1 and plain in HANDLES:
            if frees:
                words.append(f"take_{plain}(w)")
            elif not constant and plain in BORROWED:
                words.append("NULL")  # what the library lends for a call is not there outside of it
            else:
                words.append(f"{'one' if constant else 'own'}_{plain}(w)")
        elif kind == "routable_string*":
            before.append(f"    routable_string {parameter} = {{ NULL, 0 }};")
            words.append(f"chance(w, 95) ? &{parameter} : NULL")
            after += [f"    touch({parameter}.ptr, {parameter}.len);", f"    routable_string_free(&{parameter});",
                      f"    routable_string_free(&{parameter}); /* documented as safe */"]
        elif kind == "void**":
            before.append(f"    void **const {parameter} = (void **)place(w, NULL, ARRAY * sizeof(void *));")
            words.append(f"chance(w, 95) ? {parameter} : NULL")
            previous = "ARRAY"
            continue
        elif kind == "char*":
            before.append(f"    char *const {parameter} = (char *)place(w, NULL, 300);")
            words.append(f"chance(w, 95) ? {parameter} : NULL")
            previous = "300"
            continue
        elif kind in ("size_t*", "int*", "int64_t*", "int32_t*", "uint32_t*"):
            before.append(f"    {plain} {parameter} = 0;")
            words.append(f"chance(w, 95) ? &{parameter} : NULL")
        elif kind == "void*":
            words.append("w")
        elif kind == "const char*":
            named = parameters(function)
            position = [each for each, _, _ in named].index(parameter)
            if named[position + 1:][:1] in ([(each, "size_t", False)] for each in LENGTHS):  # text with its length has no NUL
                before += [f"    size_t {parameter}_length = 0;",
                           f"    const char *const {parameter} = chance(w, 95) ? any_bytes(w, \"{parameter}\", &{parameter}_length) : NULL;"]
            else:
                before.append(f"    const char *const {parameter} = any_name(w, \"{name}.{parameter}\");")
            words.append(parameter)
            previous = f"{parameter}_length"
            continue
        elif kind == "routable_str":
            words.append(f"any_text(w, \"{parameter}\")")
        elif stars == 1 and plain in STRUCTS:
            if constant:
                before.append(f"    const {plain} *const {parameter} = chance(w, 15) ? NULL : any_{plain}(w, MANY({parameter}), 0);")
                words.append(parameter)
            else:
                before.append(f"    {plain} *const {parameter} = ({plain} *)place(w, NULL, ARRAY * sizeof({plain}));")
                words.append(f"chance(w, 95) ? {parameter} : NULL")
                if plain == "routable_completion":
                    after.append(f"    for (size_t i = 0; status == ROUTABLE_OK && i < ARRAY; i++) "
                                 f"if ({parameter}[i].transfer) adopt_routable_transfer(w, {parameter}[i].transfer);")
                elif plain == "routable_match":
                    after.append(f"    w->match = *{parameter};")
            previous = "ARRAY"
            # One of them, unless a count follows.
            rest = [each for each, _, _ in parameters(function)]
            position = rest.index(parameter)
            counted = position + 1 < len(rest) and (is_count(rest[position + 1]) or rest[position + 1] == "capacity")
            before = [line.replace(f"MANY({parameter})", "ARRAY" if counted else "1") for line in before]
            continue
        elif kind in CALLBACKS:
            words.append(f"chance(w, 85) ? {CALLBACKS[kind]} : NULL")
        elif kind == "size_t" and (is_count(parameter) or parameter == "capacity" or parameter in LENGTHS):
            if parameter in LENGTHS and previous.endswith("_length"):
                words.append(previous)
            elif name.endswith("_free_many"):
                words.append(previous)  # all that were taken
            elif parameter == "capacity" or is_count(parameter):
                words.append(f"below(w, {previous} + 1)" if previous else give_up(name, parameter))
            else:
                give_up(name, f"the size_t {parameter}")
        elif kind == "routable_value":
            words.append("one_value(w)")
        elif not kind.endswith("*"):
            words.append(scalar(name, kind, parameter))
        else:
            give_up(name, f"{kind} {parameter}")
        previous = ""

    call = f"{name}({', '.join(words)})"
    lines = [f"static void call_{name}(world *w)", "{", *before]
    if not any("(w" in each for each in [*before, *words]):
        lines.append("    (void)w;")
    if function.result == "routable_status" and name != "routable_error_status":
        lines.append(f"    const routable_status status = {call};")
        lines.append(f"    tell(w, \"{name}\", status, {'told, error' if has_error else '0, NULL'});")
    elif function.result == "routable_str":
        lines.append(f"    const routable_str text = {call};")
        lines.append("    touch(text.ptr, text.len);")
    elif function.result == "const char*":
        lines.append(f"    const char *const text = {call};")
        lines.append("    if (text) touch(text, strlen(text));")
    elif function.result == "routable_header":
        lines += [f"    const routable_header header = {call};", "    touch(header.name.ptr, header.name.len);",
                  "    touch(header.value.ptr, header.value.len);"]
    elif function.result == "routable_value":
        lines += [f"    const routable_value value = {call};",
                  "    if (value.kind == ROUTABLE_KIND_STRING) touch(value.as.string.ptr, value.as.string.len);"]
    elif function.result.endswith("*") and function.result.rstrip("*") in BORROWED:
        lines += [f"    const {function.result.rstrip('*')} *const found = {call};",
                  f"    if (found) keep_{function.result.rstrip('*')}(w, found);"]
    else:
        lines.append(f"    (void){call};" if function.result != "void" else f"    {call};")
    lines += [*after, "}"]
    return "\n".join(lines)


def main() -> None:
    pools = [f"{name} *{name}[POOL];" for name in OWNED] + [f"const {name} *{name}[POOL];" for name in BORROWED]
    out = ["/* Written by Tests/c/hostile_calls.py from include/; see there.  Included twice: the pools, then the functions. */",
           "#ifndef HOSTILE_POOLS", "#define HOSTILE_POOLS \\", *(f"    {each} \\" for each in pools), "", "#else"]
    out += [f"OWNED({name})" for name in OWNED]
    out += [f"BORROWED({name})" for name in BORROWED]
    made = [name for name in STRUCTS if name not in BY_HAND]
    # Only what functions are given; what they fill is zeroes.
    given = set()
    pending = {kind.rstrip("*") for function in FUNCTIONS for _, kind, constant in parameters(function) if constant}
    while pending:
        name = pending.pop()
        if name in made and name not in given:
            given.add(name)
            pending |= {kind.removeprefix("const ").rstrip("*") for _, kind in STRUCTS[name]}
    for name in made:
        if name in given:
            out.append(f"static {name} *any_{name}(world *w, size_t count, int depth);")
    out += [struct_maker(name) for name in made if name in given]
    out += [caller(function) for function in FUNCTIONS]
    out.append("static const struct { const char *name; void (*call)(world *); int frees; } calls[] = {")
    for function in FUNCTIONS:
        frees = function.name.endswith(("_free", "_free_many"))
        out.append(f"    {{ \"{function.name}\", call_{function.name}, {int(frees)} }},")
    out.append("};")
    out.append("static void free_world(world *w)\n{\n    int i;\n" + "".join(
        f"    for (i = 0; i < POOL; i++) {name}_free(w->{name}[i]);\n" for name in OWNED) + "}")
    out.append("#endif")
    print("\n".join(out))


if __name__ == "__main__":
    main()
