import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, differenceFromRefusal, toolAnswer } from '../tool-answer.ts';

interface YamlCase {
  readonly id: string;
  /** `json` holds the values of all documents, one behind the other; `fail` says that the text is none. */
  readonly input: { readonly yaml: string; readonly json?: string; readonly fail?: boolean };
}

/** The YAML test suite, for `convert_yaml_to_json`. */
export const yaml: PublicSuite = {
  name: 'yaml',
  casesOf: (file) =>
    (file as readonly YamlCase[]).map(({ id, input }) => ({
      id,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'convert_yaml_to_json', { text: input.yaml, all_documents: true });
        if (input.fail === true) return differenceFromRefusal(answer);
        // Without a value the suite says only that the text is YAML.
        if (input.json === undefined) return 'refusal' in answer ? `refused: ${answer.refusal}` : undefined;
        return differenceFrom(answer, valuesOf(input.json), ({ data }: { readonly data: unknown }) => data);
      },
    })),
};

/** Returns the JSON values of a text that holds one behind the other, as a stream of YAML documents has them. */
function valuesOf(text: string): readonly unknown[] {
  const values: unknown[] = [];
  let current = '';
  for (const line of text.split('\n')) {
    current += `${line}\n`;
    if (current.trim() === '') continue;
    try {
      // Own text: a case of the suite, whose numbers are small.
      values.push(JSON.parse(current));
      current = '';
    } catch {
      // The value goes on in the next line.
    }
  }
  if (current.trim() !== '') throw new Error(`expected JSON values, received ${current.slice(0, 100)}`);
  return values;
}
