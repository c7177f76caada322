import { excerpt, findExactIssues, findIssues, type Issue, type IssueList, type JsonValue, messageOf } from '../../../kernel/index.ts';
import { badSchema } from './bad-schema.ts';
import { bare } from './bare.ts';
import type { LinkedSchema } from './linked-schemas.ts';
import { type SchemaParameters, usableSchema } from './usable-schema.ts';

interface ValidateParameters extends SchemaParameters {
  readonly data: JsonValue;
}

export interface Finding {
  readonly path: string;
  readonly pointer: string;
  readonly message: string;
}

export interface Validated {
  readonly valid: boolean;
  /** There are no other problems than these. */
  readonly isWhole: boolean;
  readonly errors: readonly Finding[];
}

/**
 * Checks data against a JSON Schema (2020-12). Throws INVALID_PARAMETERS for a schema that is none, that refers to something that is not given,
 * or that refers to itself without end. At most `limit` problems. May run for a very long time: a schema can hold regular expressions.
 */
export async function validate({ data, ...given }: ValidateParameters, limit: number): Promise<Validated> {
  if (given.schema === true) return { valid: true, isWhole: true, errors: [] };
  if (given.schema === false)
    return { valid: false, isWhole: true, errors: [{ path: '', pointer: '', message: 'is not allowed: the schema is false' }] };
  const { issues, isWhole } = findings(await usableSchema(given), bare(data), limit);
  const errors = distinct(issues);
  return { valid: errors.length === 0, isWhole, errors };
}

function findings({ schema, references }: LinkedSchema, data: unknown, limit: number): IssueList {
  try {
    const found = findIssues(schema, data, limit, references);
    // A text of digits may be an integer beyond 2^53, as it comes here, and what fits one of both fits.
    return found.issues.length > 0 && /"-?\d{16}/.test(JSON.stringify(data)) ? findExactIssues(schema, data, limit, references) : found;
  } catch (error) {
    if (error instanceof RangeError) throw badSchema('schema', 'refers to itself without an end, or is nested too deeply');
    throw badSchema('schema', `cannot be used: ${excerpt(messageOf(error))}`);
  }
}

/** Several keywords can have the same to say about a place. */
function distinct(issues: readonly Issue[]): Finding[] {
  const byText = new Map(issues.map(({ path, pointer = '', message }) => [`${pointer}\n${message}`, { path, pointer, message }]));
  return [...byText.values()];
}
