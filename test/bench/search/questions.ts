import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import Type, { type Static } from 'typebox';
import { parse } from 'yaml';
import { checkValue } from '../../../kernel/index.ts';

const writtenSchema = Type.Array(
  Type.Object(
    {
      question: Type.String({ minLength: 1 }),
      tools: Type.Array(Type.String(), { minItems: 1, maxItems: 3, uniqueItems: true }),
    },
    { additionalProperties: false },
  ),
);

/** A question of a user, and the tools that answer it. */
export interface Question {
  readonly question: string;
  /** Names of one to three tools; each of them is a right answer. */
  readonly tools: readonly string[];
  /** `held` is for the published figure alone: nothing is tuned to it. */
  readonly half: 'tune' | 'held';
}

/** The questions of `questions.yaml`, in its order. Throws where an entry has another shape. */
export async function loadQuestions(): Promise<readonly Question[]> {
  const written: unknown = parse(await readFile(new URL('questions.yaml', import.meta.url), 'utf8'));
  const [issue] = checkValue(writtenSchema, written);
  if (issue !== undefined) throw new Error(`test/bench/search/questions.yaml: ${issue.path} ${issue.message}`);
  return (written as Static<typeof writtenSchema>).map(({ question, tools }) => ({ question, tools, half: halfOf(question) }));
}

/** By the text alone, so that nobody chooses and a new question moves no other. */
function halfOf(question: string): Question['half'] {
  const firstByte = createHash('sha256').update(question).digest().readUInt8(0);
  return firstByte % 2 === 0 ? 'tune' : 'held';
}
