import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, differenceFromRefusal, type ToolAnswer, toolAnswer } from '../tool-answer.ts';

interface TomlCase {
  /** `valid/…` or `invalid/…`. */
  readonly id: string;
  /** The difference of an earlier answer. Of a valid text the cases hold no value but the one here: `/place type got this want that`. */
  readonly why: string;
  readonly input: string;
}

/** toml-test for TOML 1.0.0 and 1.1.0, for `convert_toml_to_json`. */
export const toml: readonly PublicSuite[] = ['toml-1.0.0', 'toml-1.1.0'].map((name) => ({
  name,
  casesOf: (file) =>
    (file as readonly TomlCase[]).map(({ id, why, input }) => ({
      id,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'convert_toml_to_json', { text: input });
        return id.startsWith('invalid/') ? differenceFromRefusal(answer) : differenceFromValid(answer, why);
      },
    })),
}));

function differenceFromValid(answer: ToolAnswer, why: string): string | undefined {
  const [, name, expected] = /^\/(\S+) \S+ got .* want (\S+)$/.exec(why) ?? [];
  // The comparison of the suite could not tell two lists apart: that the text is read is what is left to say.
  const isKnown = name !== undefined && expected !== 'undefined';
  return differenceFrom(answer, isKnown ? expected : true, ({ data }: { readonly data: Readonly<Record<string, unknown>> }) =>
    isKnown ? data[name] : typeof data === 'object',
  );
}
