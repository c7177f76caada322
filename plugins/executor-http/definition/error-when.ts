import Type, { type Static } from 'typebox';
import type { DefinitionContext, Issue } from '../../../kernel/index.ts';

/** The error codes that an answer can mean. */
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
 * The rule by which a JSON answer with status 200 is an error, and the paths of the service's code and message. `code_path`
 * and `codes` also apply to answers with an error status; a code that is not listed leaves the meaning to the status. Exactly
 * one of `equals` and `exists` is required. AUTH_FAILED is handled like a 401, with renewed credentials; `retry` looks at the
 * status only.
 */
export const ErrorWhenSchema = Type.Object(
  {
    path: Path,
    /** The JSON value at `path` that means an error. */
    equals: Type.Optional(Type.Unknown()),
    /** True: any value at `path` means an error, except null, false, 0, and an empty text, list or object. */
    exists: Type.Optional(Type.Literal(true)),
    /** The path of the service's own code: a text or a number. */
    code_path: Type.Optional(Path),
    /** The path of the message, or several paths, whose texts are joined. */
    message_path: Type.Optional(Type.Union([Path, Type.Array(Path, { minItems: 1 })])),
    /** The path of the time to wait, in seconds. */
    retry_after_path: Type.Optional(Path),
    /** Maps the service's own codes to error codes. Any other code means EXECUTION_FAILED, or what the status means. */
    codes: Type.Optional(Type.Record(Type.String(), Type.Enum([...answerCodes]))),
  },
  {
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    dependentRequired: { codes: ['code_path'] },
  },
);

export type ErrorWhen = Static<typeof ErrorWhenSchema>;

/** Returns an issue unless the rule, of the tool or its provider, has exactly one condition. The schema cannot check that. */
export function checkErrorWhen(rule: ErrorWhen, { provider }: DefinitionContext, declaredBy: 'tool' | 'provider'): readonly Issue[] {
  const conditions = ['equals', 'exists'].filter((key) => Object.hasOwn(rule, key));
  if (conditions.length === 1) return [];
  const ownerText = declaredBy === 'tool' ? '' : `of the provider "${provider?.name}" `;
  const received = conditions.length === 0 ? 'neither' : 'both';
  return [
    { path: 'error_when', pointer: '/error_when', message: `${ownerText}has ${received} of "equals" and "exists". Keep one of the two` },
  ];
}
