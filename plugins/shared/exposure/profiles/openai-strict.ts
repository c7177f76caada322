import { isPlainObject, type JsonSchema } from '../../../../kernel/index.ts';
import {
  formatsAre,
  type InputWithSchemas,
  listsHaveItems,
  noBooleans,
  type Profile,
  type Refusal,
  rootIsObject,
  typed,
} from './profile.ts';

/** Keywords that strict mode knows. */
export const strictKeywords: ReadonlySet<string> = new Set([
  'type',
  'description',
  'title',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  '$ref',
  '$defs',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
]);

export const strictFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

const limits = {
  /** Maximum nesting of objects. Lists count too, to be on the safe side. */
  levels: 10,
  members: 5000,
  /** Maximum values of all `enum`s together. */
  values: 1000,
  /** Maximum characters of names, definitions and values together. */
  characters: 120_000,
  /** An `enum` of text with more values than `values` is limited to `characters` in total. */
  longEnum: { values: 250, characters: 15_000 },
};

/**
 * Functions with `strict: true`: developers.openai.com/api/docs/guides/structured-outputs, "Supported schemas", seen 2026-02 (keywords,
 * formats, limits); patterns without lookaround: from its error responses. Fine-tuned models know fewer keywords.
 */
export const openaiStrict: Profile = {
  name: 'OpenAI (strict)',
  rules: [
    rootIsObject(['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not']),
    typed,
    noBooleans,
    listsHaveItems,
    formatsAre(strictFormats),
    objectsAreClosed,
    keywordsAreKnown,
    isWithinLimits,
  ],
};

function objectsAreClosed(tool: InputWithSchemas): readonly Refusal[] {
  return schemasIn(tool)
    .filter(({ schema: { type } }) => [type].flat().includes('object'))
    .flatMap(({ schema: { properties = {}, required = [], additionalProperties }, pointer }) => {
      const optional = Object.keys(properties as object).filter((name) => !(required as readonly unknown[]).includes(name));
      return [
        ...(additionalProperties === false ? [] : [{ pointer, message: 'expected "additionalProperties: false" of an object' }]),
        ...optional.map((name) => ({ pointer, message: `expected every member to be required, but "${name}" is not` })),
      ];
    });
}

function keywordsAreKnown(tool: InputWithSchemas): readonly Refusal[] {
  return schemasIn(tool).flatMap(({ schema, pointer }) => {
    const unknownKeys = Object.keys(schema).filter((key) => !strictKeywords.has(key));
    const isLookaround = typeof schema['pattern'] === 'string' && hasLookaround(schema['pattern']);
    return [
      ...unknownKeys.map((key) => ({ pointer: `${pointer}/${key}`, message: `expected no "${key}"` })),
      ...(isLookaround ? [{ pointer: `${pointer}/pattern`, message: 'expected a pattern without lookaround' }] : []),
    ];
  });
}

export function hasLookaround(pattern: string): boolean {
  return /\(\?<?[=!]/.test(pattern);
}

function isWithinLimits(tool: InputWithSchemas): readonly Refusal[] {
  const all = schemasIn(tool);
  const enums = all.map(({ schema }) => (Array.isArray(schema['enum']) ? schema['enum'] : []));
  const names = all.flatMap(({ schema: { properties, $defs } }) => [...Object.keys(properties ?? {}), ...Object.keys($defs ?? {})]);
  const members = all.reduce((sum, { schema }) => sum + Object.keys(schema['properties'] ?? {}).length, 0);
  const characters = sizeOf(names) + enums.reduce((sum, values) => sum + sizeOf(values), 0);
  const isLong = enums.some((values) => values.length > limits.longEnum.values && sizeOf(values) > limits.longEnum.characters);
  const counts = [
    { what: 'levels of objects and lists', count: levelsOf(tool.inputSchema), most: limits.levels },
    { what: 'members', count: members, most: limits.members },
    { what: 'values of enums', count: enums.reduce((sum, values) => sum + values.length, 0), most: limits.values },
    { what: 'characters of names and values', count: characters, most: limits.characters },
  ];
  return [
    ...counts
      .filter(({ count, most }) => count > most)
      .map(({ what, count, most }) => ({ pointer: '/inputSchema', message: `expected at most ${most} ${what}, received ${count}` })),
    ...(isLong ? [{ pointer: '/inputSchema', message: `expected at most ${limits.longEnum.characters} characters of a long enum` }] : []),
  ];
}

function levelsOf(schema: unknown): number {
  if (!isPlainObject(schema)) return 0;
  const { type, properties = {}, items, anyOf = [], $defs = {} } = schema;
  const inner = [...Object.values(properties as object), items, ...(anyOf as readonly unknown[]), ...Object.values($defs as object)];
  const own = [type].flat().some((name) => name === 'object' || name === 'array') ? 1 : 0;
  return own + Math.max(0, ...inner.map(levelsOf));
}

function sizeOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : JSON.stringify(value).length), 0);
}

function schemasIn({ schemas }: InputWithSchemas): readonly { readonly schema: JsonSchema; readonly pointer: string }[] {
  return schemas.flatMap(({ schema, pointer }) => (isPlainObject(schema) ? [{ schema, pointer }] : []));
}
