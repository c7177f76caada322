import { isPlainObject } from '../../kernel/index.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Values that stand where no schema says what is expected, and where one does. */
const oddValues: readonly unknown[] = [null, true, -1, 0.5, 7, '', 'text', '2026-01-01', [], ['a'], {}, { examples: 1 }];

/** How deep values go. */
const maxDepth = 5;

/** A value that most probably fits a schema: patterns, formats and most limits are not looked at. */
export function valueFor(schema: unknown, root: Schema, random: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  if (!isPlainObject(schema) || depth > maxDepth) return pick(oddValues);
  const { $ref, type, enum: values, anyOf, oneOf, allOf } = schema;
  if ('const' in schema) return schema['const'];
  if (Array.isArray(values)) return pick(values);
  const parts = [
    ...(typeof $ref === 'string' ? [(root['$defs'] as Schema | undefined)?.[$ref.split('/').pop() ?? '']] : []),
    ...(Array.isArray(anyOf) ? [pick(anyOf)] : []),
    ...(Array.isArray(oneOf) ? [pick(oneOf)] : []),
    ...(Array.isArray(allOf) ? allOf : []),
  ].map((part) =>
    valueFor(
      isPlainObject(part) ? withRequired({ ...(type === undefined ? {} : { type }), ...part }, schema) : part,
      root,
      random,
      depth + 1,
    ),
  );
  const kind = pick([type ?? (schema['properties'] === undefined ? 'any' : 'object')].flat());
  if (kind !== 'object') return parts.length > 0 ? parts[0] : plainValue(kind, schema, root, random, depth);
  const required = requiredOf(schema);
  const own = Object.entries(isPlainObject(schema['properties']) ? schema['properties'] : {})
    .filter(([name]) => required.includes(name) || random() < 0.6)
    .map(([name, member]) => [name, valueFor(member, root, random, depth + 1)]);
  return Object.assign({}, ...parts.filter(isPlainObject), Object.fromEntries(own));
}

/** Members that a schema requires beside a reference are described behind that. */
function withRequired(part: Schema, schema: Schema): Schema {
  return { ...part, required: [...requiredOf(part), ...requiredOf(schema)] };
}

function requiredOf({ required }: Schema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

function plainValue(kind: unknown, schema: Schema, root: Schema, random: () => number, depth: number): unknown {
  const { minimum, maximum, minLength, minItems, items } = schema;
  const low = typeof minimum === 'number' ? minimum : 0;
  switch (kind) {
    case 'null':
      return null;
    case 'boolean':
      return random() < 0.5;
    case 'integer':
      return Math.min(low + Math.floor(random() * 100), typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY);
    case 'number':
      return Math.min(low + random() * 100, typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY);
    case 'string':
      return 'abcdefgh'.repeat(9).slice(0, Math.max(typeof minLength === 'number' ? minLength : 0, Math.floor(random() * 9)));
    case 'array':
      return Array.from({ length: (typeof minItems === 'number' ? minItems : 0) + Math.floor(random() * 3) }, () =>
        valueFor(items, root, random, depth + 1),
      );
    default:
      return oddValues[Math.floor(random() * oddValues.length)];
  }
}

/** The value with one member left out, added or replaced by a stray; other values as they are. */
export function mutated(value: unknown, random: () => number): unknown {
  if (!isPlainObject(value)) return value;
  const names = [...Object.keys(value), 'stranger'];
  const name = names[Math.floor(random() * names.length)] as string;
  const { [name]: _, ...rest } = value;
  return random() < 0.3 ? rest : { ...rest, [name]: oddValues[Math.floor(random() * oddValues.length)] };
}
