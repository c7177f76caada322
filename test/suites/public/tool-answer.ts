import { isDeepStrictEqual } from 'node:util';
import { ToolkitError } from '../../../kernel/index.ts';
import type { Toolkit } from '../../../plugins/toolkit/index.ts';

/** The answer of a tool to a case: its output, or its refusal in words. */
export type ToolAnswer = { readonly output: unknown } | { readonly refusal: string };

/** Calls a tool. Only an error of the tool is a refusal; anything else is thrown on. */
export async function toolAnswer(toolkit: Toolkit, tool: string, parameters: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
  try {
    return { output: await toolkit.execute(tool, parameters) };
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return { refusal: `${error.code}: ${error.message}` };
  }
}

/** Returns how an answer differs from an output that is expected, after `pick` took what is compared out of it. */
export function differenceFrom(answer: ToolAnswer, expected: unknown, pick: (output: never) => unknown): string | undefined {
  if ('refusal' in answer) return `refused: ${answer.refusal}`;
  const value = pick(answer.output as never);
  return isDeepStrictEqual(value, expected) ? undefined : `expected ${shown(expected)}, received ${shown(value)}`;
}

/** Returns how an answer differs from a refusal of the text as wrong. */
export function differenceFromRefusal(answer: ToolAnswer): string | undefined {
  if ('output' in answer) return `expected a refusal, received ${shown(answer.output)}`;
  return answer.refusal.startsWith('INVALID_PARAMETERS') ? undefined : `expected a refusal of the text, received ${answer.refusal}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
