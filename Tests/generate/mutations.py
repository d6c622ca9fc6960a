"""Programs that use a generated API wrongly: one member, type or id is changed in each, and a compiler must refuse it."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

from harness import OWN, ROOT, Tools, fail, require

COUNT, REFUSED = 100, 95
SOCIAL = ROOT / "examples/social.json"
#: A correct piece of code, and the wrong one that replaces it.
Mutation = Tuple[str, str]


def mutations(tools: Tools) -> str:
    document = ROOT / "Tests/generate/shop.json" if tools.data == OWN else tools.data / "real/openai-3.0.json"
    said = []
    for name, run in (("gcc", in_c), ("mypy", in_python), ("mypy with dataclasses", in_classes), ("swiftc", in_swift)):
        refused, whole, passed = run(tools, document, random.Random(7))
        require(refused * 100 >= whole * REFUSED, f"{name} refuses {refused} of {whole} mutations; it takes\n" + "\n".join(passed[:20]))
        said.append(f"{name} refuses {refused} of {whole}")
    return ", ".join(said)


def chosen(chance: random.Random, members: List[Mutation], types: List[Mutation], ids: List[Mutation]) -> List[Mutation]:
    """A hundred mutations, if there are as many: members, types and ids."""
    result = chance.sample(ids, min(20, len(ids)))
    result += chance.sample(members, min(40, len(members)))
    return result + chance.sample(types, min(COUNT - len(result), len(types)))


def counted(mutants: List[Mutation], ranges: List[Tuple[int, int]], errors: List[int]) -> Tuple[int, int, List[str]]:
    """The number of mutants with an error in their lines, the number of all mutants, and the wrong code of those without an error."""
    lines = set(errors)
    passed = [wrong for (_, wrong), (first, last) in zip(mutants, ranges) if not any(line in lines for line in range(first, last))]
    return len(mutants) - len(passed), len(mutants), passed


def laid(head: str, functions: List[str], tail: str = "") -> Tuple[str, List[Tuple[int, int]]]:
    """The source of a program, and the lines of each function."""
    text, ranges = head, []
    for function in functions:
        first = text.count("\n") + 1
        text += function
        ranges.append((first, text.count("\n") + 1))
    return text + tail, ranges


# --- C ---

C_VALUES: Dict[str, Tuple[str, str]] = {
    "routable_str": ('routable_str_from("x")', "1"), "int64_t": ("1", 'routable_str_from("x")'), "double": ("1.5", '"x"'),
    "bool": ("true", 'routable_str_from("x")'), "routable_maybe_string": ('routable_some_string("x")', "routable_some_integer(1)"),
    "routable_maybe_integer": ("routable_some_integer(1)", 'routable_some_string("x")'),
    "routable_maybe_number": ("routable_some_number(1.5)", "routable_some_boolean(true)"),
    "routable_maybe_boolean": ("routable_some_boolean(true)", "routable_some_number(1)"),
    "routable_maybe_json": ('routable_some_json("{}")', 'routable_some_string("x")'),
}


def in_c(tools: Tools, document: Path, chance: random.Random) -> Tuple[int, int, List[str]]:
    header, social = tools.work / "wrong.h", tools.work / "social.h"
    tools.generate("c", document, header, "--name", "wrong")
    tools.generate("c", SOCIAL, social, "--name", "social")
    code = header.read_text()
    choices = {name: f"{name}_of({code.split(f'}} {name}_value;')[0].rsplit('= 1', 1)[0].split()[-1]})"
               for name in re.findall(r"^typedef struct (\w+) \{ routable_str text; \} \w+;$", code, re.MULTILINE)}
    members: List[Mutation] = []
    types: List[Mutation] = []
    for name, body in re.findall(r"^struct (\w+) \{\n(.*?)^\};", code, re.DOTALL | re.MULTILINE):
        for kind, member in re.findall(r"^    (\w+) (\w+);$", body, re.MULTILINE):
            value, wrong = C_VALUES.get(kind, (choices.get(kind, ""), '"x"'))
            if value:
                right = f"    {name} value = {name.upper()}_INIT;\n    value.{member} = {value};\n    (void)value;\n"
                members.append((right, right.replace(f"value.{member} =", f"value.{member}x =")))
                types.append((right, right.replace(f"= {value};", f"= {wrong};")))
    ids = [(f'    (void)social_root_{one}(api, social_{one}_id_of("3"));\n', f'    (void)social_root_{one}(api, social_{other}_id_of("3"));\n')
           for one in RESOURCES for other in RESOURCES if one != other]
    mutants = chosen(chance, members, types, ids)
    head = f'#include "{header}"\n#include "{social}"\n'
    flags = ["-Wconversion", "-fmax-errors=0", "-fsyntax-only", f"-I{tools.work}"]
    source = tools.work / "wrong.c"
    for column in (0, 1):
        text, ranges = laid(head, [f"void f{number}(social *api);\nvoid f{number}(social *api)\n{{\n    (void)api;\n{pair[column]}}}\n"
                                   for number, pair in enumerate(mutants)])
        source.write_text(text)
        if column == 0:
            tools.succeed(tools.c(*flags, source))
    said = tools.run(tools.c(*flags, source)).stderr
    return counted(mutants, ranges, [int(line) for line in re.findall(r"wrong\.c:(\d+):\d+: error", said)])


RESOURCES = ["user", "status", "picture", "comment", "post"]


# --- Python ---

PYTHON_VALUES = {"str": ('"x"', "1"), "int": ("1", '"x"'), "float": ("1.5", '"x"'), "bool": ("True", '"x"'), "List": ("[]", "1"), "Dict": ("{}", "1"),
                 "Optional[str]": ("None", "1"), "Optional[int]": ("None", '"x"')}


def in_python(tools: Tools, document: Path, chance: random.Random) -> Tuple[int, int, List[str]]:
    return python(tools, document, chance, "wrongly", r"^class (\w+)\(TypedDict\):\n((?:    .*\n)+)")


def in_classes(tools: Tools, document: Path, chance: random.Random) -> Tuple[int, int, List[str]]:
    return python(tools, document, chance, "wrong_classes", r"^class (\w+)\(DataRecord\):\n((?:    .*\n|\n(?=    ))+)", "--dataclasses")


def python(tools: Tools, document: Path, chance: random.Random, name: str, model: str, *words: str) -> Tuple[int, int, List[str]]:
    module = tools.work / f"{name}.py"
    tools.generate("python", document, module, "--name", "wrongly", *words)
    tools.generate("python", SOCIAL, tools.work / "social.py", "--name", "social")
    tools.environment["MYPYPATH"] += f":{tools.work}"
    code = module.read_text()
    literals = {alias: first for alias, first in re.findall(r'^    (\w+): TypeAlias = Literal\[\s*("(?:[^"\\]|\\.)*")', code, re.MULTILINE)}
    write = python_call if words else python_dict
    members: List[Mutation] = []
    types: List[Mutation] = []
    for kind, body in re.findall(model, code, re.MULTILINE):
        fields = re.findall(r"^    (\w+): (.*)$", re.sub(r'    """.*?"""\n', "", body, flags=re.DOTALL), re.MULTILINE)
        plain, maybe = {}, {}
        for field, hint in fields:
            inner = re.match(r"NotRequired\[(.*)\]$|(?:Optional\[(.*)\]|(.*)) = (?:None|ABSENT|spelled\(.*default=.*)$", hint)
            if inner:
                maybe[field] = python_value(next(each for each in inner.groups() if each is not None), literals)
            else:
                plain[field] = python_value(hint.partition(" = ")[0], literals)
        if any(value is None for value in plain.values()):
            continue
        for field, value in {**plain, **maybe}.items():
            if value is None:
                continue
            entries = {each: pair[0] for each, pair in plain.items() if pair} | {field: value[0]}
            right = write(name, kind, entries)
            members.append((right, write(name, kind, {f"{each}x" if each == field else each: text for each, text in entries.items()})))
            types.append((right, write(name, kind, {**entries, field: value[1]})))
    ids = [(f'    social.{one}({one.capitalize()}Id("3"))\n', f'    social.{one}({other.capitalize()}Id("3"))\n')
           for one in RESOURCES for other in RESOURCES if one != other]
    mutants = chosen(chance, members, types, ids)
    head = (f"import {name}\nfrom social import Social" + "".join(f", {each.capitalize()}Id" for each in RESOURCES) + "\n")
    source = tools.work / f"use_{name}.py"
    for column in (0, 1):
        text, ranges = laid(head, [f"def f{number}(social: Social) -> None:\n{pair[column]}" for number, pair in enumerate(mutants)])
        source.write_text(text)
        if column == 0:
            tools.succeed(tools.mypy(source))
    said = tools.run(tools.mypy(source)).stdout
    return counted(mutants, ranges, [int(line) for line in re.findall(rf"use_{name}\.py:(\d+): error", said)])


def python_value(hint: str, literals: Dict[str, str]) -> Optional[Tuple[str, str]]:
    if hint in literals:
        return literals[hint], '"no value of it"'
    return PYTHON_VALUES.get(hint, PYTHON_VALUES.get(hint.split("[")[0]))


def python_dict(module: str, name: str, entries: Dict[str, str]) -> str:
    return f"    value: {module}.{name} = {{{', '.join(f'{key!r}: {text}' for key, text in entries.items())}}}\n    del value\n"


def python_call(module: str, name: str, entries: Dict[str, str]) -> str:
    return f"    {module}.{name}({', '.join(f'{key}={text}' for key, text in entries.items())})\n"


# --- Swift ---

SWIFT_VALUES = {"String": ('"x"', "1"), "Int64": ("1", '"x"'), "Double": ("1.5", '"x"'), "Bool": ("true", '"x"')}


def in_swift(tools: Tools, document: Path, chance: random.Random) -> Tuple[int, int, List[str]]:
    source = tools.work / "Wrong.swift"
    tools.generate("swift", document, source, "--name", "Wrong")
    tools.generate("swift", SOCIAL, tools.work / "Social.swift", "--name", "Social")
    code = source.read_text()
    enums = {name: f".{case.strip('`')}" for name, case in re.findall(r"public enum (\w+): RawRepresentable.*\{\n        case (\S+)\n", code)}
    members: List[Mutation] = []
    types: List[Mutation] = []
    for name, parameters in swift_types(code):
        values = {label: swift_value(kind, enums) for label, kind in parameters if "= nil" not in kind}
        if any(value is None for value in values.values()):
            continue
        optional = {label: swift_value(kind.split("?")[0], enums) for label, kind in parameters if "= nil" in kind}
        order = [label for label, _ in parameters]
        for label, value in {**values, **optional}.items():
            if value is None:
                continue
            entries = {each: pair[0] for each, pair in values.items() if pair} | {label: value[0]}
            right = swift_call(name, entries, order)
            members.append((right, right.replace(f"{label}: ", f"{label}x: ", 1) if f"({label}: " in right else right.replace(f", {label}: ", f", {label}x: ", 1)))
            types.append((right, swift_call(name, {**entries, label: value[1]}, order)))
    ids = [(f'    _ = Social.{one}(Social.{one.capitalize()}.ID("3"))\n', f'    _ = Social.{one}(Social.{other.capitalize()}.ID("3"))\n')
           for one in RESOURCES for other in RESOURCES if one != other]
    mutants = chosen(chance, members, types, ids)
    program = tools.work / "wrong-program.swift"
    for column in (0, 1):
        text, ranges = laid("import Routable\n", [f"func f{number}() {{\n{pair[column]}}}\n" for number, pair in enumerate(mutants)])
        program.write_text(text)
        words = tools.swiftc("-typecheck", source, tools.work / "Social.swift", program)
        if column == 0:
            tools.succeed(words)
    said = tools.run(words)
    return counted(mutants, ranges, [int(line) for line in re.findall(r"wrong-program\.swift:(\d+):\d+: error", said.stdout + said.stderr)])


def swift_types(code: str) -> Iterator[Tuple[str, List[Tuple[str, str]]]]:
    for name, body in re.findall(r"^    public struct (\w+): Codable, Sendable \{\n.*?        public init\(\n?(.*?)\) \{\n", code, re.DOTALL | re.MULTILINE):
        parameters = [each.strip().rstrip(",") for each in re.split(r",\s+(?=`?\w+`?: )", body.strip())]
        yield name, [(label.strip("`"), kind) for label, kind in (each.split(": ", 1) for each in parameters if ": " in each)]


def swift_value(kind: str, enums: Dict[str, str]) -> Optional[Tuple[str, str]]:
    if kind in enums:
        return enums[kind], ".noCaseOfIt"
    if kind.endswith("?"):
        found = swift_value(kind[:-1], enums)
        return ("nil", found[1]) if found else None
    if kind.startswith("["):
        return ("[:]" if kind.startswith("[String: ") else "[]"), "1"
    return SWIFT_VALUES.get(kind)


def swift_call(name: str, entries: Dict[str, str], order: List[str]) -> str:
    return f"    _ = Wrong.{name}({', '.join(f'{label}: {entries[label]}' for label in order if label in entries)})\n"
