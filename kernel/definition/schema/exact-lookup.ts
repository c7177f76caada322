import type { Issue } from '../../errors.ts';
import { isPlainObject, type JsonSchema, pathText, type RoundedInteger, toJsonParameters } from '../../json/json.ts';
import { isUnsafeInteger } from '../../json/read-json.ts';
import { markIntegers } from '../../json/write-json.ts';
import { roundedIssue } from '../../schema/exact-integers.ts';
import { isNumericAt, typesAt } from '../../schema/numeric-path.ts';
import type { Lookup } from './template.ts';
import type { Tool } from './tool.ts';

/** True for a parameter with a numeric type at any depth, by input schema and parameter. */
const withNumbers = new WeakMap<JsonSchema, Map<string, boolean>>();

/**
 * Returns a lookup of call parameters in which integers beyond ±(2^53−1) are marked: `asText` returns their digits, `writeMarked` writes them as
 * numbers, by the type in the schema. `value` looks up the unmarked parameter.
 */
export function exactLookup({ inputSchema }: Pick<Tool, 'inputSchema'>, value: Lookup): Lookup {
  return (name) => {
    const given = value(name);
    if (typeof given === 'string' ? !isUnsafeInteger(given) : !isNested(given) || !hasNumbers(inputSchema, name)) return given;
    return markIntegers(given, (path) => isNumericAt(inputSchema, path), [name]);
  };
}

/** Minimum number that JavaScript prints with an exponent, so that it does not look exact. */
const exponentFrom = 1e21;

/**
 * Returns an issue for each number that may be a rounded integer beyond ±(2^53−1). None for type `number`: that is a double, and 1e17 is as exact as
 * it looks. `rounded`: such numbers of the parameters, if known.
 */
export function roundedIssues(
  { inputSchema }: Pick<Tool, 'inputSchema'>,
  parameters: unknown,
  rounded?: readonly RoundedInteger[],
): Issue[] {
  const found: RoundedInteger[] = [];
  if (rounded === undefined) toJsonParameters(parameters, found);
  return (rounded ?? found)
    .filter(({ path, value }) => Math.abs(value) < exponentFrom && !typesAt(inputSchema, path).has('number'))
    .map(({ path, value }): Issue => ({ path: pathText(path), message: roundedIssue(value) }));
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** True for a schema with a numeric type. Cached, so that calls skip other schemas. References count as numeric. */
function hasNumbers(schema: JsonSchema, name: string): boolean {
  const known = withNumbers.get(schema) ?? new Map<string, boolean>();
  withNumbers.set(schema, known);
  const found = known.get(name) ?? /"(?:integer|number|\$ref)"/.test(JSON.stringify(memberOf(schema, name)));
  known.set(name, found);
  return found;
}

/** Returns the schema of the parameter, or the whole schema if its properties do not include it. */
function memberOf(schema: JsonSchema, name: string): unknown {
  const { properties } = schema;
  return isPlainObject(properties) && Object.hasOwn(properties, name) ? properties[name] : schema;
}
