"""examples/python/tracing.py: spans of OpenTelemetry with templates, attempts and traceparent, and without secrets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import routable
from routable.testing import Responses

pytest.importorskip("opentelemetry.sdk")
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_spans(monkeypatch: pytest.MonkeyPatch, social: routable.Router) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "python"))
    import tracing

    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    with Responses() as responses:
        responses.add("read", 503)
        responses.add("read", route="user", json={})
        responses.add("search", 404)
        with routable.Client(transport=responses, retries=1, retry_delay=0.001, middleware=[tracing.traced(social)]) as client:
            client.perform(social.user("s3cret").read())
            ended = list(client.perform_all([social.operations.search(q="s3cret")]))
        sent: Any = responses.requests
    assert ended[0].error is not None
    first, second = exporter.get_finished_spans()
    assert first.name == "GET /users/:username" and first.attributes["url.template"] == "/users/:username"
    assert first.attributes["http.response.status_code"] == 200 and first.attributes["http.request.resend_count"] == 1
    assert [(each.name, each.attributes["http.response.status_code"]) for each in first.events] == [("attempt", 503)]
    assert second.name == "GET /search" and second.attributes["error.type"] == "http_status"
    assert sent[0].headers["traceparent"].startswith(f"00-{first.context.trace_id:032x}-{first.context.span_id:016x}-")
    assert sent[0].headers["traceparent"] == sent[1].headers["traceparent"] != sent[2].headers["traceparent"]
    assert "s3cret" not in first.to_json() + second.to_json()
    del sys.modules["tracing"]
