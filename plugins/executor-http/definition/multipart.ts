import Type, { type Static } from 'typebox';
import { isPlainObject } from '../../../kernel/index.ts';
import { queryStyles, styleKeys } from './styled.ts';

const closed = { additionalProperties: false } as const;

/** A file of a multipart body. `file` is `{name}` of a parameter that says `path: read`; a list of paths becomes several parts. */
export const FilePartSchema = Type.Object(
  {
    /** `{name}` of a parameter with `path: read`, and nothing else. */
    file: Type.String(),
    /** The file name that is sent to the service. @default the last name of the path */
    name: Type.Optional(Type.String()),
    /** The media type. @default by the extension of that name, else application/octet-stream */
    type: Type.Optional(Type.String()),
  },
  closed,
);

export type FilePart = Static<typeof FilePartSchema>;

/** A value of a multipart body with a media type, or with a style. Nothing is percent-encoded (RFC 7578, 5.1). */
export const ValuePartSchema = Type.Object(
  {
    /** The value, with placeholders. */
    value: Type.Unknown(),
    /** The media type of the part. A JSON type writes every value as JSON, texts too; any other takes texts. Not beside `style`. */
    content_type: Type.Optional(Type.String({ minLength: 1 })),
    /** The style of the value, in the words of OpenAPI 3. @default a list is a repeated part, an object JSON */
    style: Type.Optional(Type.Enum([...queryStyles])),
    /** Writes each item of a list as a part of its own, and with a style each member of an object as if it were alone. @default true without a style, and for form and deepObject */
    explode: Type.Optional(Type.Boolean()),
  },
  closed,
);

export type ValuePart = Static<typeof ValuePartSchema>;

/** True for a part that sends a file; any other part is a value. */
export function isFilePart(part: unknown): part is FilePart {
  return isPlainObject(part) && Object.hasOwn(part, 'file');
}

const valuePartKeys: readonly string[] = ['value', 'content_type', ...styleKeys];

/** True for a part that describes how its `value` is written. */
export function isValuePart(part: unknown): part is ValuePart {
  return isPlainObject(part) && Object.hasOwn(part, 'value') && Object.keys(part).every((key) => valuePartKeys.includes(key));
}

/** Returns the parameter name where a template is `{name}` and nothing else. */
export function loneParameter(template: unknown): string | undefined {
  return typeof template === 'string' ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined;
}
