import { hash } from 'node:crypto';
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

/**
 * Another text where the definition acts otherwise, or is repeated for another reason, or where only one of two calls brings credentials: what was sent
 * as one is not sent again as the other.
 */
export async function definitionDigest({ execution, annotations, definition }: Tool, bringsCredentials: boolean): Promise<string> {
  const { default: canonicalize } = await import('canonicalize');
  const { idempotency, verify } = definition as typeof definition & { readonly idempotency?: unknown; readonly verify?: unknown };
  // Functions stay out of it.
  // Own text: a copy.
  const facts: unknown = JSON.parse(
    JSON.stringify({ execution, idempotency, verify, isIdempotent: annotations.idempotentHint, bringsCredentials }),
  );
  return hash('sha256', canonicalize(facts) ?? '', 'hex');
}

/** Errors of calls that were refused: by the executor before it did anything, or by the service. */
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

/**
 * Whether a call that failed so has changed nothing. False where that is not certain: a service may have done what was asked and failed to say so, and
 * what a call inside this one was refused says nothing of what came before.
 */
export function leftNothing({ code, details }: ToolkitError, { name }: Pick<Tool, 'name'>): boolean {
  return details['isSent'] === false || (refusals.has(code) && (details.tool === undefined || details.tool === name));
}

/** `againMs`: when it may be found out, in milliseconds from now, where that is so. */
export function unknownOutcome({ name }: Tool, why: string, againMs?: number): ToolkitError {
  const next =
    againMs === undefined
      ? 'It is not retried automatically. Check whether it took effect; if not, make the call again with another "once".'
      : `Call it again with the same "once" in ${Math.ceil(againMs / 1000)} seconds: it may be found out then.`;
  return new ToolkitError('OUTCOME_UNKNOWN', `Whether "${name}" has had its effect is unknown: ${why}. ${next}`, {
    tool: name,
    ...(againMs === undefined ? {} : { retryable: true, retryAfterMs: againMs }),
  });
}
