import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import { corrected } from './corrections.ts';
import { definitionsOf, type Purpose, toJsonSchema } from './json-schema.ts';
import type { Document, RawOperation, RawParameter } from './openapi.ts';

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  /** A list is sent as a repeated name; otherwise as one value with commas (OpenAPI, Style Values). */
  readonly isExploded: boolean;
}

export interface SuccessAnswer {
  readonly status: number;
  /** Undefined where the answer has no body. */
  readonly schema?: JsonSchema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
  /** Schemas of the request body by content type. Members that they do not list are refused. */
  readonly bodies: ReadonlyMap<string, JsonSchema>;
  readonly needsBody: boolean;
  readonly answers: readonly SuccessAnswer[];
  /** Schema of the answer to a failure, where there is one. */
  readonly failure?: JsonSchema;
}

/** The operations of a provider by their id, from its description as `corrected` leaves it. */
export function readDescription(folder: string, provider: string): ReadonlyMap<string, Operation> {
  const written = JSON.parse(readFileSync(path.join(folder, `${provider}.json`), 'utf8')) as Document;
  const requests = corrected(provider, written, 'request');
  const answers = corrected(provider, written, 'answer');
  const operations = Object.entries(written.paths).flatMap(([place, methods]) =>
    Object.keys(methods).map((method) => {
      const rawOf = ({ paths }: Document): RawOperation => paths[place]?.[method] as RawOperation;
      return { ...requestOf(requests, place, method, rawOf(requests)), ...answersOf(answers, rawOf(answers)) };
    }),
  );
  return new Map(operations.map((operation) => [operation.id, operation]));
}

function requestOf(document: Document, place: string, method: string, raw: RawOperation): Omit<Operation, 'answers'> {
  const { operationId: id, parameters = [], requestBody } = raw;
  return {
    id,
    method: method.toUpperCase(),
    path: place,
    parameters: parameters.map((parameter) => parameterOf(document, parameter)),
    bodies: new Map(
      Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, withDefinitions(document, schema, 'request')]),
    ),
    needsBody: requestBody?.required === true,
  };
}

function answersOf(document: Document, { responses }: RawOperation): Pick<Operation, 'answers' | 'failure'> {
  const failure = answerSchema(document, responses['default']);
  return {
    answers: Object.entries(responses)
      .filter(([status]) => /^2\d\d$/.test(status))
      .map(([status, response]) => {
        const schema = answerSchema(document, response);
        return { status: Number(status), ...(schema === undefined ? {} : { schema }) };
      }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function parameterOf(document: Document, raw: RawParameter): OperationParameter {
  const { name, in: place, required, schema, explode = true } = '$ref' in raw ? componentParameter(document, raw.$ref) : raw;
  return { name, in: place, required: required === true, schema: withDefinitions(document, schema, 'request'), isExploded: explode };
}

function componentParameter(document: Document, $ref: string): Exclude<RawParameter, { readonly $ref: string }> {
  const found = document.components.parameters?.[$ref.replace('#/components/parameters/', '')];
  if (found === undefined || '$ref' in found) throw new Error(`The description has no parameter ${$ref}.`);
  return found;
}

function answerSchema(document: Document, response: RawOperation['responses'][string] | undefined): JsonSchema | undefined {
  const content = response?.content?.['application/json'];
  return content === undefined ? undefined : withDefinitions(document, content.schema ?? {}, 'answer');
}

function withDefinitions(document: Document, schema: unknown, purpose: Purpose): JsonSchema {
  const converted = toJsonSchema(schema, purpose);
  const $defs = definitionsOf(document.components.schemas ?? {}, purpose);
  const used = reachable(converted, $defs);
  return used.size === 0 ? converted : { ...converted, $defs: Object.fromEntries([...used].map((name) => [name, $defs[name]])) };
}

/** Names of the definitions that a schema refers to, directly or through others. */
function reachable(schema: unknown, $defs: Readonly<Record<string, JsonSchema>>, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const member of schema) reachable(member, $defs, found);
  if (!isPlainObject(schema)) return found;
  const { $ref } = schema;
  const name = typeof $ref === 'string' ? $ref.replace('#/$defs/', '') : undefined;
  if (name !== undefined && !found.has(name)) {
    if (!Object.hasOwn($defs, name)) throw new Error(`The description has no schema ${name}.`);
    found.add(name);
    reachable($defs[name], $defs, found);
  }
  for (const member of Object.values(schema)) reachable(member, $defs, found);
  return found;
}
