import Type, { type Static } from 'typebox';
import { isPlainObject } from '../../../kernel/index.ts';

export const queryStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;
export const pathStyles = ['simple'] as const;

const closed = { additionalProperties: false } as const;

/** The form of a value in a query, in the words of OpenAPI 3 (Parameter Object). Separators are not encoded. */
export const QueryValueSchema = Type.Object(
  {
    value: Type.Unknown(),
    /** The style of the value. @default 'form' */
    style: Type.Optional(Type.Enum([...queryStyles])),
    /** Writes a list as a repeated name, and members of an object as names of their own. @default true for form and deepObject */
    explode: Type.Optional(Type.Boolean()),
    /** Leaves `:/?@!$'()*,;` as they are. @default false */
    allow_reserved: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type QueryValue = Static<typeof QueryValueSchema>;

/** The form of a placeholder in the path of a URL. */
export const PathValueSchema = Type.Object(
  {
    value: Type.Unknown(),
    /** The style of the value. @default 'simple' */
    style: Type.Optional(Type.Enum([...pathStyles])),
    /** Writes members of an object as `name=value`. @default false */
    explode: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type PathValue = Static<typeof PathValueSchema>;

const keys = ['style', 'explode', 'allow_reserved'];

/**
 * True for an object that describes how a value is written: `value`, and no keys except `style`, `explode` and
 * `allow_reserved`. Any other object is a value.
 */
export function isStyled(template: unknown): template is QueryValue {
  return (
    isPlainObject(template) &&
    Object.hasOwn(template, 'value') &&
    Object.keys(template).every((key) => key === 'value' || keys.includes(key))
  );
}

/** True for an object that looks like such a description but has another key as well, so that it would be sent as JSON. */
export function isNearlyStyled(template: unknown): boolean {
  return (
    isPlainObject(template) && !isStyled(template) && Object.hasOwn(template, 'value') && keys.some((key) => Object.hasOwn(template, key))
  );
}
