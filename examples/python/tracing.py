"""OpenTelemetry: a span for each request, with the template of its URL, its attempts as events, and a traceparent header.

    client = routable.Client(middleware=[traced(api)])

The template ("/users/:username") groups the requests of an operation; the whole URL would be different for each of them.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Generator, Optional, Tuple

import routable
from opentelemetry import propagate, trace
from opentelemetry.trace import Span, SpanKind, StatusCode


def traced(api: routable.Router) -> "Callable[[routable.Request], Generator[routable.Request, routable.Response, routable.Response]]":
    """Middleware for the requests of an API."""
    templates: Dict[Tuple[Optional[str], str], str] = {
        (row.get("route"), row["operation"]): row["pattern"] for row in api.routes(as_json=True) if "operation" in row
    }

    def middleware(request: routable.Request) -> "Generator[routable.Request, routable.Response, routable.Response]":
        template = templates.get((request.route, request.operation), "")
        names = ".".join(each for each in (request.route, request.operation) if each)
        span = trace.get_tracer("routable").start_span(
            f"{request.method} {template}".strip(),
            kind=SpanKind.CLIENT,
            attributes={"http.request.method": request.method, "url.template": template, "routable.operation": names},
        )
        headers: Dict[str, str] = {}
        # Not the current span: other requests go on between this one and its response.
        propagate.inject(headers, context=trace.set_span_in_context(span))
        for name, value in headers.items():
            request.set_header(name, value)
        try:
            response = yield request
        except routable.RoutableError as error:
            _told(span, error, error.http_status)
            span.set_attribute("error.type", error.status)
            span.set_status(StatusCode.ERROR, error.status)
            raise
        else:
            _told(span, response, response.status)
            return response
        finally:
            span.end()

    return middleware


def _told(span: Span, outcome: Any, status: Optional[int]) -> None:
    if status is not None:
        span.set_attribute("http.response.status_code", status)
    for number, attempt in enumerate(outcome.attempts, 1):
        span.add_event("attempt", {
            "attempt": number, "reason": attempt.reason, "http.response.status_code": attempt.status or 0, "wait": attempt.wait,
        })
    if outcome.attempts:
        span.set_attribute("http.request.resend_count", len(outcome.attempts))
