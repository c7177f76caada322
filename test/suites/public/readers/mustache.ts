import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface MustacheCase {
  readonly id: string;
  readonly input: {
    readonly template: string;
    readonly data: unknown;
    readonly partials?: Readonly<Record<string, string>>;
    readonly expected: string;
  };
}

/** The Mustache specification, for `text_render_template`. Values are escaped for HTML there. */
export const mustache: PublicSuite = {
  name: 'mustache',
  casesOf: (file) =>
    (file as readonly MustacheCase[]).map(({ id, input: { template, data, partials, expected } }) => ({
      id,
      difference: async (toolkit) => {
        const parameters = { template, data, escape: 'html', ...(partials === undefined ? {} : { partials }) };
        const answer = await toolAnswer(toolkit, 'text_render_template', parameters);
        return differenceFrom(answer, expected, ({ text }: { readonly text: string }) => text);
      },
    })),
};
