import {
  checkExactly,
  checkValue,
  excerpt,
  type Issue,
  type JsonSchema,
  type JsonValue,
  messageOf,
  ToolkitError,
} from '../../../kernel/index.ts';
import { bare } from './bare.ts';
import { excessivePattern } from './schema-patterns.ts';
import { danglingReference } from './schema-references.ts';

interface ValidateParameters {
  readonly data: JsonValue;
  readonly schema: JsonSchema;
}

interface Finding {
  readonly path: string;
  readonly pointer: string;
  readonly message: string;
}

interface ValidateResult {
  readonly valid: boolean;
  readonly errors: readonly Finding[];
}

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/**
 * Checks data against a JSON Schema (2020-12). Throws INVALID_PARAMETERS for a schema that is none, that refers to something outside of
 * itself, or that refers to itself without end. May run for a very long time: a schema can hold regular expressions.
 */
export async function validate({ data, schema }: ValidateParameters): Promise<ValidateResult> {
  await checkSchema(schema);
  const errors = distinct(findings(schema, bare(data)));
  return { valid: errors.length === 0, errors };
}

async function checkSchema(schema: JsonSchema): Promise<void> {
  const excessive = excessivePattern(schema);
  if (excessive !== undefined) throw badSchema(excessive.path, `is a pattern ${excessive.excess}. Write a simpler one`);
  const { Meta } = await import('typebox/schema');
  const [issue] = checkValue(Meta[dialect], schema);
  if (issue !== undefined) throw badSchema(issue.path, `${issue.message}${adviceFor(issue)}`);
  const dangling = danglingReference(schema);
  if (dangling === undefined) return;
  const { path, reference } = dangling;
  const problem = `refers to "${excerpt(reference, 100)}", which is not in this schema, and nothing is fetched`;
  throw badSchema(path, `${problem}. Put what it refers to under $defs, and refer to it as "#/$defs/name"`);
}

/** What is written in another way in older drafts. */
function adviceFor({ path, message }: Issue): string {
  if (/(^|\.)items$/.test(path) && message.includes('received array')) return '. In draft 2020-12 a list of schemas is "prefixItems"';
  if (/exclusive(Min|Max)imum$/.test(path) && message.includes('boolean')) return '. In draft 2020-12 it is the limit itself';
  return '';
}

function findings(schema: JsonSchema, data: unknown): readonly Issue[] {
  try {
    const issues = checkValue(schema, data);
    // A text of digits may be an integer beyond 2^53, as it comes here, and what fits one of both fits.
    return issues.length > 0 && /"-?\d{16}/.test(JSON.stringify(data)) ? checkExactly(schema, data) : issues;
  } catch (error) {
    if (error instanceof RangeError) throw badSchema('', 'refers to itself without an end, or is nested too deeply');
    throw badSchema('', `cannot be used: ${excerpt(messageOf(error))}`);
  }
}

/** Several keywords can have the same to say about a place. */
function distinct(issues: readonly Issue[]): Finding[] {
  const byText = new Map(issues.map(({ path, pointer = '', message }) => [`${pointer}\n${message}`, { path, pointer, message }]));
  return [...byText.values()];
}

function badSchema(path: string, problem: string): ToolkitError {
  const where = path === '' ? 'schema' : `schema.${excerpt(path, 100)}`;
  return new ToolkitError('INVALID_PARAMETERS', `"${where}" ${problem}. Correct the schema; it is read as draft 2020-12.`, {
    issues: [{ path: where, message: problem }],
  });
}
