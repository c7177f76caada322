import Type, { type Static } from 'typebox';
import { checkValue, type DefinitionContext, didYouMean, type Issue } from '../../../kernel/index.ts';

/**
 * Saves the answer as a file for a caller that gives `parameter`: its bytes are written as they arrive, all of them or none.
 * The output is `{path, bytes, content_type, sha256}`, which `output_schema` must allow and `select` does not change; with `output_headers`
 * it is the `body` of the output. Without
 * the parameter, the answer is the output. For tools that are not read-only by their annotation.
 */
export const SaveToSchema = Type.Object(
  {
    /** A parameter with `path: write`. */
    parameter: Type.String(),
    /** A boolean parameter: true replaces an existing file. @default an existing file is an error */
    overwrite: Type.Optional(Type.String()),
    /** Limit of a saved answer, in bytes. @default 104857600 */
    max_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type SaveTo = Static<typeof SaveToSchema>;

/** A sample of the output for a saved answer. */
const sampleOutput = { path: '/data/answer.pdf', bytes: 1, content_type: 'application/pdf', sha256: '0'.repeat(64) };

/**
 * Returns issues that the schema cannot find: parameters that do not exist, a tool that may not write, an output schema that
 * does not allow the output.
 */
export function checkSaveTo({ parameter: name, overwrite }: SaveTo, surroundings: DefinitionContext): readonly Issue[] {
  const { parameters, annotations, definition } = surroundings;
  const issues: Issue[] = [];
  const report = (key: string, message: string) =>
    issues.push({ path: `save_to${key.replaceAll('/', '.')}`, pointer: `/save_to${key}`, message });
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) report('/parameter', `names "${name}", which is no parameter.${didYouMean(name, Object.keys(parameters))}`);
  else if (parameter.path !== 'write')
    report('/parameter', `names "${name}", which is no path to write: say "path: write" on that parameter`);
  if (overwrite !== undefined && !(Object.hasOwn(parameters, overwrite) && parameters[overwrite]?.type === 'boolean'))
    report('/overwrite', `names "${overwrite}", which is no parameter of type boolean`);
  if (annotations.readOnlyHint === true)
    report('', 'writes a file, but the tool is read-only by its annotation. Say "annotations: { readOnlyHint: false }"');
  if ('paginate' in definition) report('', 'cannot stand beside "paginate": a file holds one answer');
  const hasHeaders = 'output_headers' in definition;
  const sample = hasHeaders ? { headers: {}, body: sampleOutput } : sampleOutput;
  const schemaIssues = definition.output_schema === undefined ? [] : checkValue(definition.output_schema, sample);
  for (const { path, message } of schemaIssues.filter(({ path: at }) => !hasHeaders || at.startsWith('body')))
    report('', `gives { path, bytes, content_type, sha256 }, which output_schema refuses: ${path === '' ? '' : `${path} `}${message}`);
  return issues;
}
