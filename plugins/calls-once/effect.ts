import { type ErrorCode, type Tool, ToolkitError } from '../../kernel/index.ts';

/** Whether a call of it may change something. */
export function hasEffect({ annotations }: Pick<Tool, 'annotations'>): boolean {
  return annotations.readOnlyHint !== true;
}

/**
 * Whether twice is like once: its request has an idempotent method (RFC 9110, 9.2.2), its definition says so, or the service knows by a header that
 * it has had the request already.
 */
export function isRepeatable({ annotations, definition }: Pick<Tool, 'annotations' | 'definition'>): boolean {
  return annotations.idempotentHint === true || 'idempotency' in definition;
}

/** Errors of calls that were refused: here, or by the service. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AUTH_FAILED',
  'BAD_REQUEST',
  'DEPENDENCY_MISSING',
  'EXECUTOR_NOT_FOUND',
  'INSUFFICIENT_SCOPE',
  'INVALID_PARAMETERS',
  'MISSING_PARAMETER',
  'NOT_FOUND',
  'OUTBOUND_BLOCKED',
  'POLICY_DENIED',
  'RATE_LIMITED',
  'SECRET_STORE_UNAVAILABLE',
  'STATE_UNAVAILABLE',
  'TOOL_INVALID',
]);

/** Whether a call that failed so has changed nothing. False where that is not certain: a service may have done what was asked and failed to say so. */
export function leftNothing(error: ToolkitError): boolean {
  return refusals.has(error.code) || error.details['isSent'] === false;
}

export function unknownOutcome({ name }: Tool, why: string): ToolkitError {
  return new ToolkitError(
    'OUTCOME_UNKNOWN',
    `Whether "${name}" has had its effect is unknown: ${why}. It is not called again by itself. Look for what it should have done; when it has not, make the call again with another "once".`,
    { tool: name },
  );
}
