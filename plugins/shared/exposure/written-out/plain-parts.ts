import type { JsonSchema } from '../../../../kernel/index.ts';
import { type Described, type ScalarShape, type Shape, shapeOf } from './shape.ts';

/** Words in place of members that are not listed. */
export const elsewhere = 'Its members: toolkit_get_tool.';

/** Formats that every model API takes. Others are named in the description. */
const commonFormats: ReadonlySet<unknown> = new Set(['date-time', 'int32', 'int64', 'float', 'double']);

/** Limits that are only reached by mistake are not listed, nor patterns that a model would not read. */
const noise: Readonly<Record<string, (value: unknown) => boolean>> = {
  minLength: (value) => value === 0 || value === 1,
  maxLength: (value) => typeof value === 'number' && value >= 1000,
  maxItems: (value) => typeof value === 'number' && value >= 1000,
  minItems: (value) => value === 0,
  pattern: (value) => typeof value !== 'string' || value.length > 60,
  format: (value) => value === 'float' || value === 'double' || value === 'int32' || value === 'int64',
  contentEncoding: () => false,
  minimum: (value) => value === Number.MIN_SAFE_INTEGER || (typeof value === 'number' && value <= -(2 ** 31)),
  maximum: (value) => typeof value === 'number' && value >= 2 ** 31 - 1,
};

const scalars = ['object', 'string', 'number', 'boolean', 'null'] as const;

/** Any value. Lists need the type of their items, so that lists in lists end at the second level: see `portableSchema`. */
function anyValue(levels: number): JsonSchema {
  const lists = levels === 0 ? [] : [{ type: 'array', items: anyValue(levels - 1) }];
  return { anyOf: [...scalars.map((type) => ({ type })), ...lists] };
}

const anyValues = [anyValue(0), anyValue(1), anyValue(2)] as const;

/** Returns the shortest schema that takes all values of a shape: its type. `isWhole`: true when it says as much as the shape. */
export function plainPart(shape: Shape, root: JsonSchema, level = 0): { readonly schema: JsonSchema; readonly isWhole: boolean } {
  switch (shape.kind) {
    case 'any':
      return { schema: anyValues[level === 0 ? 2 : 1], isWhole: true };
    case 'scalar':
      return { schema: { type: shape.type }, isWhole: shape.values === undefined };
    case 'object': {
      const isWhole = shape.members.size === 0 && typeof shape.extra === 'boolean';
      return { schema: { type: 'object' }, isWhole };
    }
    case 'list': {
      if (level >= 3) return { schema: { type: 'array', items: anyValues[1] }, isWhole: false };
      const { schema, isWhole } = plainPart(shapeOf(shape.items, root).shape, root, level + 1);
      return { schema: { type: 'array', items: schema }, isWhole };
    }
    case 'union': {
      const parts = shape.parts.map((part) => plainPart(part.shape, root, level));
      const flat = new Map(parts.map(({ schema }) => [JSON.stringify(schema), schema] as const));
      const [only] = flat.values();
      const schema = flat.size === 1 && only !== undefined ? only : { anyOf: [...flat.values()] };
      return { schema, isWhole: parts.every((part) => part.isWhole) };
    }
  }
}

/** Returns limits, pattern and format of a scalar as keywords and words. */
export function limitsIn({ limits, type }: Pick<ScalarShape, 'limits' | 'type'>): {
  readonly keywords: JsonSchema;
  readonly words: string;
} {
  const known = Object.entries(limits).filter(([key, value]) => noise[key]?.(value) !== true);
  const format = known.find(([key]) => key === 'format')?.[1];
  const encoding = limits['contentEncoding'];
  const isWord = format !== undefined && (!commonFormats.has(format) || type !== 'string');
  const words = [
    ...(isWord && typeof format === 'string'
      ? [
          `Format: ${format
            .replaceAll(/[^\w.-]+/g, ' ')
            .trim()
            .slice(0, 40)}.`,
        ]
      : []),
    ...(encoding === 'base64' ? ['In base64.'] : []),
  ];
  const keywords = known.filter(([key]) => key !== 'contentEncoding' && !(key === 'format' && isWord));
  return { keywords: Object.fromEntries(keywords), words: words.join(' ') };
}

/** Returns a schema with a description, which stands in the first part of a union. */
export function withDescription(schema: JsonSchema, description: string): JsonSchema {
  if (description === '') return schema;
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return { ...schema, description };
  const [first, ...others] = anyOf;
  const own = typeof first.description === 'string' ? ` ${first.description}` : '';
  return { anyOf: [{ ...first, description: `${description}${own}` }, ...others] };
}

/** Returns the parts of a shape that each have one type. */
export function partsOf(described: Described): readonly Described[] {
  return described.shape.kind === 'union' ? described.shape.parts : [described];
}
