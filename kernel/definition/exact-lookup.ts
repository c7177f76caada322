import type { Issue } from '../errors.ts';
import { roundedIssue } from '../schema/exact-integers.ts';
import { isPlainObject, type JsonSchema, pathText, type RoundedInteger, toJsonParameters } from '../schema/json.ts';
import { isNumericAt, typesAt } from '../schema/numeric-path.ts';
import { isUnsafeInteger } from '../schema/read-json.ts';
import { markIntegers } from '../schema/write-json.ts';
import type { Lookup } from './template.ts';
import type { Tool } from './tool.ts';

/** By input schema, whether it names a numeric type anywhere below a parameter. */
const withNumbers = new WeakMap<JsonSchema, Map<string, boolean>>();

/**
 * Looks parameters of a call up, with integers beyond ±(2^53−1) marked: `asText` gives their digits, `writeMarked` writes numbers, as the
 * parameter's schema has them. `value` gives a parameter as the call has it.
 */
export function exactLookup({ inputSchema }: Pick<Tool, 'inputSchema'>, value: Lookup): Lookup {
  return (name) => {
    const given = value(name);
    if (typeof given === 'string' ? !isUnsafeInteger(given) : !isNested(given) || !hasNumbers(inputSchema, name)) return given;
    return markIntegers(given, (path) => isNumericAt(inputSchema, path), [name]);
  };
}

/** From here on JavaScript writes numbers with an exponent, so that they do not look exact. */
const exponentFrom = 1e21;

/**
 * Returns an issue for each number in parameters that stands for an integer beyond ±(2^53−1), and was perhaps rounded before. Not where the schema
 * says `number`: that is a double, and 1e17 as exact as it looks. `rounded`: those of the parameters, where they are known.
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

/** A schema without one is not walked with each call. References may lead anywhere. */
function hasNumbers(schema: JsonSchema, name: string): boolean {
  const known = withNumbers.get(schema) ?? new Map<string, boolean>();
  withNumbers.set(schema, known);
  const found = known.get(name) ?? /"(?:integer|number|\$ref)"/.test(JSON.stringify(memberOf(schema, name)));
  known.set(name, found);
  return found;
}

/** All of the schema where the parameter is not among its properties. */
function memberOf(schema: JsonSchema, name: string): unknown {
  const { properties } = schema;
  return isPlainObject(properties) && Object.hasOwn(properties, name) ? properties[name] : schema;
}
