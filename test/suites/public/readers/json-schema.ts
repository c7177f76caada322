import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, toolAnswer } from '../tool-answer.ts';

interface SchemaCase {
  /** `<file> | <schema> | <instance>`. */
  readonly id: string;
  readonly input: { readonly schema: unknown; readonly data: unknown; readonly want: boolean };
}

/** The JSON Schema test suite of draft 2020-12, for `json_validate`. */
export const jsonSchema: PublicSuite = {
  name: 'schema',
  casesOf: (file) =>
    (file as readonly SchemaCase[]).map(({ id, input: { schema, data, want } }) => ({
      id,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'json_validate', { schema, data });
        return differenceFrom(answer, want, ({ valid }: { readonly valid: boolean }) => valid);
      },
    })),
};
