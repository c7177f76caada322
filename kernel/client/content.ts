import Type, { type Static } from 'typebox';
import { type Issue, ToolkitError } from '../errors.ts';
import type { JsonValue } from '../json/json.ts';
import { checkValue } from '../schema/check-value.ts';

const closed = { additionalProperties: false } as const;
const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' });
const Mime = Type.String({ pattern: '^[^/\\s]+/[^/\\s]+' });
const Uri = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' });
const Members = Type.Record(Type.String(), Type.Unknown());
/** Members of every part: hints for the client (MCP, Annotations), and metadata. */
const noted = { annotations: Type.Optional(Members), _meta: Type.Optional(Members) };
const described = { uri: Uri, mimeType: Type.Optional(Mime), _meta: Type.Optional(Members) };

/** The content of a resource: text, or base64 in `blob`. */
export const ResourceContentSchema = Type.Union([
  Type.Object({ ...described, text: Type.String() }, closed),
  Type.Object({ ...described, blob: Base64 }, closed),
]);
export type ResourceContent = Readonly<Static<typeof ResourceContentSchema>>;

/** One part of a rich result, as in MCP (Tools, Tool Result). `data` and `blob` are base64, `size` is in bytes. */
export const ContentPartSchema = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String(), ...noted }, closed),
  Type.Object({ type: Type.Union([Type.Literal('image'), Type.Literal('audio')]), data: Base64, mimeType: Mime, ...noted }, closed),
  Type.Object({ type: Type.Literal('resource'), resource: ResourceContentSchema, ...noted }, closed),
  Type.Object(
    {
      type: Type.Literal('resource_link'),
      uri: Uri,
      name: Type.String({ minLength: 1 }),
      title: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      mimeType: Type.Optional(Mime),
      size: Type.Optional(Type.Integer({ minimum: 0 })),
      icons: Type.Optional(Type.Array(Members)),
      ...noted,
    },
    closed,
  ),
]);
export type ContentPart = Readonly<Static<typeof ContentPartSchema>>;

/** The shortened copy of a long output, for a model. It has the same shape. */
export interface CutOutput {
  /** Valid against the `output_schema` of the tool, like the whole output. */
  readonly output: JsonValue;
  /** JSON pointers (RFC 6901) of the first shortened texts, lists and objects. */
  readonly pointers: readonly string[];
  /** Number of further shortened values. */
  readonly morePointers?: number;
  /** URI of the stored output, if it was stored. */
  readonly uri?: string;
}

const ContentSchema = Type.Array(ContentPartSchema);

/** Throws OUTPUT_INVALID for parts that a host could not show. */
export function checkContent(content: unknown, tool: string): void {
  const issues = [...checkValue(ContentSchema, content), ...halfBase64(content)];
  if (issues.length === 0) return;
  const shown = issues.map(({ path, message }) => `${path === '' ? 'content' : `content${path}`} ${message}`).join('; ');
  throw new ToolkitError('OUTPUT_INVALID', `The content in the result of "${tool}" is invalid: ${shown}.`, { tool, issues });
}

/** Finds base64 that does not consist of groups of four (RFC 4648, 4). The pattern of the schema cannot check this in one pass. */
export function halfBase64(content: unknown, path = ''): Issue[] {
  if (typeof content !== 'object' || content === null) return [];
  return Object.entries(content).flatMap(([key, value]): Issue[] => {
    const place = Array.isArray(content) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    // Metadata may have members of any name.
    if (key === '_meta' || key === 'annotations') return [];
    if ((key !== 'data' && key !== 'blob') || typeof value !== 'string') return halfBase64(value, place);
    return value.length % 4 === 0 ? [] : [{ path: place, message: 'expected base64, which comes in groups of four characters' }];
  });
}
