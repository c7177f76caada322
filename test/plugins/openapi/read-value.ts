import type { ApiDocument, Operation } from '../../../plugins/openapi/operations/operation.ts';
import { type ReadDocument, readApiDocument } from '../../../plugins/openapi/read-api-document.ts';

/** Where the documents of these tests seem to be. */
export const location = '/api/openapi.json';

/** Opens a value as a document, with the texts of further files. */
export function readValue(
  value: unknown,
  options: { location?: string; texts?: Record<string, string>; overlay?: unknown } = {},
): Promise<ReadDocument> {
  const { texts = {}, overlay } = options;
  return readApiDocument({
    location: options.location ?? location,
    read: async () => JSON.stringify(value),
    texts: new Map(Object.entries(texts)),
    ...(overlay === undefined ? {} : { overlay: { location: '/api/overlay.json', text: JSON.stringify(overlay) } }),
  });
}

/** Reads a document of 3.0 with these paths. */
export async function readPaths(paths: object, more: object = {}): Promise<ApiDocument> {
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, servers: [{ url: 'https://api.test' }], paths, ...more };
  return (await readValue(document)).document;
}

/** Reads one operation: `GET /items` unless the path is given. */
export async function readOne(operation: object, path = '/items', method = 'get', more: object = {}): Promise<Operation> {
  return only(await readPaths({ [path]: { [method]: operation } }, more));
}

/** Reads one operation of a document of 2.0. */
export async function readOne2(operation: object, more: object = {}, path = '/items', method = 'post'): Promise<Operation> {
  const document = {
    swagger: '2.0',
    info: { title: 'T', version: '1' },
    host: 'api.test',
    paths: { [path]: { [method]: operation } },
    ...more,
  };
  return only((await readValue(document)).document);
}

export function only({ operations, skipped }: ApiDocument): Operation {
  const [operation] = operations;
  if (operation === undefined || operations.length > 1)
    throw new Error(`expected one operation: ${JSON.stringify({ operations, skipped })}`);
  return operation;
}
