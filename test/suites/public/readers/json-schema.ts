import type { PublicSuite } from '../public-suite.ts';
import { remoteSchemas } from '../remote-schemas.ts';
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
        // The suite takes `format` for a remark, save where it is about checking them.
        const check_formats = id.startsWith('optional/format');
        const answer = await toolAnswer(toolkit, 'json_validate', { schema, data, schemas: remoteSchemas, check_formats });
        return differenceFrom(answer, want, ({ valid }: { readonly valid: boolean }) => valid);
      },
    })),
};
