import { checkValue, isUnsafeInteger, type JsonObject, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import { checkDocument } from './check-document.ts';

interface InferParameters {
  readonly samples: readonly JsonValue[];
  /** `all` requires every name; `seen_in_every` only those that every object at the same path has. */
  readonly required: 'all' | 'seen_in_every';
}

/** Types in the order in which a schema lists them. */
const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
type TypeName = (typeof typeNames)[number];

const formats: readonly { readonly format: string; readonly looksRight: RegExp }[] = [
  { format: 'date-time', looksRight: /^\d{4}-\d{2}-\d{2}[Tt]/ },
  { format: 'uuid', looksRight: /^[\da-f]{8}-/i },
  { format: 'email', looksRight: /@/ },
  // Requires `//`, because any text with a colon could be a URI (RFC 3986), such as note:this.
  { format: 'uri', looksRight: /^[a-z][a-z\d+.-]*:\/\//i },
];
const formatSchemas = new Map(formats.map(({ format }) => [format, { type: 'string', format }]));

/** Infers the narrowest schema (JSON Schema 2020-12) of a simple kind that all samples fit. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export function inferSchema({ samples, required }: InferParameters): { readonly schema: JsonSchema } {
  const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...schemaOf(samples, required) };
  checkDocument(schema, { parameter: 'samples', advice: 'Give fewer samples, or smaller parts.' });
  return { schema };
}

function schemaOf(values: readonly JsonValue[], required: InferParameters['required']): JsonSchema {
  const types = typesOf(values);
  const texts = values.filter((value) => typeof value === 'string');
  const lists = values.filter((value): value is readonly JsonValue[] => Array.isArray(value));
  const objects = values.filter((value): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value));
  const items = lists.flat();
  const format = formatOf(texts);
  return {
    type: types.length === 1 ? types[0] : types,
    ...(format === undefined ? {} : { format }),
    ...(items.length === 0 ? {} : { items: schemaOf(items, required) }),
    ...(objects.length === 0 ? {} : membersOf(objects, required)),
  };
}

function typesOf(values: readonly JsonValue[]): TypeName[] {
  const found = new Set(values.map(typeOf));
  const texts = values.filter((value) => typeof value === 'string');
  // Integers beyond 2^53 arrive as texts of their digits. Among other numbers they count as integers; alone they may be texts.
  if (texts.length > 0 && texts.every(isUnsafeInteger)) {
    if (found.has('integer') || found.has('number')) found.delete('string');
    found.add('integer');
  }
  if (found.has('number')) found.delete('integer');
  return typeNames.filter((name) => found.has(name));
}

function typeOf(value: JsonValue): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

function membersOf(objects: readonly JsonObject[], required: InferParameters['required']): JsonSchema {
  const seen = new Map<string, JsonValue[]>();
  for (const [name, value] of objects.flatMap((object) => Object.entries(object))) {
    const values = seen.get(name);
    if (values === undefined) seen.set(name, [value]);
    else values.push(value);
  }
  const names = [...seen.keys()].filter((name) => required === 'all' || seen.get(name)?.length === objects.length);
  return {
    properties: Object.fromEntries([...seen].map(([name, values]) => [name, schemaOf(values, required)])),
    ...(names.length === 0 ? {} : { required: names }),
  };
}

/** Returns the format that all texts have, by the rules that later check the schema. */
function formatOf(texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined;
  return formats.find(({ format, looksRight }) =>
    texts.every((text) => looksRight.test(text) && checkValue(formatSchemas.get(format) ?? {}, text).length === 0),
  )?.format;
}
