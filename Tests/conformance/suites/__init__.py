"""All suites, in the order in which they run.  A suite is one module that maps vectors to calls of the library."""

from __future__ import annotations

from typing import List

from harness import Suite

from . import (
    alamofire, featherweight, forms, hostile, json_parsing, json_schema, multipart, openapi_docs, openapi_examples, openapi_params,
    routableapp, routing_scale, routing_tables, routing_werkzeug, uritemplate,
)

SUITES: List[Suite] = [
    *routableapp.SUITES, *featherweight.SUITES,
    *alamofire.SUITES,
    *forms.SUITES,
    *multipart.SUITES,
    *json_parsing.SUITES,
    *uritemplate.SUITES,
    *openapi_params.SUITES,
    *openapi_docs.SUITES,
    *openapi_examples.SUITES,
    *json_schema.SUITES,
    *hostile.SUITES,
    *routing_scale.SUITES,
    *routing_tables.SUITES,
    *routing_werkzeug.SUITES,
]
