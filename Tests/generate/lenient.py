"""Types of responses whose members are all optional, and files that are not overwritten."""

from __future__ import annotations

import sys
from pathlib import Path

from harness import Tools, require

HERE = Path(__file__).resolve().parent

PROGRAM_C = r"""
#include "lenient.h"
#include <stdio.h>
int main(void)
{
    const char body[] = "{\"state\":null,\"parts\":[{\"count\":2}]}";
    lenient api;
    routable_response *response = NULL;
    lenient_order_data_result result = LENIENT_ORDER_DATA_RESULT_INIT;
    if (lenient_open(&api, NULL, NULL) != ROUTABLE_OK ||
        routable_response_map(api.typed.router, "order", "read", 200, NULL, 0, routable_str_from(body), &response, NULL) != ROUTABLE_OK)
        return 1;
    lenient_order_read_from_response(response, &result);
    if (!result.value)
        return 2;
    printf("%d %d %d %zu\n", result.value->id.is, result.value->state.is, result.value->parts.value.items[0].name.is,
        routable_response_deviation_count(result.response));
    lenient_order_data_result_free(&result);
    lenient_close(&api);
    return 0;
}
"""
PROGRAM_PYTHON = """
from typing import Optional
import lenient

api = lenient.Lenient.open()
response = api.router.map_response("order", "read", 200, body=b'{"parts": [{"count": 2}]}')
order: lenient.Order = api.order(lenient.OrderId(1)).read().read(response)
number: Optional[int] = order.id
assert number is None and order.parts is not None and order.parts[0].name is None and order.parts[0].count == 2, order
assert sorted(each.pointer for each in response.deviations) == ["", "", "", "/parts/0"], response.deviations
"""


def lenient(tools: Tools) -> str:
    """With --lenient, no member of an object in a response is required; without --force, no other file is overwritten."""
    shop, work = HERE / "shop.json", tools.work
    words = ("--name", "lenient", "--lenient")
    tools.generate("c", shop, work / "lenient.h", *words)
    tools.generate("python", shop, work / "lenient.py", *words, "--dataclasses")
    tools.generate("swift", shop, work / "Lenient.swift", *words)
    require("public let id: Int64?" in (work / "Lenient.swift").read_text(), "an id of Swift is required")
    (work / "lenient.c").write_text(PROGRAM_C)
    tools.succeed(tools.linked(f"-I{work}", work / "lenient.c", "-o", work / "lenient"))
    told = tools.succeed([work / "lenient"])
    require(told == "0 2 0 4\n", f"C gives {told}")  # absent, null, absent, and four deviations
    tools.environment["MYPYPATH"] += f":{work}"
    tools.environment["PYTHONPATH"] += f":{work}"
    (work / "lenient_program.py").write_text(PROGRAM_PYTHON)
    tools.succeed(tools.mypy(work / "lenient_program.py"))
    tools.succeed([sys.executable, work / "lenient_program.py"])
    mine = work / "mine.h"
    for content, words in (("int mine;\n", ()), ("", ("--force",))):
        mine.write_text(content or "int mine;\n")
        ran = tools.run([tools.command, "generate", "c", shop, "-o", mine, *words])
        require((ran.returncode == 0) is bool(words), f"{words}: {ran}")
        require((mine.read_text() == "int mine;\n") is not bool(words), f"{words}: the file has {mine.read_text()[:80]}")
        require(bool(words) or "did not write this file; --force overwrites it" in ran.stderr, f"{ran}")
    tools.generate("c", shop, mine)
    return "responses of optional members in C, Python and Swift; a file of others stays"
