import { checkValue, isPlainObject, type JsonSchema } from '../../../kernel/index.ts';
import type { SeenRequest } from '../../support/loopback.ts';
import type { CatalogueTool } from './catalogue.ts';
import type { Operation, OperationParameter } from './description.ts';

/** A request read as the description of its operation says, and what is wrong with it. */
export interface SentRequest {
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly findings: readonly string[];
}

export function readRequest(request: SeenRequest, operation: Operation, tool: CatalogueTool): SentRequest {
  const [path = '', search = ''] = request.url.split('?', 2);
  const query = readPairs(search, (name) => operation.parameters.find((parameter) => parameter.in === 'query' && parameter.name === name));
  const body = readBody(request, operation, tool);
  const missing = operation.parameters.filter(({ name, in: place, required }) => place === 'query' && required && !(name in query.values));
  return {
    query: query.values,
    body: body.value,
    findings: [
      ...(request.method === operation.method ? [] : [`the method is ${request.method}, not ${operation.method}`]),
      ...findingsInPath(path, operation),
      ...query.findings.map((finding) => `query: ${finding}`),
      ...missing.map(({ name }) => `query: ${name} is required`),
      ...body.findings.map((finding) => `body: ${finding}`),
    ],
  };
}

function findingsInPath(path: string, { path: template, parameters }: Operation): string[] {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pattern = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const [whole, ...values] = new RegExp(`^${pattern.join('([^/]+)')}$`).exec(path) ?? [];
  if (whole === undefined) return [`the path is ${path}, not ${template}`];
  return names.flatMap((name, index) => {
    const schema = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema;
    if (schema === undefined) return [`path: ${name} is not described`];
    return issuesOf(schema, typed(decodeURIComponent(values[index] ?? ''), schema), `path: ${name}`);
  });
}

type Field = Pick<OperationParameter, 'schema' | 'isExploded'>;

/** Pairs of a query or of a form, each in the type of its schema. */
function readPairs(text: string, fieldOf: (name: string) => Field | undefined): { values: Record<string, unknown>; findings: string[] } {
  const pairs = new URLSearchParams(text);
  const values: Record<string, unknown> = {};
  const findings: string[] = [];
  for (const name of new Set(pairs.keys())) {
    const texts = pairs.getAll(name);
    const field = fieldOf(name);
    if (field === undefined) {
      findings.push(`${name} is not known`);
      values[name] = texts;
      continue;
    }
    const isList = typeOf(field.schema) === 'array';
    if (texts.length > 1 && !(isList && field.isExploded)) findings.push(`${name} is there ${texts.length} times`);
    const items = isList && !field.isExploded ? (texts[0] ?? '').split(',') : texts;
    values[name] = isList ? items.map((item) => typed(item, itemsOf(field.schema))) : typed(texts[0] ?? '', field.schema);
    findings.push(...issuesOf(field.schema, values[name], name));
  }
  return { values, findings };
}

function readBody(
  { body, headers }: SeenRequest,
  { bodies, needsBody }: Operation,
  { request_content_type: wanted, spec_content_type: described = wanted }: CatalogueTool,
): { value: unknown; findings: readonly string[] } {
  const contentType = headers['content-type'];
  if (bodies.size === 0) {
    const extra = body === '' && contentType === undefined ? [] : [`expected none, received ${contentType ?? ''} ${body.slice(0, 60)}`];
    return { value: undefined, findings: extra };
  }
  const schema = bodies.get(described ?? '');
  if (schema === undefined) return { value: undefined, findings: [`the description has none of type ${described}`] };
  if (body === '') return { value: {}, findings: needsBody ? ['is required'] : [] };
  const [mediaType, parameter = 'charset=utf-8'] = (contentType ?? '').toLowerCase().split(/\s*;\s*/);
  const isRight = mediaType === wanted && parameter === 'charset=utf-8';
  const wrongType = isRight ? [] : [`the content type is ${contentType}, not ${wanted}`];
  if (wanted === 'application/json') {
    const value = parsed(body);
    return { value, findings: [...wrongType, ...issuesOf(schema, value)] };
  }
  const { values, findings } = readPairs(body, (name) => fieldOf(schema, name));
  return { value: values, findings: [...wrongType, ...findings, ...issuesOf(schema, values)] };
}

function fieldOf(schema: JsonSchema, name: string): Field | undefined {
  const { properties = {}, $defs } = schema as { properties?: Record<string, JsonSchema>; $defs?: unknown };
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return own === undefined ? undefined : { schema: $defs === undefined ? own : { ...own, $defs }, isExploded: true };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function typed(text: string, schema: JsonSchema): unknown {
  const type = typeOf(schema);
  if (type === 'integer' && /^-?\d+$/.test(text)) return Number(text);
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** The type of a schema, of what it refers to, or of the first branch that has one. */
function typeOf(schema: JsonSchema): unknown {
  const { $ref, $defs, type, anyOf } = schema;
  if (typeof $ref === 'string' && isPlainObject($defs)) return typeOf({ ...($defs[$ref.replace('#/$defs/', '')] as JsonSchema), $defs });
  if (Array.isArray(type)) return type.find((name) => name !== 'null');
  return type ?? (Array.isArray(anyOf) ? typeOf(anyOf[0] as JsonSchema) : undefined);
}

function itemsOf({ items, $defs }: JsonSchema): JsonSchema {
  return isPlainObject(items) ? { ...items, $defs } : {};
}

function issuesOf(schema: JsonSchema, value: unknown, prefix = ''): string[] {
  return checkValue(schema, value).map(({ path, message }) => [prefix, path, message].filter((part) => part !== '').join(' '));
}
