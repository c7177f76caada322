import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';

/** Keywords of one schema and of all that apply to the same value: what it refers to, and the parts of its `allOf`. */
export interface Gathered {
  /** Undefined: any. */
  readonly types: readonly string[] | undefined;
  readonly values: readonly unknown[] | undefined;
  /** The first of each keyword that narrows values. */
  readonly keywords: Readonly<Record<string, unknown>>;
  readonly members: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** Members of other names: true, false or a schema. */
  readonly extra: unknown;
  /** Branches of each union. */
  readonly unions: readonly (readonly unknown[])[];
  readonly description: string | undefined;
  readonly byDefault: unknown;
  /** Names of the definitions that were entered. */
  readonly entered: readonly string[];
}

/** Maximum schemas that are read for one value. */
const maxSchemas = 60;

interface Collected {
  types: readonly string[] | undefined;
  values: readonly unknown[] | undefined;
  readonly keywords: Record<string, unknown>;
  readonly members: Map<string, unknown>;
  readonly required: Set<string>;
  readonly extras: { readonly names: readonly string[]; readonly extra: unknown }[];
  readonly unions: (readonly unknown[])[];
  description: string | undefined;
  byDefault: unknown;
  readonly entered: string[];
  remaining: number;
}

/** Collects the keywords of a schema. Parts that it cannot read are left out: the result has every value of the schema, or more. */
export function gather(schema: unknown, root: JsonSchema): Gathered {
  const collected: Collected = {
    types: undefined,
    values: undefined,
    keywords: {},
    members: new Map(),
    required: new Set(),
    extras: [],
    unions: [],
    description: undefined,
    byDefault: undefined,
    entered: [],
    remaining: maxSchemas,
  };
  collect(schema, root, collected);
  return { ...collected, extra: extraOf(collected) };
}

function collect(schema: unknown, root: JsonSchema, into: Collected): void {
  if (!isPlainObject(schema) || into.remaining-- <= 0) return;
  const { $ref: reference, allOf, type, enum: values, properties, required, description, default: byDefault } = schema;
  if (typeof description === 'string') into.description ??= description;
  if (byDefault !== undefined) into.byDefault ??= byDefault;
  if (type !== undefined) addTypes([type].flat() as unknown as readonly string[], into);
  if (Array.isArray(values)) addValues(values, into);
  if (Object.hasOwn(schema, 'const')) addValues([schema['const']], into);
  if (isPlainObject(properties))
    for (const [name, member] of Object.entries(properties)) if (!into.members.has(name)) into.members.set(name, member);
  if (Array.isArray(required)) for (const name of required) into.required.add(String(name));
  addExtra(schema, into);
  for (const key of ['anyOf', 'oneOf']) if (Array.isArray(schema[key]) && schema[key].length > 0) into.unions.push(schema[key]);
  for (const key of narrowing) if (schema[key] !== undefined) into.keywords[key] ??= schema[key];
  if (Array.isArray(schema['prefixItems'])) into.keywords['items'] = true;
  if (Array.isArray(allOf)) for (const part of allOf) collect(part, root, into);
  if (typeof reference !== 'string') return;
  const name = /^#\/\$defs\/([^/~%]+)$/.exec(reference)?.[1];
  const target = name === undefined ? undefined : definitionOf(root, name);
  if (name === undefined || target === undefined || into.entered.includes(name)) return;
  into.entered.push(name);
  collect(target, root, into);
}

const narrowing = [
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'contentEncoding',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'items',
  'minItems',
  'maxItems',
];

function definitionOf({ $defs }: JsonSchema, name: string): unknown {
  return isPlainObject($defs) && Object.hasOwn($defs, name) ? $defs[name] : undefined;
}

function addTypes(types: readonly string[], into: Collected): void {
  const before = into.types;
  if (before === undefined) into.types = types;
  else {
    const more = types.includes('number') ? [...types, 'integer'] : types;
    const common = (before.includes('number') ? [...before, 'integer'] : before).filter((type) => more.includes(type));
    into.types = common.length === 0 ? before : [...new Set(common)];
  }
}

function addValues(values: readonly unknown[], into: Collected): void {
  const before = into.values;
  const common = before?.filter((value) => values.some((other) => JSON.stringify(other) === JSON.stringify(value)));
  into.values = common === undefined ? values : common.length === 0 ? before : common;
}

/** Notes what a schema says of members that it does not name. Without words on members it says nothing. */
function addExtra(schema: JsonSchema, into: Collected): void {
  const { properties, additionalProperties, unevaluatedProperties, patternProperties } = schema;
  if (properties === undefined && additionalProperties === undefined && unevaluatedProperties === undefined) return;
  const isPatterned = patternProperties !== undefined;
  const extra = isPatterned ? true : (additionalProperties ?? true);
  into.extras.push({ names: Object.keys(isPlainObject(properties) ? properties : {}), extra });
}

/** Returns what holds of members that no part names. A part that refuses members of another part is taken as open. */
function extraOf({ extras, members }: Collected): unknown {
  const closing = extras.find(({ extra, names }) => extra !== true && names.length === members.size);
  return closing === undefined ? true : closing.extra;
}
