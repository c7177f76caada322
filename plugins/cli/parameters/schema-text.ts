import type { JsonSchema } from '../../../kernel/index.ts';
import { resolveSchema, typesOf } from './schema-types.ts';

/** Maximum number of types that are named; more are shown as `any`. */
const maxTypes = 4;

/** Returns the type in words, such as `integer`, `array of string`, `string or null`, `any`. */
export function typeText(schema: unknown, root: JsonSchema): string {
  const types = typesOf(schema, root);
  const names = [...types].filter((name) => !(name === 'integer' && types.has('number')));
  if (names.length > maxTypes || names.length === 0) return 'any';
  const { items } = resolveSchema(schema, root);
  return names.map((name) => (name === 'array' ? arrayWords(items, root) : name)).join(' or ');
}

function arrayWords(items: unknown, root: JsonSchema): string {
  const types = items === undefined ? [] : [...typesOf(items, root)];
  return types.length === 1 ? `array of ${types[0]}` : 'array';
}

/** Lists the limits of a value, such as `one of "a", "b"`, `1 to 100`, `at most 256 characters`. Foreign values are written as JSON. */
export function limitTexts(schema: unknown, root: JsonSchema): readonly string[] {
  const whole = resolveSchema(schema, root);
  const { enum: members, const: only, format, pattern, multipleOf } = whole;
  const items = whole['items'] === undefined ? [] : limitTexts({ enum: resolveSchema(whole['items'], root)['enum'] }, root);
  return [
    ...(only === undefined ? [] : [`always ${JSON.stringify(only)}`]),
    ...(Array.isArray(members) ? [`one of ${members.map((member) => JSON.stringify(member)).join(', ')}`] : []),
    ...items.map((words) => `each ${words}`),
    ...range(whole['minimum'], whole['maximum'], ''),
    ...(whole['exclusiveMinimum'] === undefined ? [] : [`above ${whole['exclusiveMinimum']}`]),
    ...(whole['exclusiveMaximum'] === undefined ? [] : [`below ${whole['exclusiveMaximum']}`]),
    ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
    ...range(whole['minLength'], whole['maxLength'], 'character'),
    ...range(whole['minItems'], whole['maxItems'], 'item'),
    ...(typeof format === 'string' ? [`format ${format}`] : []),
    ...(typeof pattern === 'string' ? [`matches ${pattern}`] : []),
  ];
}

function range(from: unknown, to: unknown, unit: string): readonly string[] {
  if (from === undefined && to === undefined) return [];
  const words = unit === '' ? '' : ` ${unit}${(to ?? from) === 1 ? '' : 's'}`;
  if (to === undefined) return [`at least ${from}${words}`];
  return [from === undefined ? `at most ${to}${words}` : from === to ? `exactly ${to}${words}` : `${from} to ${to}${words}`];
}
