import { isPlainObject, type JsonSchema, type Tool } from '../../../kernel/index.ts';
import { plainPart } from './written-out/plain-parts.ts';
import { objectOf as rootObject, shapeOf } from './written-out/shape.ts';

/** Maximum members of an object, and values of an enumeration, written out. */
const maxMembers = 24;
const maxValues = 8;

/** Depth to which nested objects are written out. */
const maxLevel = 2;

/** Maximum UTF-16 units of the parameters of a tool of a source. Longer ones are shown with fewer levels, then with fewer members. */
const maxForeign = 600;

/** Maximum UTF-16 units of a result type. A longer type is shown by its kind only. */
const maxResult = 240;

/**
 * Formats a tool as a TypeScript function: `time_convert({ time: string, to: string, from?: string }): { result: string }`. Required
 * parameters come first. Shows the shape of a call; formats and limits are in the schema.
 */
export function signatureOf({ name, inputSchema, outputSchema }: Pick<Tool, 'name' | 'inputSchema' | 'outputSchema'>): string {
  const given = typeOf(inputSchema, 0);
  const parameters = given === '{}' ? '' : given;
  if (outputSchema === undefined) return `${name}(${parameters})`;
  const result = typeOf(outputSchema, 1);
  return `${name}(${parameters}): ${result.length <= maxResult ? result : kindOf(outputSchema)}`;
}

/**
 * Returns the signature of a tool of a source within a limit: its parameters with their types, else their names, else as many as fit. References are followed for
 * one level, so that a search does not write out whole schemas.
 */
export function boundedSignature({ name, inputSchema }: Pick<Tool, 'name' | 'inputSchema'>): string {
  const { members, required } = rootObject(inputSchema, inputSchema);
  const names = [...members.keys()].filter((one) => /^[A-Za-z0-9_.-]{1,64}$/.test(one));
  const sorted = [...names.filter((one) => required.has(one)), ...names.filter((one) => !required.has(one))];
  const keys = sorted.map((one) => `${keyOf(one)}${required.has(one) ? '' : '?'}`);
  const typed = sorted.slice(0, maxMembers).map((one, index) => `${keys[index]}: ${typeOf(flat(members.get(one), inputSchema), 1)}`);
  const whole = names.length === members.size && sorted.length <= maxMembers ? typed.join(', ') : '';
  if (members.size === 0 || (whole !== '' && whole.length <= maxForeign)) return `${name}(${whole === '' ? '' : `{ ${whole} }`})`;
  let room = maxForeign;
  const shown = keys.filter((key) => {
    room -= key.length + 2;
    return room > 0;
  });
  const more = members.size - shown.length;
  return `${name}({ ${[...shown, ...(more > 0 ? [`/* and ${more} more */`] : [])].join(', ')} })`;
}

/** Returns the type of a parameter, and the values of a short enum. */
function flat(schema: unknown, root: JsonSchema): JsonSchema {
  const { shape } = shapeOf(schema, root);
  const { schema: plain } = plainPart(shape, root);
  return shape.kind === 'scalar' && shape.values !== undefined && shape.values.length <= maxValues
    ? { ...plain, enum: shape.values }
    : plain;
}

function typeOf(schema: unknown, level: number): string {
  if (!isPlainObject(schema)) return 'unknown';
  if ('const' in schema) return literal(schema['const']);
  const { enum: values, type, items, properties, anyOf, oneOf } = schema;
  if (Array.isArray(values)) return values.length <= maxValues ? [...new Set(values.map(literal))].join(' | ') : kindOf(schema);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives) && type === undefined) return union(alternatives.map((one) => typeOf(one, level)));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, level)));
  if (type === 'array') return arrayOf(typeOf(items, level));
  return isPlainObject(properties) && (type === 'object' || type === undefined) ? objectOf(schema, properties, level) : kindOf(schema);
}

function objectOf({ required }: Readonly<Record<string, unknown>>, properties: Readonly<Record<string, unknown>>, level: number): string {
  if (level >= maxLevel) return 'object';
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties);
  const sorted = [...names.filter((name) => needed.includes(name)), ...names.filter((name) => !needed.includes(name))];
  const members = sorted
    .slice(0, maxMembers)
    .map((name) => `${keyOf(name)}${needed.includes(name) ? '' : '?'}: ${typeOf(properties[name], level + 1)}`);
  if (members.length === 0) return '{}';
  return `{ ${[...members, ...(sorted.length > maxMembers ? [`/* and ${sorted.length - maxMembers} more */`] : [])].join(', ')} }`;
}

/** Returns the name of a type without its parts. */
function kindOf({ type }: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(type)) return union(type.map((one) => kindOf({ type: one })));
  if (type === 'integer') return 'number';
  if (type === 'array') return 'unknown[]';
  return typeof type === 'string' ? type : 'unknown';
}

function arrayOf(item: string): string {
  return /[ |]/.test(item) && !/^\{[^{}]*\}$/.test(item) ? `Array<${item}>` : `${item}[]`;
}

function union(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'unknown';
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function literal(value: unknown): string {
  return JSON.stringify(value) ?? 'unknown';
}
