import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Json = Readonly<Record<string, unknown>>;

/** A parameter as its document describes it, with the defaults of OpenAPI filled in. */
export interface DescribedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly mediaType: string | undefined;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

export interface DescribedBody {
  readonly mediaType: string;
  readonly schema: unknown;
  readonly encoding: Readonly<Record<string, { style?: string; explode?: boolean; contentType?: string; allowReserved?: boolean }>>;
}

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly DescribedParameter[];
  readonly bodies: readonly DescribedBody[];
}

/** Kinds of values that a schema allows. */
export type Kind = 'text' | 'list' | 'object';

const collectionStyles: Readonly<Record<string, { style: string; explode: boolean }>> = {
  csv: { style: 'form', explode: false },
  multi: { style: 'form', explode: true },
  pipes: { style: 'pipeDelimited', explode: false },
  ssv: { style: 'spaceDelimited', explode: false },
};

/** Reads a document and describes its operations. Knows references inside the document only. Shares no code with what it tests. */
export class DescribedDocument {
  readonly #root: Json;

  constructor(root: unknown) {
    this.#root = object(root);
  }

  static read(file: string): DescribedDocument {
    const text = readFileSync(file, 'utf8');
    // Own text: a document of this suite, whose numbers decide nothing.
    return new DescribedDocument(file.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 }));
  }

  get root(): Json {
    return this.#root;
  }

  /** Returns a value with the reference at its top followed. */
  at(value: unknown): Json {
    let current = object(value);
    for (let steps = 0; steps < 20 && typeof current['$ref'] === 'string'; steps += 1) {
      const segments = current['$ref']
        .replace(/^#\/?/, '')
        .split('/')
        .filter((segment) => segment !== '');
      let target: unknown = this.#root;
      for (const segment of segments) target = container(target)[decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')];
      current = object(target);
    }
    return current;
  }

  operation(method: string, path: string): DescribedOperation {
    const item = this.at(object(this.#root['paths'])[path]);
    const operation = object(item[method.toLowerCase()]);
    const listed = [...list(operation['parameters']), ...list(item['parameters'])].map((parameter) => this.at(parameter));
    const unique = new Map<string, Json>();
    for (const parameter of listed) {
      const key = `${parameter['in']} ${parameter['name']}`;
      if (!unique.has(key)) unique.set(key, parameter);
    }
    const all = [...unique.values()];
    const isOld = typeof this.#root['swagger'] === 'string';
    return {
      method: method.toUpperCase(),
      path,
      parameters: all
        .filter((one) => ['path', 'query', 'header', 'cookie'].includes(String(one['in'])))
        .map((one) => this.#parameter(one, isOld)),
      bodies: isOld ? this.#oldBodies(all, operation) : this.#bodies(operation['requestBody']),
    };
  }

  /** Returns the kinds of values that a schema allows; none where it says nothing. */
  kinds(schema: unknown, depth = 0): ReadonlySet<Kind> {
    const kinds = new Set<Kind>();
    if (depth > 10) return kinds;
    const { type, properties, items, additionalProperties, allOf, anyOf, oneOf, enum: values } = this.at(schema);
    for (const name of [type ?? []].flat())
      if (name !== 'null') kinds.add(name === 'array' ? 'list' : name === 'object' ? 'object' : 'text');
    // Branches name types; `items` and `properties` beside them say nothing of other types (JSON Schema 2020-12, Core, 10.3).
    if (kinds.size === 0)
      for (const branch of [allOf, anyOf, oneOf].flatMap(list)) for (const kind of this.kinds(branch, depth + 1)) kinds.add(kind);
    if (kinds.size === 0 && (properties !== undefined || additionalProperties !== undefined)) kinds.add('object');
    if (kinds.size === 0 && items !== undefined) kinds.add('list');
    if (kinds.size === 0 && values !== undefined) kinds.add('text');
    return kinds;
  }

  /** Returns the members that a schema names, with their schemas. */
  members(schema: unknown, depth = 0): ReadonlyMap<string, unknown> {
    const members = new Map<string, unknown>();
    if (depth > 10) return members;
    const { properties, allOf, anyOf, oneOf } = this.at(schema);
    for (const [name, member] of Object.entries(object(properties))) members.set(name, member);
    for (const branch of [allOf, anyOf, oneOf].flatMap(list))
      for (const [name, member] of this.members(branch, depth + 1)) if (!members.has(name)) members.set(name, member);
    return members;
  }

  /** True where a schema describes members that it does not name, or none at all. */
  isOpen(schema: unknown): boolean {
    const { additionalProperties: more } = this.at(schema);
    return more === true || (typeof more === 'object' && more !== null) || (more === undefined && this.members(schema).size === 0);
  }

  #parameter(written: Json, isOld: boolean): DescribedParameter {
    const place = String(written['in']) as DescribedParameter['in'];
    const common = { name: String(written['name']), in: place, isRequired: written['required'] === true };
    if (isOld) {
      const inUrl = place === 'query';
      const { style, explode } = collectionStyles[String(written['collectionFormat'] ?? 'csv')] ?? { style: 'form', explode: false };
      return {
        ...common,
        style: inUrl ? style : 'simple',
        explode: inUrl && explode,
        allowReserved: false,
        mediaType: undefined,
        schema: written,
      };
    }
    const style = String(written['style'] ?? (place === 'query' || place === 'cookie' ? 'form' : 'simple'));
    const explode = typeof written['explode'] === 'boolean' ? written['explode'] : style === 'form' || style === 'deepObject';
    const [content] = Object.entries(object(written['content']));
    return {
      ...common,
      style,
      explode,
      allowReserved: written['allowReserved'] === true,
      mediaType: content?.[0],
      schema: content === undefined ? written['schema'] : object(content[1])['schema'],
    };
  }

  #bodies(written: unknown): readonly DescribedBody[] {
    return Object.entries(object(this.at(written)['content'])).map(([mediaType, content]) => ({
      mediaType: bare(mediaType),
      schema: this.at(content)['schema'],
      encoding: object(this.at(content)['encoding']) as DescribedBody['encoding'],
    }));
  }

  #oldBodies(parameters: readonly Json[], operation: Json): readonly DescribedBody[] {
    const consumes = list(operation['consumes'] ?? this.#root['consumes']).map(String);
    const body = parameters.find((one) => one['in'] === 'body');
    if (body !== undefined)
      return (consumes.length === 0 ? ['application/json'] : consumes).map((type) => ({
        mediaType: bare(type),
        schema: body['schema'],
        encoding: {},
      }));
    const fields = parameters.filter((one) => one['in'] === 'formData');
    if (fields.length === 0) return [];
    const properties = Object.fromEntries(fields.map((one) => [String(one['name']), one]));
    const encoding = Object.fromEntries(
      fields
        .filter((one) => one['type'] === 'array')
        .map((one) => [
          String(one['name']),
          collectionStyles[String(one['collectionFormat'] ?? 'csv')] ?? { style: 'form', explode: false },
        ]),
    );
    const types = consumes.map(bare).filter((type) => /form/.test(type));
    const hasFile = fields.some((one) => one['type'] === 'file');
    const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
    return (types.length === 0 ? [fallback] : types).map((mediaType) => ({ mediaType, schema: { type: 'object', properties }, encoding }));
  }
}

/** Returns a media type without parameters, in lower case. */
export function bare(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** Returns an object or list, whose items have their numbers as names. */
function container(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
