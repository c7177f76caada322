"""The place of a call in its trace, for code that is instrumented with OpenTelemetry."""

from __future__ import annotations

import sys
from importlib import import_module


def enter_trace(traceparent: str | None) -> None:
    """Makes the call's place in its trace the active one in the current context, where OpenTelemetry is loaded."""
    if not traceparent or "opentelemetry" not in sys.modules:
        return
    try:
        propagator = import_module("opentelemetry.trace.propagation.tracecontext").TraceContextTextMapPropagator()
        import_module("opentelemetry.context").attach(propagator.extract({"traceparent": traceparent}))
    except Exception:
        # A module of the same name, or another version: the call is worth more than its trace.
        return
