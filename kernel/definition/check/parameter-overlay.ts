import { isPlainObject, type JsonSchema, setMember } from '../../json/json.ts';
import { didYouMean } from '../../schema/nearest.ts';
import { membersOf, parametersOf } from '../schema/input-schema.ts';
import type { Parameter } from '../schema/parameter.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import type { Reporter } from './reporter.ts';

type Parameters = Readonly<Record<string, Parameter>>;

/** Keys that `parameters` may have beside an `input_schema`: all that a JSON Schema cannot say, and the texts that it may replace. */
const overlayKeys: ReadonlySet<string> = new Set([
  'path',
  'follow',
  'or_url',
  'binds',
  'control_files',
  'from',
  'streamed',
  'tables',
  'fixed',
  'default',
  'default_from',
  'auth',
  'options',
  'json_text',
  'mistaken_names',
  'description',
  'example',
]);

/** Returns the written parameters: those of `parameters`, or those of `input_schema` with the keys that `parameters` adds to them. */
export function writtenParameters({ parameters = {}, input_schema: schema }: ToolDefinition): Parameters {
  if (schema === undefined) return parameters;
  const ofSchema = parametersOf(schema);
  const names = Object.keys(parameters).filter((name) => Object.hasOwn(ofSchema, name));
  for (const name of names) setMember(ofSchema, name, { ...ofSchema[name], ...parameters[name] });
  return ofSchema;
}

/** Returns true when a call must have this parameter, also one with `from: path`, which its schema does not require. */
export function isRequired({ parameters = {}, input_schema: schema }: ToolDefinition, name: string): boolean {
  if (schema === undefined) return Object.hasOwn(parameters, name) && parameters[name]?.required === true;
  return Array.isArray(schema['required']) && schema['required'].includes(name);
}

/**
 * Returns an `input_schema` for callers: without the `hidden` names and fixed values, with the texts of `parameters`, and with a property for
 * each parameter that `from: path` adds. Returns the same schema if nothing changes. `declared`: all parameters, with those that are added.
 */
export function overlaidSchema(schema: JsonSchema, overlay: Parameters, declared: Parameters, hidden: ReadonlySet<string>): JsonSchema {
  if (hidden.size === 0 && Object.keys(overlay).length === 0) return schema;
  const members = membersOf(schema);
  const isLeftOut = (name: string): boolean => hidden.has(name) || declared[name]?.fixed === true;
  const properties: [string, unknown][] = Object.entries(declared).flatMap(([name, parameter]): [string, unknown][] => {
    if (isLeftOut(name)) return [];
    if (parameter.reads !== undefined) return [[name, { type: parameter.type, description: parameter.description }]];
    return [[name, Object.hasOwn(overlay, name) ? withTexts(members[name], overlay[name] ?? {}) : members[name]]];
  });
  const isRequiredHere = (name: unknown): boolean =>
    typeof name !== 'string' || !(isLeftOut(name) || (Object.hasOwn(overlay, name) && overlay[name]?.from !== undefined));
  const { required } = schema;
  return {
    ...schema,
    properties: Object.fromEntries(properties),
    ...(Array.isArray(required) ? { required: required.filter(isRequiredHere) } : {}),
  };
}

/** Returns the schema of one property with the texts and the default of its overlay. */
function withTexts(member: unknown, { description, example, default: byDefault, mistaken_names }: Parameter): unknown {
  // A property that nothing may be given for.
  if (member === false) return member;
  return {
    ...(isPlainObject(member) ? member : {}),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    ...(mistaken_names === undefined ? {} : { mistaken_names }),
  };
}

/** Reports `parameters` beside an `input_schema` that name no property of it, or would be a second schema. */
export function reportOverlay({ parameters = {}, input_schema: schema }: ToolDefinition, report: Reporter): void {
  if (schema === undefined) return;
  const known = Object.keys(membersOf(schema));
  for (const [name, parameter] of Object.entries(parameters)) {
    const pointer = `/parameters/${escaped(name)}`;
    if (!known.includes(name)) {
      const expected = known.length === 0 ? 'It has no "properties".' : 'Name one of its properties, or add one to it.';
      report.error(pointer, `is no property of "input_schema".${didYouMean(name, known)} ${expected}`);
      continue;
    }
    for (const key of Object.keys(parameter))
      if (!overlayKeys.has(key) && !key.startsWith('x-')) report.error(`${pointer}/${escaped(key)}`, refusalOf(key, name));
    if (parameter.mistaken_names !== undefined && schema['additionalProperties'] !== false)
      report.error(
        `${pointer}/mistaken_names`,
        'has no effect: this "input_schema" takes any other name too. Add "additionalProperties: false" to it, or remove the key',
      );
  }
}

/** Returns why a key is refused beside an `input_schema`, and where it belongs. */
function refusalOf(key: string, name: string): string {
  const kept = `Beside an "input_schema", "parameters" has only ${[...overlayKeys].join(', ')}`;
  if (key === 'names_secret')
    return `cannot be combined with "input_schema": declare all parameters under "parameters" in its place. ${kept}`;
  if (key === 'required') return `would be a second schema of "${name}": list the name in "required" of "input_schema". ${kept}`;
  return `would be a second schema of "${name}": write it in "input_schema", under "properties.${name}". ${kept}`;
}

/** Escapes a segment of a JSON pointer (RFC 6901, 3). */
function escaped(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
