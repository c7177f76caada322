import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkValue, type JsonSchema, messageOf, readJson, toUrl } from '../../../kernel/index.ts';
import { decodeUtf8 } from '../../shared/text/utf8.ts';
import type { ApiDocument, Operation, OperationResponse } from '../operations/operation.ts';
import type { SchemaConverter } from '../schemas/schema-converter.ts';
import { createRouter } from './route.ts';
import { sampleValue } from './sample-value.ts';

/** A request that the mock received. */
export interface MockRequest {
  /** Undefined for a request that no operation of the document has. */
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  /** Differences between the request and the document, for people. */
  readonly faults: readonly string[];
}

/** A running server that answers as its document says. */
export interface Mock {
  /** The base URL, on loopback. */
  readonly url: string;
  /** Returns the requests since the last call. */
  take(): readonly MockRequest[];
  close(): Promise<void>;
}

/** Longest body that the mock reads, in bytes. */
const maxBodyBytes = 10_000_000;

/**
 * Starts a server on loopback that checks each request against a document and answers with its examples, or with values made from its schemas.
 * A request that the document does not have is answered with 404, one with faults with 400.
 */
export async function startMock(document: ApiDocument, converter: SchemaConverter): Promise<Mock> {
  const find = createRouter(document.operations);
  let received: MockRequest[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: target = '/' } = request;
    const url = toUrl(target, 'http://mock.invalid');
    const operation = find(method, url);
    const body = await readBody(request);
    const faults = operation === undefined ? [] : faultsOf(operation, { request, url, body }, converter);
    received.push({ operation, method, path: url.pathname, faults });
    if (operation === undefined) send(response, 404, { error: `the document has no ${method} ${url.pathname}` });
    else if (faults.length > 0) send(response, 400, { error: faults.join('; ') });
    else sendExample(response, operation, converter);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = received;
      received = [];
      return taken;
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error(`more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

interface Received {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: Buffer;
}

/** Returns required parameters that are missing, and faults of the body. */
function faultsOf(operation: Operation, { request, url, body }: Received, converter: SchemaConverter): readonly string[] {
  const required = operation.parameters.filter(({ isRequired }) => isRequired);
  const missing = required.flatMap(({ in: place, name, style }) => {
    // An object in one of these styles is several names.
    const isIn = style === 'form' || style === 'deepObject' ? url.search !== '' : url.searchParams.has(name);
    const isThere = place === 'query' ? isIn : place === 'header' ? request.headers[name.toLowerCase()] !== undefined : true;
    return isThere ? [] : [`the required ${place} parameter "${name}" is missing`];
  });
  return [...missing, ...bodyFaults(operation, request.headers['content-type'], body, converter)];
}

function bodyFaults({ body: declared }: Operation, type: string | undefined, body: Buffer, converter: SchemaConverter): readonly string[] {
  if (declared === undefined) return body.length === 0 ? [] : ['there is a body, which the document does not have'];
  if (body.length === 0) return declared.isRequired ? ['the required body is missing'] : [];
  const mediaType = (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const content = declared.contents.find((one) => isOfType(mediaType, one.mediaType));
  const expected = declared.contents.map((one) => one.mediaType).join(' or ');
  if (content === undefined) return [`the body has the media type "${mediaType}": expected ${expected}`];
  if (content.schema === undefined || !isJson(mediaType)) return [];
  try {
    const schema = { ...converter.convert(content.schema, 'input'), $defs: converter.definitions } as JsonSchema;
    const issues = checkValue(schema, readJson(decodeUtf8(body).text));
    return issues.slice(0, 5).map(({ path, message }) => `the body does not match: ${path === '' ? '' : `${path} `}${message}`);
  } catch (error) {
    return [`the body is no JSON: ${messageOf(error)}`];
  }
}

/** True for a media type that a range such as `image/*` includes (RFC 9110, 12.5.1). */
function isOfType(given: string, range: string): boolean {
  return range === given || range === '*/*' || (range.endsWith('/*') && given.startsWith(range.slice(0, -1)));
}

function isJson(mediaType: string): boolean {
  return mediaType === '*/*' || /[/+]json$/.test(mediaType);
}

function sendExample(response: ServerResponse, operation: Operation, converter: SchemaConverter): void {
  const found = successOf(operation);
  const status = found === undefined ? 204 : statusOf(found.status);
  const headers = Object.fromEntries((found?.headers ?? []).filter(({ name }) => isSendable(name)).map(({ name }) => [name, 'sample']));
  // Tools ask for JSON where there is some.
  const contents = found?.contents ?? [];
  const content = contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];
  if (content === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const type = content.mediaType.includes('*') ? 'application/json' : content.mediaType;
  const [example] = content.examples;
  const schema = content.schema === undefined ? {} : converter.convert(content.schema, 'output');
  const value = example ?? sampleValue(schema, converter.definitions);
  const text = isJson(type) || typeof value !== 'string' ? JSON.stringify(value) : value;
  response.writeHead(status, { ...headers, 'content-type': type }).end(operation.method === 'head' ? undefined : text);
}

/** Returns the first response that means success. */
export function successOf({ responses }: Operation): OperationResponse | undefined {
  return responses.find(({ status }) => /^2/.test(status)) ?? responses.find(({ status }) => status === 'default');
}

function statusOf(status: string): number {
  return /^2\d\d$/.test(status) ? Number(status) : 200;
}

/** True for a header that the mock may make up. The others describe the message. */
function isSendable(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && !/^(content-|transfer-encoding|connection|date|set-cookie)/i.test(name);
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
