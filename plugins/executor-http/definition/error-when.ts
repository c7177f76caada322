import Type, { type Static } from 'typebox';
import type { Issue, Surroundings } from '../../../kernel/index.ts';

/** What the answer of a service can mean. */
const answerCodes = [
  'AUTH_FAILED',
  'INSUFFICIENT_SCOPE',
  'BAD_REQUEST',
  'NOT_FOUND',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
  'TIMEOUT',
  'EXECUTION_FAILED',
] as const;

/** A dotted path into a JSON answer, such as `error.code` or `errors.0.code`. */
const Path = Type.String({ minLength: 1 });

/**
 * How a JSON answer says that a request failed although its status is 200, and where the service's code and words are. `code_path` and
 * `codes` hold for answers with an error status as well, where a code that is not listed leaves the meaning to the status.
 * One of `equals` and `exists`. A code that means AUTH_FAILED is met as a 401 is, with renewed credentials; `retry` looks at the status only.
 */
export const ErrorWhenSchema = Type.Object(
  {
    path: Path,
    /** The JSON value that means an error. */
    equals: Type.Optional(Type.Unknown()),
    /** Anything there means an error; null, false, 0, and an empty text, list or object count as nothing. */
    exists: Type.Optional(Type.Literal(true)),
    /** Where the service's own code is: a text or a number. */
    code_path: Type.Optional(Path),
    /** Where its words are, or several such places; what is there is joined. */
    message_path: Type.Optional(Type.Union([Path, Type.Array(Path, { minItems: 1 })])),
    /** Seconds. */
    retry_after_path: Type.Optional(Path),
    /** The service's own code to the code of the error; for every other one it is EXECUTION_FAILED, or what the status means. */
    codes: Type.Optional(Type.Record(Type.String(), Type.Enum([...answerCodes]))),
  },
  {
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    dependentRequired: { codes: ['code_path'] },
  },
);

export type ErrorWhen = Static<typeof ErrorWhenSchema>;

/** What the schema cannot say: one condition, in the rule of the tool or in the one that it gets from its provider. */
export function checkErrorWhen(rule: ErrorWhen, { provider }: Surroundings, saidBy: 'tool' | 'provider'): readonly Issue[] {
  const given = ['equals', 'exists'].filter((key) => Object.hasOwn(rule, key));
  if (given.length === 1) return [];
  const whose = saidBy === 'tool' ? '' : `of the provider "${provider?.name}" `;
  const received = given.length === 0 ? 'neither' : 'both';
  return [{ path: 'error_when', pointer: '/error_when', message: `${whose}has ${received} of "equals" and "exists". Keep one of the two` }];
}
