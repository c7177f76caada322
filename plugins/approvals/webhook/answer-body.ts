import Type, { type Static } from 'typebox';
import { checkValue, excerpt, readJson } from '../../../kernel/index.ts';

const AnswerSchema = Type.Object(
  {
    approval: Type.String({ minLength: 1, maxLength: 100 }),
    /** Digest of the record that was seen. */
    digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    decision: Type.Union([Type.Literal('approve'), Type.Literal('refuse')]),
    reason: Type.Optional(Type.String({ maxLength: 1000 })),
    hold: Type.Optional(Type.Union([Type.Literal('tool'), Type.Literal('arguments')])),
  },
  { additionalProperties: false },
);

/** An answer as a webhook sends it. */
export type AnswerBody = Static<typeof AnswerSchema>;

/** Reads the body of an answer. Returns a text that says what is wrong with it, if anything is. */
export function readAnswer(text: string): AnswerBody | string {
  const value = parsed(text);
  if (value === undefined) return 'the body is not JSON';
  const issues = checkValue(AnswerSchema, value);
  const [issue] = issues;
  if (issue !== undefined) return excerpt(`the body is not an answer: ${issue.path === '' ? 'it' : `"${issue.path}"`} ${issue.message}`);
  const answer = value as AnswerBody;
  return answer.hold !== undefined && answer.decision === 'approve' ? '"hold" is only for a refusal' : answer;
}

/** Returns the id that a body names, for the trail; empty where it names none. Nothing of the body has been checked. */
export function namedId(text: string): string {
  const value = parsed(text) as { readonly approval?: unknown } | null | undefined;
  const id = value?.approval;
  return typeof id === 'string' && /^[A-Za-z0-9-]{1,100}$/.test(id) ? id : '';
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
