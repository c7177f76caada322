import { excerpt, findExactIssues, findIssues, type Issue, type IssueList, type JsonValue, messageOf } from '../../../kernel/index.ts';
import { badSchema } from './bad-schema.ts';
import type { LinkedSchema } from './linked-schemas.ts';
import { prepareSchema, type SchemaParameters } from './prepare-schema.ts';
import { withoutPrototypes } from './without-prototypes.ts';

interface ValidateParameters extends SchemaParameters {
  readonly data: JsonValue;
}

export interface Finding {
  readonly path: string;
  readonly pointer: string;
  readonly message: string;
}

export interface ValidationResult {
  readonly valid: boolean;
  /** True when there are no other problems than these. */
  readonly isWhole: boolean;
  readonly errors: readonly Finding[];
}

/**
 * Checks data against a JSON Schema (2020-12) and finds at most `limit` problems. Throws INVALID_PARAMETERS for an invalid schema, one that
 * refers to a schema that is not given, and one that refers to itself without end. May run for a very long time: a schema can hold regular
 * expressions.
 */
export async function validate({ data, ...schemaParameters }: ValidateParameters, limit: number): Promise<ValidationResult> {
  if (schemaParameters.schema === true) return { valid: true, isWhole: true, errors: [] };
  if (schemaParameters.schema === false)
    return { valid: false, isWhole: true, errors: [{ path: '', pointer: '', message: 'is not allowed: the schema is false' }] };
  const { issues, isWhole } = findings(await prepareSchema(schemaParameters), withoutPrototypes(data), limit);
  const errors = distinct(issues);
  return { valid: errors.length === 0, isWhole, errors };
}

function findings({ schema, references }: LinkedSchema, data: unknown, limit: number): IssueList {
  try {
    const found = findIssues(schema, data, limit, references);
    // A text of digits may stand for an integer beyond 2^53. It is valid when either of the two fits.
    return found.issues.length > 0 && /"-?\d{16}/.test(JSON.stringify(data)) ? findExactIssues(schema, data, limit, references) : found;
  } catch (error) {
    if (error instanceof RangeError) throw badSchema('schema', 'refers to itself without an end, or is nested too deeply');
    throw badSchema('schema', `cannot be used: ${excerpt(messageOf(error))}`);
  }
}

/** Removes repeated issues: several keywords can report the same for one path. */
function distinct(issues: readonly Issue[]): Finding[] {
  const byText = new Map(issues.map(({ path, pointer = '', message }) => [`${pointer}\n${message}`, { path, pointer, message }]));
  return [...byText.values()];
}
