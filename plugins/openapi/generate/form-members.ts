import type { JsonSchema, JsonValue } from '../../../kernel/index.ts';
import type { BodyContent, MemberEncoding } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { isFile, isFileList, targetOf, typesOf } from './schema-facts.ts';

/** A member of a form or a multipart body, which a parameter of the tool fills. */
interface FormMember {
  readonly parameter: string;
  /** The name of the field or part. */
  readonly sentAs: string;
  readonly schema: JsonSchema;
  readonly content: BodyContent;
  readonly definitions: SchemaConverter['definitions'];
}

/** Returns a field of a form (OAS 3.1, Encoding Object): in its style, else an object as JSON. */
export function formField({ parameter, sentAs, schema, content: { encoding }, definitions }: FormMember): JsonValue {
  const { style, explode, allowReserved } = encodingOf(encoding, sentAs);
  const types = typesOf(schema, definitions);
  const isStyled = style !== undefined || explode !== undefined || allowReserved !== undefined;
  if (!isStyled && types.has('object')) return `{${parameter}}`;
  return {
    value: `{${parameter}}`,
    style: style ?? 'form',
    explode: style === 'deepObject' || (explode ?? (style === undefined || style === 'form')),
    ...(allowReserved === true ? { allow_reserved: true } : {}),
  };
}

/** Returns a part of a multipart body: a file, a value in its style or of its type, else an object as JSON. */
export function multipartPart(member: FormMember): JsonValue {
  const { parameter, sentAs, schema, content, definitions } = member;
  const { contentType, style, explode } = encodingOf(content.encoding, sentAs);
  const type = contentType?.split(',')[0]?.trim();
  const isTyped = type !== undefined && !type.includes('*');
  if (isFilePart(member) || isFileList(schema, definitions))
    return { file: `{${parameter}}`, ...(isTyped && type !== 'application/octet-stream' ? { type } : {}) };
  if (style !== undefined)
    return { value: `{${parameter}}`, style, ...(explode === undefined || style === 'deepObject' ? {} : { explode }) };
  if (isTyped) return { value: `{${parameter}}`, content_type: type };
  // A text, which some schemas allow beside an object, is sent as it is; a list as a part for each item.
  const target = targetOf(schema, definitions);
  const types = typesOf(target['type'] === 'array' ? target['items'] : schema, definitions);
  const isJson = [...types].every((one) => one === 'object' || one === 'array');
  return isJson ? { value: `{${parameter}}`, content_type: 'application/json' } : `{${parameter}}`;
}

/** True for a member that is sent as a file: by its schema, or by the type that the document names for it. */
export function isFilePart({ sentAs, schema, content: { encoding }, definitions }: Omit<FormMember, 'parameter'>): boolean {
  if (isFile(schema, definitions)) return true;
  const declared = Object.hasOwn(encoding, sentAs) ? encoding[sentAs]?.contentType : undefined;
  if (declared === undefined || /json|^text\/|xml/i.test(declared)) return false;
  return typesOf(schema, definitions).has('any') || isFile({ type: 'string', contentMediaType: declared }, definitions);
}

function encodingOf(encoding: Readonly<Record<string, MemberEncoding>>, name: string): MemberEncoding {
  return Object.hasOwn(encoding, name) ? (encoding[name] as MemberEncoding) : {};
}
