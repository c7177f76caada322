import { checkValue, isPlainObject, type JsonSchema, type Tool } from '../../../../kernel/index.ts';
import { Random } from '../../../support/random.ts';
import type { TextPlace } from '../arguments/nasty-texts.ts';
import { longIntegers, sampleValue } from '../arguments/sample-value.ts';

type Json = Readonly<Record<string, unknown>>;

/** Attempts to find parameters that a tool takes. */
const maxAttempts = 8;

/**
 * Returns generated parameters that the input schema of a tool takes; undefined where none were found.
 * @param files path of a file for each parameter that names one
 */
export function sampledCall(tool: Tool, seed: number, files: string): Record<string, unknown> | undefined {
  const schema = tool.inputSchema as JsonSchema;
  const {
    properties = {},
    required = [],
    $defs = {},
  } = schema as { properties?: Json; required?: string[]; $defs?: Record<string, JsonSchema> };
  const execution = tool.definition.execution as unknown as Json;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const random = new Random(seed + attempt * 7919);
    const isSmall = attempt > maxAttempts / 2;
    const parameters: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(properties)) {
      if (!required.includes(name) && (isSmall || random.chance(0.35))) continue;
      const isPath = tool.parameters[name]?.path !== undefined;
      parameters[name] = isPath ? files : sampleValue(member, { random, place: placeOf(execution, name), definitions: $defs });
    }
    if (checkValue(schema, withoutLong(parameters)).length === 0) return parameters;
  }
  return undefined;
}

/** Returns the part of the request in which the execution puts a parameter. */
function placeOf(execution: Json, name: string): TextPlace {
  const has = (value: unknown): boolean => JSON.stringify(value ?? null).includes(`{${name}}`);
  if (has(execution['url']) || has(execution['path_params'])) return 'path';
  if (has(execution['headers'])) return 'header';
  if (has(execution['cookies'])) return 'cookie';
  return has(execution['query_params']) ? 'query' : 'body';
}

/** Returns the parameters of a call with the defaults that the kernel fills in. */
export function withDefaults({ parameters: declared }: Tool, parameters: Json): Json {
  const defaults = Object.entries(declared).filter(([, { default: value }]) => value !== undefined);
  return { ...Object.fromEntries(defaults.map(([name, { default: value }]) => [name, value])), ...parameters };
}

/** Returns the value with short numbers in place of the texts of long ones, which the kernel takes for integers of 64 bits. */
function withoutLong(value: unknown): unknown {
  if (typeof value === 'string') return longIntegers.includes(value) ? 1 : value;
  if (Array.isArray(value)) return value.map(withoutLong);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLong(member)]));
}
