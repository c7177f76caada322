import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** Builds INVALID_PARAMETERS for a schema. `path` is a path in the parameters, such as `schema.items`; `problem` is the end of a sentence. */
export function badSchema(path: string, problem: string): ToolkitError {
  const where = excerpt(path, 100);
  return new ToolkitError('INVALID_PARAMETERS', `"${where}" ${problem}. Correct the schema; it is read as draft 2020-12.`, {
    issues: [{ path: where, message: problem }],
  });
}
