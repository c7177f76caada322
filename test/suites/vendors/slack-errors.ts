import type { ErrorCode, JsonSchema } from '../../../kernel/index.ts';

/** Meanings of the codes that all methods share (docs.slack.dev, the errors of each method). */
const meanings: readonly (readonly [RegExp, ErrorCode])[] = [
  [/^(not_authed|invalid_auth|account_inactive|token_revoked|token_expired)$/, 'AUTH_FAILED'],
  [/^(missing_scope|no_permission)$/, 'INSUFFICIENT_SCOPE'],
  [/^(channel|message|user|thread)_not_found$/, 'NOT_FOUND'],
  [/^rate_?limited$/, 'RATE_LIMITED'],
  [/^(fatal_error|internal_error|service_unavailable)$/, 'UPSTREAM_UNAVAILABLE'],
];

/** Codes of every method, whether or not its description lists them. */
const common = [
  'invalid_auth',
  'token_expired',
  'missing_scope',
  'ratelimited',
  'internal_error',
  'service_unavailable',
  'a_code_of_next_year',
];

/** Every error code that the description of a method gives. */
export function slackErrors(failure: JsonSchema | undefined): readonly string[] {
  const { properties } = (failure ?? {}) as { properties?: { error?: { enum?: string[] } } };
  return [...new Set([...common, ...(properties?.error?.enum ?? [])])];
}

/** Returns the error code that a code of Slack must become; undefined when any failure will do. */
export function meaningOf(code: string): ErrorCode | undefined {
  return meanings.find(([pattern]) => pattern.test(code))?.[1];
}

export function slackErrorBody(code: string): Readonly<Record<string, unknown>> {
  return { ok: false, error: code, ...(code === 'missing_scope' ? { needed: 'chat:write', provided: 'users:read' } : {}) };
}
