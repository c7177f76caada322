import Type, { type Static } from 'typebox';
import { isPlainObject } from '../../../kernel/index.ts';

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
  { additionalProperties: false },
);

export type FilePart = Static<typeof FilePartSchema>;

/** True for a part that sends a file; any other part is a value. */
export function isFilePart(part: unknown): part is FilePart {
  return isPlainObject(part) && Object.hasOwn(part, 'file');
}

/** Returns the parameter name where a template is `{name}` and nothing else. */
export function loneParameter(template: unknown): string | undefined {
  return typeof template === 'string' ? /^\{(\w+)\}$/.exec(template)?.[1] : undefined;
}
