import Type, { type Static } from 'typebox';
import type { DefinitionContext, DefinitionKey, Issue } from '../../../kernel/index.ts';
import type { HttpExecution } from './execution.ts';
import type { Idempotency } from './idempotency.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

/** The repetition of a request after a failure. */
export const RetrySchema = Type.Object(
  {
    /** The number of attempts in all, including the first. */
    attempts: Type.Integer({ minimum: 1, maximum: 10 }),
    backoff: Type.Optional(
      Type.Object({ initial_ms: Type.Integer({ minimum: 0 }), maximum_ms: Type.Optional(Type.Integer({ minimum: 0 })) }, closed),
    ),
    /** HTTP status codes that are retried. @default [429, 500, 502, 503, 504] */
    on: Type.Optional(Type.Array(Type.Integer({ minimum: 400, maximum: 599 }))),
  },
  closed,
);

/**
 * True when a service that answers 401 has done nothing: a request that changes something is then sent once more with other
 * credentials, where the secret stores have others. A request that only reads is always sent once more. @default false
 */
export const RepeatAfter401Schema = Type.Boolean();

export type Retry = Static<typeof RetrySchema>;

/** Returns an issue for a retry that could have an effect twice, which the schema cannot check. */
export function checkRetry(
  { attempts }: Retry,
  { method }: HttpExecution,
  surroundings: DefinitionContext,
  idempotency: DefinitionKey<Idempotency>,
): readonly Issue[] {
  const { annotations } = surroundings.definition;
  const isRepeatable =
    idempotency.of(surroundings) !== undefined ||
    (method !== 'post' && method !== 'patch') ||
    annotations?.idempotentHint === true ||
    annotations?.readOnlyHint === true;
  if (attempts <= 1 || isRepeatable) return [];
  const message = `would send "${method}" again, which may do the same thing twice (RFC 9110, 9.2.2). Add "idempotency: { header: Idempotency-Key }" if the service knows such a header, say "annotations: { idempotentHint: true }" if twice is like once, or remove "retry"`;
  return [{ path: 'retry', pointer: '/retry', message }];
}
