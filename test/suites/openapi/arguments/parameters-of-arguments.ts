import { isPlainObject, type Tool } from '../../../../kernel/index.ts';
import type { DecodedRequest } from '../decoder/decode-request.ts';
import { NumberText } from '../decoder/read-exact-json.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the parameters of a tool that send the arguments of a decoded request: the way back from `argumentsOfTemplate`. `lost` has the
 * arguments for which the tool has no parameter.
 */
export function parametersOfArguments(
  tool: Tool,
  execution: Json,
  decoded: DecodedRequest,
  documentPath: string,
): { readonly parameters: Json; readonly lost: readonly string[] } {
  const parameters: Record<string, unknown> = {};
  const lost: string[] = [];
  const { properties = {} } = tool.inputSchema as { readonly properties?: Json };
  const give = (template: unknown, value: unknown, key: string): void => {
    const lone = isPlainObject(template) && Object.hasOwn(template, 'value') ? template['value'] : template;
    const [, name] = typeof lone === 'string' ? (/^\{(\w+?)(?:_as_json)?\}$/.exec(lone) ?? []) : [];
    if (name !== undefined && Object.hasOwn(properties, name)) parameters[name] = typed(value, properties[name], tool.inputSchema as Json);
    else if (isPlainObject(template) && isPlainObject(value))
      for (const [member, inner] of Object.entries(value)) give(template[member], inner, `${key}.${member}`);
    else lost.push(key);
  };
  const placeholders = [...String(execution['url']).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = [...documentPath.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const ofPath = placeholders.slice(-inPath.length);
  const members: Readonly<Record<string, string>> = { query: 'query_params', header: 'headers', cookie: 'cookies' };
  for (const [key, value] of decoded.parameters) {
    const [place = '', name = ''] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1)];
    const template = place === 'path' ? `{${ofPath[inPath.indexOf(name)]}}` : ((execution[members[place] ?? ''] ?? {}) as Json)[name];
    give(template, value, key);
  }
  const content = isPlainObject(execution['body_types'])
    ? ((execution['body_types']['types'] as Json)[decoded.mediaType ?? ''] as Json | undefined)
    : execution;
  if (decoded.body !== undefined) give(content?.['body'] ?? content?.['form'] ?? content?.['multipart'], decoded.body, 'body');
  return { parameters, lost };
}

/** Returns a value with the types of a schema: texts of a query are numbers there. */
function typed(value: unknown, schema: unknown, root: Json): unknown {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) {
    const items = typesOf(schema, root).items;
    return value.map((item) => typed(item, items, root));
  }
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, typed(member, typesOf(schema, root).properties[name], root)]),
    );
  const { types } = typesOf(schema, root);
  if (typeof value !== 'string' || types.includes('string')) return value;
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  return types.includes('array') ? [value] : value;
}

function typesOf(schema: unknown, root: Json, depth = 0): { types: readonly string[]; items: unknown; properties: Json } {
  const none = { types: [], items: undefined, properties: {} };
  if (!isPlainObject(schema) || depth > 8) return none;
  const { $ref, type, items, properties, anyOf, oneOf, allOf } = schema;
  const target = typeof $ref === 'string' ? (root['$defs'] as Json | undefined)?.[$ref.replace('#/$defs/', '')] : undefined;
  const parts = [target, ...[anyOf, oneOf, allOf].flatMap((branches) => (Array.isArray(branches) ? branches : []))].map((part) =>
    typesOf(part, root, depth + 1),
  );
  return {
    types: [...([type ?? []].flat() as string[]), ...parts.flatMap((part) => part.types)],
    items: items ?? parts.find((part) => part.items !== undefined)?.items,
    properties: Object.assign({}, ...parts.map((part) => part.properties), isPlainObject(properties) ? properties : {}),
  };
}
