import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface JmesPathCase {
  readonly id: string;
  readonly input: { readonly e: string; readonly given: unknown; readonly want: unknown };
}

/** The JMESPath compliance tests, for `json_query`. */
export const jmespath: PublicSuite = {
  name: 'jmespath',
  casesOf: (file) =>
    (file as readonly JmesPathCase[]).map(({ id, input }) => ({
      id,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'json_query', { data: input.given, query: input.e, language: 'jmespath' });
        return differenceFrom(answer, input.want, ({ result }: { readonly result: unknown }) => result);
      },
    })),
};
