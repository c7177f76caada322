import { hash } from 'node:crypto';
import { type ErrorCode, type Tool, ToolkitError } from '../../kernel/index.ts';

/** True when a call of the tool may change something. */
export function hasEffect({ annotations }: Pick<Tool, 'annotations'>): boolean {
  return annotations.readOnlyHint !== true;
}

/**
 * True when repeating a call is safe: its method is idempotent (RFC 9110, 9.2.2), its definition says so, or the service recognizes a repeated
 * request by a header.
 */
export function isRepeatable({ annotations, definition }: Pick<Tool, 'annotations' | 'definition'>): boolean {
  return annotations.idempotentHint === true || 'idempotency' in definition;
}

/**
 * Returns a digest that changes with the behaviour of the definition, with the reason why it is repeatable, and with whether the call has its own
 * credentials. A call sent with one digest is not sent again with another.
 */
export function definitionDigest(tool: Tool, hasOwnCredentials: boolean): Promise<string> {
  return digestOf(tool, { hasOwnCredentials });
}

/** Key of an earlier form of the digest. */
const earlierKey = 'bringsCredentials';

/** True when an earlier version of this program wrote this digest for the same behaviour. */
export async function isEarlierDigest(digest: string, tool: Tool, hasOwnCredentials: boolean): Promise<boolean> {
  if (digest === (await digestOf(tool, { [earlierKey]: hasOwnCredentials }))) return true;
  // The first form does not tell calls with credentials of their own, so that they stay in doubt.
  return !hasOwnCredentials && digest === (await digestOf(tool, {}));
}

async function digestOf({ execution, annotations, definition }: Tool, ofCall: Readonly<Record<string, boolean>>): Promise<string> {
  const { default: canonicalize } = await import('canonicalize');
  const { idempotency, verify } = definition as typeof definition & { readonly idempotency?: unknown; readonly verify?: unknown };
  // Own text: a copy without functions.
  const facts: unknown = JSON.parse(
    JSON.stringify({ execution, idempotency, verify, isIdempotent: annotations.idempotentHint, ...ofCall }),
  );
  return hash('sha256', canonicalize(facts) ?? '', 'hex');
}

/** Error codes of refused calls: by the executor before it did anything, or by the service. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AUTH_FAILED',
  'AUTH_REQUIRED',
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
 * True when a call that failed with this error has changed nothing. False when that is uncertain: a service may have done the work and failed to
 * report it, and the refusal of an inner call says nothing about the work before it.
 */
export function hadNoEffect({ code, details }: ToolkitError, { name }: Pick<Tool, 'name'>): boolean {
  return details['isSent'] === false || (refusals.has(code) && (details.tool === undefined || details.tool === name));
}

/** Returns an OUTCOME_UNKNOWN error. `delayMs`: delay after which the effect can be verified, in milliseconds. */
export function unknownOutcomeError({ name }: Tool, why: string, delayMs?: number): ToolkitError {
  const next =
    delayMs === undefined
      ? 'It is not retried automatically. Check whether it took effect; if not, make the call again with another "once".'
      : `Call it again with the same "once" in ${Math.ceil(delayMs / 1000)} seconds: it may be found out then.`;
  return new ToolkitError('OUTCOME_UNKNOWN', `Whether "${name}" has had its effect is unknown: ${why}. ${next}`, {
    tool: name,
    ...(delayMs === undefined ? {} : { retryable: true, retryAfterMs: delayMs }),
  });
}
