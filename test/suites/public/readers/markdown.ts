import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface MarkdownCase {
  /** The number of the example in the specification. */
  readonly id: number;
  readonly input: { readonly md: string; readonly html: string };
}

/** The examples of CommonMark, for `convert_markdown_to_html` without what it adds: GitHub's tables and the safety of its HTML. */
export const markdown: PublicSuite = {
  name: 'md',
  casesOf: (file) =>
    (file as readonly MarkdownCase[]).map(({ id, input }) => ({
      id: String(id),
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'convert_markdown_to_html', { text: input.md, gfm: false, sanitize: false });
        return differenceFrom(answer, input.html, ({ html }: { readonly html: string }) => html);
      },
    })),
};
