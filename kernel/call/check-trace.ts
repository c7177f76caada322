import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import type { CallTrace, Span } from '../trace/span.ts';

const spanMethods = ['start', 'set', 'traceparentFor', 'run', 'end'] as const satisfies readonly (keyof Span)[];

/**
 * Throws INVALID_PARAMETERS for a `trace` of another form, which only untyped code can give. A malformed text in `traceparent` comes from another
 * program: it begins a new trace.
 */
export function checkTrace(tool: string, trace: CallTrace): void {
  const given: unknown = trace;
  const isValid = isObject(given) && (isSpan(given) || isSpan(given['within']) || typeof given['traceparent'] === 'string');
  if (isValid) return;
  const expected = 'expected a span of kernel.tracer, { within: span } or { traceparent: "00-…" }';
  const received = isObject(given)
    ? `an object with ${Object.keys(given).slice(0, 5).join(', ').slice(0, 100) || 'no members'}`
    : describeValue(given);
  throw new ToolkitError('INVALID_PARAMETERS', `The "trace" of the call of "${tool}" is wrong: ${expected}, received ${received}.`, {
    tool,
  });
}

function isSpan(value: unknown): boolean {
  return isObject(value) && spanMethods.every((name) => typeof value[name] === 'function');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
