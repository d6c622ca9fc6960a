"""Packages of PyPI: the same object is validated against the same schema, from JSON text and, if the package accepts them, from Python
values.  msgspec and pydantic do not support JSON Schema: they get the same rules as their own types.  All of them must refuse the same
invalid object before the measurement.

usage: validate.py SCHEMA OBJECT
"""

from __future__ import annotations

import json
import sys
import time
from typing import Annotated, Any, Callable, List, Literal, Optional

ROUNDS, ROUND_SECONDS = 15, 0.05


def per_call(job: Callable[[], object]) -> float:
    """Microseconds of a call, the minimum of the rounds."""
    count = 1
    while True:
        start = time.perf_counter()
        for _ in range(count):
            job()
        spent = time.perf_counter() - start
        if spent > ROUND_SECONDS / 4:
            break
        count *= 2
    best = spent / count
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in range(count):
            job()
        best = min(best, (time.perf_counter() - start) / count)
    return best * 1e6


def show(name: str, text: Optional[Callable[[bytes], object]], value: Optional[Callable[[Any], object]]) -> None:
    for job, wrong in ((text, WRONG_TEXT), (value, WRONG)):
        if job:
            try:
                job(wrong)
            except Exception:
                continue
            raise SystemExit(f"{name} takes the wrong object")
    columns = [f"{per_call(lambda: job(given)):10.2f}" if job else f"{'-':>10}" for job, given in ((text, TEXT), (value, VALUE))]
    print(f"{name:<34}{columns[0]} us from text {columns[1]} us from a value", flush=True)


SCHEMA = json.load(open(sys.argv[1], encoding="utf-8"))
TEXT = open(sys.argv[2], "rb").read()
VALUE = json.loads(TEXT)
WRONG = {**VALUE, "items": [{**VALUE["items"][0], "quantity": 0}]}
WRONG_TEXT = json.dumps(WRONG).encode()


def routable() -> None:
    import routable

    schema = routable.Schema(SCHEMA)
    show(f"routable {routable.library_version()}", schema.check, schema.check)


def jsonschema_rs() -> None:
    import jsonschema_rs

    validator = jsonschema_rs.validator_for(SCHEMA)
    show("jsonschema-rs", lambda text: validator.validate(json.loads(text)), validator.validate)


def fastjsonschema() -> None:
    import fastjsonschema

    draft7 = {**SCHEMA, "$schema": "http://json-schema.org/draft-07/schema#"}
    check = fastjsonschema.compile(draft7)
    show("fastjsonschema", lambda text: check(json.loads(text)), check)


def jsonschema() -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(SCHEMA)
    show("jsonschema", lambda text: validator.validate(json.loads(text)), validator.validate)


def msgspec() -> None:
    import msgspec
    from msgspec import Meta

    def text(least: int, most: int) -> Any:
        return Annotated[str, Meta(min_length=least, max_length=most)]

    amount = Annotated[float, Meta(ge=0)]
    customer = msgspec.defstruct("Customer", [
        ("id", Annotated[int, Meta(ge=1)]), ("name", text(1, 200)), ("vip", bool, False)])
    address = msgspec.defstruct("Address", [
        ("street", text(1, 200)), ("city", text(1, 100)), ("country", text(2, 2)), ("postcode", text(3, 12), "000")])
    item = msgspec.defstruct("Item", [
        ("sku", text(1, 40)), ("quantity", Annotated[int, Meta(ge=1, le=10000)]), ("price", amount), ("title", text(1, 200), "x")])
    order = msgspec.defstruct("Order", [
        ("id", Annotated[str, Meta(pattern="^ord_[0-9A-Z]{16}$")]),
        ("number", Annotated[int, Meta(ge=1, le=999999999)]),
        ("created_at", Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")]),
        ("status", Literal["new", "paid", "shipped", "closed", "refused"]), ("currency", text(3, 3)), ("total", amount),
        ("paid", bool), ("email", text(3, 254)), ("customer", customer),
        ("items", Annotated[List[item], Meta(min_length=1, max_length=500)]),
        ("tax", amount, 0), ("discount", amount, 0), ("phone", text(5, 32), "00000"),
        ("note", Optional[Annotated[str, Meta(max_length=1000)]], None), ("locale", text(2, 12), "en"),
        ("tags", Annotated[List[text(1, 40)], Meta(max_length=16)], []), ("shipping", Optional[address], None),
        ("coupon", text(1, 32), "x"), ("channel", Literal["web", "shop", "phone"], "web"), ("referrer", text(1, 2000), "x"),
    ], forbid_unknown_fields=True)
    decoder = msgspec.json.Decoder(order)
    show(f"msgspec {msgspec.__version__} (own types)", decoder.decode, lambda value: msgspec.convert(value, order))


def pydantic() -> None:
    import pydantic
    from pydantic import ConfigDict, Field, TypeAdapter, create_model

    def text(least: int, most: int) -> Any:
        return Annotated[str, Field(min_length=least, max_length=most)]

    strict = ConfigDict(strict=True)
    amount = Annotated[float, Field(ge=0)]
    customer = create_model("Customer", __config__=strict, id=(Annotated[int, Field(ge=1)], ...), name=(text(1, 200), ...), vip=(bool, False))
    address = create_model("Address", __config__=strict, street=(text(1, 200), ...), city=(text(1, 100), ...), country=(text(2, 2), ...), postcode=(text(3, 12), "000"))
    item = create_model("Item", __config__=strict, sku=(text(1, 40), ...), quantity=(Annotated[int, Field(ge=1, le=10000)], ...), price=(amount, ...), title=(text(1, 200), "x"))
    order = create_model(
        "Order", __config__=ConfigDict(strict=True, extra="forbid"),
        id=(Annotated[str, Field(pattern="^ord_[0-9A-Z]{16}$")], ...), number=(Annotated[int, Field(ge=1, le=999999999)], ...),
        created_at=(Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")], ...),
        status=(Literal["new", "paid", "shipped", "closed", "refused"], ...), currency=(text(3, 3), ...), total=(amount, ...),
        tax=(amount, 0), discount=(amount, 0), paid=(bool, ...), email=(text(3, 254), ...), phone=(text(5, 32), "00000"),
        note=(Optional[Annotated[str, Field(max_length=1000)]], None), locale=(text(2, 12), "en"),
        tags=(Annotated[List[text(1, 40)], Field(max_length=16)], []), customer=(customer, ...), shipping=(Optional[address], None),
        items=(Annotated[List[item], Field(min_length=1, max_length=500)], ...), coupon=(text(1, 32), "x"),
        channel=(Literal["web", "shop", "phone"], "web"), referrer=(text(1, 2000), "x"),
    )
    adapter = TypeAdapter(order)
    show(f"pydantic {pydantic.VERSION} (own types)", adapter.validate_json, adapter.validate_python)


for peer in (routable, jsonschema_rs, msgspec, pydantic, fastjsonschema, jsonschema):
    peer()
