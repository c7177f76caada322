import Type, { type Static } from 'typebox';
import { isPlainObject } from '../../../kernel/index.ts';

export const queryStyles = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'] as const;
export const pathStyles = ['simple', 'label', 'matrix'] as const;

const closed = { additionalProperties: false } as const;

/**
 * The form of a value in a query or a form body, in the words of OpenAPI 3 (Parameter Object). Items are percent-encoded,
 * separators are not.
 */
export const QueryValueSchema = Type.Object(
  {
    /** The value, with placeholders. */
    value: Type.Unknown(),
    /** The style of the value. @default 'form' */
    style: Type.Optional(Type.Enum([...queryStyles])),
    /** Writes a list as a repeated name, and members of an object as names of their own. @default true for form and deepObject */
    explode: Type.Optional(Type.Boolean()),
    /** Leaves `:/?@!$'()*,;` as they are, except for a comma that would separate items. @default false */
    allow_reserved: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type QueryValue = Static<typeof QueryValueSchema>;

/** The form of a placeholder in the path of a URL. */
export const PathValueSchema = Type.Object(
  {
    /** The value, with placeholders. */
    value: Type.Unknown(),
    /** The style of the value: `simple` writes `1,2`, `label` `.1,2` and `matrix` `;name=1,2`. @default 'simple' */
    style: Type.Optional(Type.Enum([...pathStyles])),
    /** Writes members of an object as `name=value`, and separates items by the sign of the style. @default false */
    explode: Type.Optional(Type.Boolean()),
    /** Leaves ``:@!$&'()*+,;=`` as they are, except where they would separate items. @default false */
    allow_reserved: Type.Optional(Type.Boolean()),
    /** The name that `matrix` writes. @default the name of the placeholder */
    name: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

export type PathValue = Static<typeof PathValueSchema>;

/** The form of a value in a header. */
export const HeaderValueSchema = Type.Object(
  {
    /** The value, with placeholders. */
    value: Type.Unknown(),
    /** The style of the value: items separated by commas. @default 'simple' */
    style: Type.Optional(Type.Literal('simple')),
    /** Writes members of an object as `name=value`. @default false */
    explode: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type HeaderValue = Static<typeof HeaderValueSchema>;

/** The form of a value in the header Cookie. */
export const CookieValueSchema = Type.Object(
  {
    /** The value, with placeholders. */
    value: Type.Unknown(),
    /** The style of the value. @default 'form' */
    style: Type.Optional(Type.Literal('form')),
    /** Writes a list as a repeated cookie, and members of an object as cookies of their own. @default true */
    explode: Type.Optional(Type.Boolean()),
    /** Leaves ``:/?#[]@!$&'()*+=`` as they are. @default false */
    allow_reserved: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type CookieValue = Static<typeof CookieValueSchema>;

/** An object that describes how its `value` is written. */
export interface Styled {
  readonly value: unknown;
  readonly style?: unknown;
  readonly explode?: unknown;
  readonly allow_reserved?: unknown;
}

/** The keys that may stand beside `value`. */
export const styleKeys = ['style', 'explode', 'allow_reserved'] as const;

/**
 * True for an object that describes how a value is written: `value`, and no keys except `style`, `explode` and
 * `allow_reserved`. Any other object is a value.
 */
export function isStyled(template: unknown): template is Styled {
  return (
    isPlainObject(template) &&
    Object.hasOwn(template, 'value') &&
    Object.keys(template).every((key) => key === 'value' || (styleKeys as readonly string[]).includes(key))
  );
}

/** True for an object that looks like such a description but has another key as well, so that it would be sent as JSON. */
export function isNearlyStyled(template: unknown): template is Readonly<Record<string, unknown>> {
  return (
    isPlainObject(template) &&
    !isStyled(template) &&
    Object.hasOwn(template, 'value') &&
    styleKeys.some((key) => Object.hasOwn(template, key))
  );
}
