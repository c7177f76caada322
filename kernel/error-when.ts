import Type, { type Static } from 'typebox';

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
 * For services that answer 200 to a request that failed: what in the JSON answer says so, and where their code and words are.
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
    message_path: Type.Optional(Path),
    /** Seconds. */
    retry_after_path: Type.Optional(Path),
    /** The service's own code to the code of the error; for every other one it is EXECUTION_FAILED. */
    codes: Type.Optional(Type.Record(Type.String(), Type.Enum([...answerCodes]))),
  },
  {
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    dependentRequired: { codes: ['code_path'] },
  },
);

export type ErrorWhen = Static<typeof ErrorWhenSchema>;
