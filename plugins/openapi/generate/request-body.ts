import { isPlainObject, type JsonObject, type JsonSchema, type JsonValue } from '../../../kernel/index.ts';
import type { BodyContent, Operation } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { bodyKindOf, offeredContents, sentType } from './body-kind.ts';
import { formField, isFilePart, multipartPart } from './form-members.ts';
import { validName } from './parameter-names.ts';
import { type FlatObject, flatObject, isEmptyObject, isFileList, typesOf } from './schema-facts.ts';
import { literalText } from './texts.ts';
import type { ToolParameters } from './tool-parameters.ts';

/** Keys of the execution that make the body. */
export interface BodyExecution {
  readonly keys: JsonObject;
  /** The Content-Type where the executor does not follow it from the keys. */
  readonly contentType?: string;
  /** Entries of `parameter_encoding`. */
  readonly encodings: readonly JsonObject[];
}

export interface BodyContext {
  readonly parameters: ToolParameters;
  readonly schemas: SchemaConverter;
  /** Makes an example of an XML body. @default none */
  readonly xmlExample?: ((content: BodyContent) => string | undefined) | undefined;
  readonly note: (text: string) => void;
}

/** Maximum length of an example in a description, in characters. */
const maxExampleLength = 1000;

const noBody: BodyExecution = { keys: {}, encodings: [] };

/** Adds the parameters of a body, and returns the keys of the execution that send it. */
export function bodyOf({ body, method }: Pick<Operation, 'body' | 'method'>, context: BodyContext): BodyExecution {
  if (body === undefined || method === 'get' || method === 'head') return noBody;
  const offered = offeredContents(body.contents);
  if (offered.length < body.contents.length)
    context.note('some media types of the body are not offered, because another one says the same');
  const writer = new BodyWriter(offered, body.isRequired, context, body.description);
  return writer.write();
}

class BodyWriter {
  readonly #contents: readonly BodyContent[];
  readonly #isRequired: boolean;
  readonly #context: BodyContext;
  readonly #description: string | undefined;
  readonly #encodings: JsonObject[] = [];
  /** Parameters of members by their written name: types of a body share them. */
  readonly #members = new Map<string, string>();
  readonly #isNested: boolean;

