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
      const path = tool.parameters[name]?.path;
      parameters[name] =
        path === 'write'
          ? `${files}-${seed}-${attempt}`
          : path !== undefined
            ? files
            : sampleValue(member, { random, place: placeOf(execution, name), definitions: $defs });
    }
    leaveOtherTypesOut(execution, parameters);
    if (checkValue(schema, withoutLong(parameters)).length === 0) return parameters;
  }
  return undefined;
}

/** Leaves out what only another type of body has than the one that is sent. */
function leaveOtherTypesOut({ body_types: bodyTypes }: Json, parameters: Record<string, unknown>): void {
  if (!isPlainObject(bodyTypes)) return;
  const types = bodyTypes['types'] as Json;
  const chosen = String(parameters[String(bodyTypes['parameter'])] ?? Object.keys(types)[0]);
  const own = JSON.stringify(types[chosen] ?? {});
  const all = JSON.stringify(types);
  for (const name of Object.keys(parameters)) {
    const places = [`{${name}}`, `{${name}_as_json}`];
    if (places.some((place) => all.includes(place)) && !places.some((place) => own.includes(place))) delete parameters[name];
  }
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
