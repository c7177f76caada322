import Type, { type Static } from 'typebox';
import type { DefinitionKey, Issue, Surroundings } from '../../../kernel/index.ts';
import type { HttpExecution } from './execution.ts';
import type { Idempotency } from './idempotency.ts';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;

/** How a request is sent again after a failure. */
export const RetrySchema = Type.Object(
  {
    /** Calls in all, the first included. */
    attempts: Type.Integer({ minimum: 1, maximum: 10 }),
    backoff: Type.Optional(
      Type.Object({ initial_ms: Type.Integer({ minimum: 0 }), maximum_ms: Type.Optional(Type.Integer({ minimum: 0 })) }, closed),
    ),
    /** HTTP status codes; default 429, 500, 502, 503, 504. */
    on: Type.Optional(Type.Array(Type.Integer({ minimum: 400, maximum: 599 }))),
  },
  closed,
);

/**
 * True: a service that answers 401 has done nothing, so that a request which changes something is sent once more with other credentials, where the secret
 * stores have others. What only reads is, always. @default false
 */
export const RepeatAfter401Schema = Type.Boolean();

export type Retry = Static<typeof RetrySchema>;

/** What the schema cannot say: that a request which is sent again does not do the same thing twice. */
export function checkRetry(
  { attempts }: Retry,
  { method }: HttpExecution,
  around: Surroundings,
  idempotency: DefinitionKey<Idempotency>,
): readonly Issue[] {
  const { annotations } = around.definition;
  const isRepeatable =
    idempotency.of(around) !== undefined ||
    (method !== 'post' && method !== 'patch') ||
    annotations?.idempotentHint === true ||
    annotations?.readOnlyHint === true;
  if (attempts <= 1 || isRepeatable) return [];
  const message = `would send "${method}" again, which may do the same thing twice (RFC 9110, 9.2.2). Add "idempotency: { header: Idempotency-Key }" if the service knows such a header, say "annotations: { idempotentHint: true }" if twice is like once, or remove "retry"`;
  return [{ path: 'retry', pointer: '/retry', message }];
}
