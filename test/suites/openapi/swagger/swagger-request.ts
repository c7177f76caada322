import type { DocumentArguments } from '../arguments/document-arguments.ts';
import type { DescribedDocument, DescribedOperation } from '../decoder/described-operation.ts';
import { bare } from '../decoder/described-operation.ts';
import { packageRequire } from '../documents/folders.ts';
import { formPairs, jsonParts, type TakenApart, urlParts } from './taken-apart.ts';

interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type BuildRequest = (options: Readonly<Record<string, unknown>>) => BuiltRequest;

let buildRequest: BuildRequest | undefined;

/** Returns the request that swagger-client builds for an operation, taken apart. Throws where it throws. */
export function swaggerRequest(
  document: DescribedDocument,
  operation: DescribedOperation,
  given: DocumentArguments,
  basePath: string,
): TakenApart {
  buildRequest ??= (packageRequire()('swagger-client') as { buildRequest: BuildRequest }).buildRequest;
  // It asks for headers that it never sends.
  const unsent = operation.parameters.filter(
    (parameter) => parameter.in === 'header' && /^(accept|authorization|content-type)$/i.test(parameter.name),
  );
  const parameters = Object.fromEntries([
    ...unsent.map(({ name }) => [`header.${name}`, 'any'] as const),
    ...[...given.parameters].map(([key, value]) => [key.replace(' ', '.'), value] as const),
  ]);
  const { url, method, headers, body } = buildRequest({
    spec: specOf(document, operation),
    operationId: 'operation',
    baseURL: basePath,
    parameters,
    ...(given.body === undefined
      ? {}
      : { requestBody: given.body, requestContentType: declaredType(document, operation, given.mediaType) }),
  });
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const mediaType = contentType === undefined ? undefined : bare(contentType);
  return { method, ...urlParts(url), mediaType, body: bodyParts(body, mediaType) };
}

/** Returns a document of the one operation, without references where swagger-client expects none. */
function specOf(document: DescribedDocument, { method, path }: DescribedOperation): unknown {
  const { paths } = document.root as { readonly paths: Readonly<Record<string, unknown>> };
  const item = document.at(paths[path]);
  const operation = document.at(item[method.toLowerCase()]);
  const resolved = (list: unknown): unknown[] =>
    (Array.isArray(list) ? list : []).map((parameter) => {
      const written = document.at(parameter);
      return written['schema'] === undefined ? written : { ...written, schema: document.at(written['schema']) };
    });
  const requestBody = operation['requestBody'] === undefined ? {} : { requestBody: document.at(operation['requestBody']) };
  return {
    openapi: '3.0.3',
    servers: [{ url: '/' }],
    paths: {
      [path]: {
        parameters: resolved(item['parameters']),
        [method.toLowerCase()]: { operationId: 'operation', parameters: resolved(operation['parameters']), ...requestBody, responses: {} },
      },
    },
  };
}

/** Returns a media type as the document writes it, perhaps with parameters. */
function declaredType(document: DescribedDocument, { method, path }: DescribedOperation, mediaType = ''): string {
  const { paths } = document.root as { readonly paths: Readonly<Record<string, unknown>> };
  const operation = document.at(document.at(paths[path])[method.toLowerCase()]);
  const content = document.at(operation['requestBody'])['content'];
  return Object.keys(document.at(content)).find((written) => bare(written) === mediaType) ?? mediaType;
}

function bodyParts(body: unknown, mediaType: string | undefined): unknown {
  if (body === undefined || body === null) return undefined;
  if (typeof (body as FormData).entries === 'function' && !Array.isArray(body))
    return [...(body as FormData).entries()].map(([name, value]) => [name, String(value)]);
  if (mediaType === 'application/x-www-form-urlencoded') return String(body) === '' ? undefined : formPairs(String(body));
  // As its `execute` sends objects and lists.
  const text = typeof body === 'object' ? JSON.stringify(body) : String(body);
  if (mediaType === undefined || !/[/+]json$/.test(mediaType)) return text;
  try {
    return jsonParts(text);
  } catch {
    return `not JSON: ${text}`;
  }
}
