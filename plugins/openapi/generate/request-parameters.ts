import type { JsonObject, JsonSchema, JsonValue } from '../../../kernel/index.ts';
import type { Operation, OperationParameter } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { bodyKindOf } from './body-kind.ts';
import { isPrimitive } from './schema-facts.ts';
import { literalText } from './texts.ts';
import type { ToolParameters } from './tool-parameters.ts';

/** Keys of the execution for parameters in path, query, headers and cookies. */
export interface ParameterExecution {
  /** The path with placeholders. */
  readonly path: string;
  readonly keys: JsonObject;
  readonly encodings: readonly JsonObject[];
}

/** Headers that describe the message or the connection, which the executor writes itself (RFC 9110, 7.6.1 and 8.6). */
const ofConnection = /^(content-length|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect)$/i;

/** Adds the parameters of an operation, and returns the keys of the execution that send them. */
export function parametersOf(
  operation: Operation,
  parameters: ToolParameters,
  schemas: SchemaConverter,
  isSupplied: (parameter: OperationParameter) => boolean,
): ParameterExecution {
  const encodings: JsonObject[] = [];
  const places = { path: [], query: [], header: [], cookie: [] } as Record<OperationParameter['in'], [string, JsonValue][]>;
  const pathNames = new Map<string, string>();
  for (const parameter of operation.parameters) {
    if (isSupplied(parameter) || (parameter.in === 'header' && ofConnection.test(parameter.name))) continue;
    const schema = parameter.schema === undefined ? {} : schemas.convert(parameter.schema, 'input');
    const name = parameters.add(parameter.name, parameter.in, declaredOf(parameter, schema));
    if (parameter.in === 'path') pathNames.set(parameter.name, name);
    const text = parameter.mediaType === undefined ? undefined : encodedText(name, parameter.mediaType, parameters, encodings);
    const written = writtenValue(parameter, schema, text ?? `{${name}}`, text !== undefined, schemas);
    const key = parameter.in === 'path' ? name : parameter.in === 'header' ? parameter.name : literalText(parameter.name);
    if (parameter.in !== 'path' || typeof written !== 'string') places[parameter.in].push([key, written]);
    else if (text !== undefined) pathNames.set(parameter.name, text.slice(1, -1));
  }
  const fixed = (operation.fixedQuery ?? []).map(([name, value]): [string, JsonValue] => [literalText(name), literalText(value)]);
  const members = Object.entries({
    path_params: places.path,
    query_params: [...fixed, ...places.query],
    headers: places.header,
    cookies: places.cookie,
  }).filter(([, entries]) => entries.length > 0);
  return {
    path: templateOf(operation.sentPath ?? operation.path, pathNames),
    keys: Object.fromEntries(members.map(([key, entries]) => [key, Object.fromEntries(entries)])),
    encodings,
  };
}

function declaredOf({ description, isRequired, isDeprecated }: OperationParameter, schema: JsonSchema) {
  const said = isDeprecated ? `Deprecated. ${description ?? ''}` : description;
  return { schema, isRequired, ...(said === undefined ? {} : { description: said }) };
}

/** Returns the placeholder of a value that is written as JSON; undefined for another media type, whose value is a text. */
function encodedText(name: string, mediaType: string, parameters: ToolParameters, encodings: JsonObject[]): string | undefined {
  if (bodyKindOf(mediaType) !== 'json') return undefined;
  const target = parameters.derived(name);
  encodings.push({ source: [name], target, encoding: 'json_compact' });
  return `{${target}}`;
}

function writtenValue(
  { in: place, name, style, explode, allowReserved }: OperationParameter,
  schema: JsonSchema,
  value: string,
  isText: boolean,
  { definitions }: SchemaConverter,
): JsonValue {
  const reserved = allowReserved ? { allow_reserved: true } : {};
  const isPlain = isText || isPrimitive(schema, definitions);
  // deepObject has one form only, which `explode` does not change (OAS 3.1, Style Values).
  if (place === 'query')
    return { value, style: isText ? 'form' : style, explode: isText || style === 'deepObject' ? true : explode, ...reserved };
  if (place === 'cookie') return isPlain ? value : { value, style: 'form', explode };
  if (place === 'header') return isPlain ? value : { value, explode };
  if (isPlain && style === 'simple' && !allowReserved) return value;
  return { value, style, explode, ...reserved, ...(style === 'matrix' ? { name } : {}) };
}

/** Returns a path as a template: its parameters by their names for callers, other braces as they are. */
function templateOf(path: string, names: ReadonlyMap<string, string>): string {
  return path.replace(/\{([^{}]*)\}/g, (whole, written: string) => {
    const name = names.get(written) ?? names.get(written.replace(/^\+|\*$/g, ''));
    return name === undefined ? literalText(whole) : `{${name}}`;
  });
}