  constructor(contents: readonly BodyContent[], isRequired: boolean, context: BodyContext, description: string | undefined) {
    this.#contents = contents;
    this.#isRequired = isRequired;
    this.#context = context;
    this.#description = description;
    this.#isNested = contents.some((content) => {
      const flat = this.#flatOf(content);
      return flat !== undefined && Object.keys(flat.properties).some((name) => !context.parameters.isFree(validName(name)));
    });
  }

  write(): BodyExecution {
    const optional = this.#isRequired ? {} : { body_optional: true };
    const [first, ...others] = this.#contents;
    if (first === undefined) return noBody;
    if (others.length === 0 && isEmptyObject(this.#schemaOf(first), this.#context.schemas.definitions)) return this.#emptyBody(first);
    this.#declareMembers();
    if (others.length === 0) {
      const keys = this.#keysOf(first);
      const isTyped = 'form' in keys || 'multipart' in keys;
      // A file may be of any type of a range: its name says which.
      const contentType = isTyped || ('body_file' in keys && first.mediaType.includes('*')) ? undefined : sentType(first.mediaType);
      return { keys: { ...keys, ...optional }, encodings: this.#encodings, ...(contentType === undefined ? {} : { contentType }) };
    }
    const types = this.#contents.map((content) => [sentType(content.mediaType), this.#keysOf(content)] as const);
    const names = types.map(([type]) => type);
    const parameter = this.#context.parameters.add('content_type', 'tool', {
      schema: { type: 'string', enum: names },
      description: `The media type of the body. Default: ${names[0]}.`,
      isRequired: false,
    });
    return { keys: { body_types: { parameter, types: Object.fromEntries(types) }, ...optional }, encodings: this.#encodings };
  }

  /** Returns a body that has no members: it is sent only where one is required. */
  #emptyBody({ mediaType }: BodyContent): BodyExecution {
    const kind = bodyKindOf(mediaType);
    if (!this.#isRequired || (kind !== 'json' && kind !== 'form')) return noBody;
    return kind === 'form'
      ? { keys: { form: {} }, encodings: [] }
      : { keys: { body: {} }, contentType: sentType(mediaType), encodings: [] };
  }

  #flatOf(content: BodyContent): FlatObject | undefined {
    const kind = bodyKindOf(content.mediaType);
    if (kind === 'xml' || kind === 'text' || kind === 'file') return undefined;
    return flatObject(this.#schemaOf(content), this.#context.schemas.definitions);
  }

  #schemaOf({ schema }: BodyContent): JsonSchema {
    return schema === undefined ? {} : this.#context.schemas.convert(schema, 'input');
  }

  /** Adds a parameter for each member of the types that have members. A member is required where each type requires it. */
  #declareMembers(): void {
    if (this.#isNested && this.#contents.every((content) => !isForm(content))) return;
    const flats = this.#contents.map((content) => this.#flatOf(content));
    const isNeeded = (name: string): boolean => this.#isRequired && flats.every((flat) => flat?.required.includes(name) === true);
    for (const [index, flat] of flats.entries()) {
      const content = this.#contents[index] as BodyContent;
      for (const [name, member] of Object.entries(flat?.properties ?? {})) {
        if (this.#members.has(name)) continue;
        const description = !this.#isRequired && flat?.required.includes(name) === true ? 'Needed with a body.' : undefined;
        this.#members.set(name, this.#addMember(name, asSchema(member), content, isNeeded(name), description));
      }
    }
    if (this.#isRequired) return;
    const neededByAll = [...this.#members].filter(([name]) => flats.every((flat) => flat?.required.includes(name) === true));
    this.#context.parameters.needTogether(
      [...this.#members.values()],
      neededByAll.map(([, parameter]) => parameter),
    );
  }

  #addMember(name: string, schema: JsonSchema, content: BodyContent, isRequired: boolean, more: string | undefined): string {
    const { parameters, schemas } = this.#context;
    const description = [schema['description'], more].filter((text) => typeof text === 'string').join(' ') || undefined;
    const isMultipart = bodyKindOf(content.mediaType) === 'multipart';
    if (isMultipart && isFilePart({ sentAs: name, schema, content, definitions: schemas.definitions }))
      return parameters.add(name, 'body', {
        schema: { type: 'string' },
        description: description ?? 'The path of a file to send.',
        isRequired,
        overlay: { path: 'read' },
      });
    if (isMultipart && isFileList(schema, schemas.definitions))
      return parameters.add(name, 'body', {
        schema: { type: 'array', items: { type: 'string' } },
        description: description ?? 'Paths of files to send.',
        isRequired,
        overlay: { path: 'read' },
      });
    return parameters.add(name, 'body', { schema, description, isRequired });
  }

  #keysOf(content: BodyContent): JsonObject {
    const kind = bodyKindOf(content.mediaType);
    const flat = this.#flatOf(content);
    const { definitions } = this.#context.schemas;
    if (kind === 'form' && flat === undefined) return { body: `{${this.#lone('body', { schema: this.#schemaOf(content) }, undefined)}}` };
    if (kind === 'form')
      return {
        form: this.#membersOf(content, flat, (name, sentAs, schema) =>
          formField({ parameter: name, sentAs, schema, content, definitions }),
        ),
      };
    if (kind === 'multipart')
      return {
        multipart: this.#membersOf(content, flat, (name, sentAs, schema) =>
          multipartPart({ parameter: name, sentAs, schema, content, definitions }),
        ),
      };
    if (kind === 'file')
      return {
        body_file: `{${this.#lone('file', { schema: { type: 'string' }, overlay: { path: 'read' } }, 'The path of the file to send.')}}`,
      };
    if (kind === 'xml')
      return { body: `{${this.#lone('body_xml', { schema: { type: 'string' } }, 'The body, as XML.', this.#xmlExample(content))}}` };
    if (kind === 'text') return { body: `{${this.#lone('body', { schema: { type: 'string' } }, 'The text to send.')}}` };
    if (flat !== undefined && this.#members.size > 0) return { body: this.#membersOf(content, flat, (name) => `{${name}}`) };
    return { body: this.#jsonValue(content) };
  }

  /** Returns a JSON body that is one parameter. A text would be sent as it is: it is written as JSON first. */
  #jsonValue(content: BodyContent): string {
    const schema = this.#schemaOf(content);
    const name = this.#lone('body', { schema }, undefined);
    const types = typesOf(schema, this.#context.schemas.definitions);
    if ([...types].every((type) => type === 'object' || type === 'array')) return `{${name}}`;
    const target = this.#context.parameters.derived(name);
    this.#encodings.push({ source: [name], target, encoding: 'json_compact' });
    return `{${target}}`;
  }

  #lone(
    sentAs: string,
    { schema, overlay }: { readonly schema: JsonSchema; readonly overlay?: JsonObject },
    description: string | undefined,
    remark?: string,
  ): string {
    const known = this.#members.get(` ${sentAs}`);
    if (known !== undefined) return known;
    const name = this.#context.parameters.add(sentAs, 'body', {
      schema,
      description: [this.#description ?? '', description ?? ''].filter((text) => text !== '').join(' ') || undefined,
      isRequired: this.#isRequired && this.#contents.length === 1,
      ...(remark === undefined ? {} : { remark }),
      ...(overlay === undefined ? {} : { overlay }),
    });
    this.#members.set(` ${sentAs}`, name);
    return name;
  }

  #xmlExample(content: BodyContent): string | undefined {
    const example = this.#context.xmlExample?.(content);
    return example === undefined || example.length > maxExampleLength ? undefined : `Example: ${example}`;
  }

  #membersOf(
    content: BodyContent,
    flat: FlatObject | undefined,
    write: (name: string, sentAs: string, schema: JsonSchema) => JsonValue,
  ): JsonObject {
    if (flat === undefined) {
      const name = this.#lone('body', { schema: this.#schemaOf(content) }, undefined);
      // Exploded, each member of the object is a field or a part of its own.
      return { body: { value: `{${name}}`, style: 'form', explode: true } };
    }
    const entries = Object.entries(flat.properties).flatMap(([sentAs, schema]): [string, JsonValue][] => {
      const name = this.#members.get(sentAs);
      return name === undefined ? [] : [[literalText(sentAs), write(name, sentAs, asSchema(schema))]];
    });
    return Object.fromEntries(entries);
  }
}

function asSchema(schema: unknown): JsonSchema {
  return isPlainObject(schema) ? schema : {};
}

function isForm({ mediaType }: BodyContent): boolean {
  const kind = bodyKindOf(mediaType);
  return kind === 'form' || kind === 'multipart';
}
