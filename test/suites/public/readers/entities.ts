import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface EntityCase {
  /** The text with its references. */
  readonly id: string;
  /** The difference of an earlier answer, which ends with `want` and the text that is expected, as JSON. */
  readonly why: string;
}

/** References of HTML by number and by name, from html5lib-tests, for `decode_html`. */
export const entities: PublicSuite = {
  name: 'entities',
  casesOf: (file) =>
    (file as readonly EntityCase[]).map(({ id, why }) => ({
      id,
      difference: async (toolkit) => {
        // Own text: a string alone.
        const expected: unknown = JSON.parse(/ want (".*")$/s.exec(why)?.[1] ?? 'null');
        const answer = await toolAnswer(toolkit, 'decode_html', { escaped: id });
        return differenceFrom(answer, expected, ({ text }: { readonly text: string }) => text);
      },
    })),
};
