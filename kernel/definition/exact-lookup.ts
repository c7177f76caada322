import { isPlainObject, type JsonSchema } from '../schema/json.ts';
import { isNumericAt } from '../schema/numeric-place.ts';
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
