import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Kernel } from '../../../../kernel/index.ts';
import type { RequestRefusal } from '../../../shared/http/refusal.ts';
import type { RequestId } from '../../../shared/json-rpc/message.ts';
import { Outbox } from '../outbox.ts';

/** Parts that send the responses of all clients: responses to requests that arrive together leave together. */
export interface Replies {
  readonly answers: JsonAnswers;
  readonly outbox: Outbox<() => void>;
}

/** Creates the parts that send the responses of a server. */
export function repliesOf(kernel: Kernel): Replies {
  const send = (answers: readonly (() => void)[]): void => {
    for (const answer of answers) answer();
  };
  return { answers: new JsonAnswers(), outbox: new Outbox({ kernel, scheduleFlush: setImmediate, send }) };
}

/** Minimum length of a compressed response, in UTF-16 units. */
const minCompressedLength = 16 * 1024;

/** Methods of lists, which are long, public to all callers and free of secrets. */
export const compressibleMethods: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
]);

interface AnswerOptions {
  /** Id of the session, if there is one. */
  readonly sessionId?: string;
  /** True for a response that is long and holds no secret. */
  readonly canCompress: boolean;
  /** @default 200 */
  readonly status?: number;
}

type Compress = (text: string) => Promise<Buffer>;

/**
 * Sends responses as JSON, compressed where they are long and the client accepts it. An attacker who sees sizes can guess secrets that are
 * compressed together with the attacker's text (BREACH). Lists hold no secrets, and no page can make a browser send the bearer token.
 */
export class JsonAnswers {
  readonly #compress: Compress;
  /** Last compressed response: clients request the same list one after the other, mostly with the same id. */
  #last: { readonly text: string; readonly compressed: Promise<Buffer> } | undefined;

  constructor(compress: Compress = promisify<string, Buffer>(gzip)) {
    this.#compress = compress;
  }

  send(
    { headers: asked }: Pick<IncomingMessage, 'headers'>,
    response: ServerResponse,
    text: string,
    { sessionId, canCompress, status = 200 }: AnswerOptions,
  ): void {
    const ofSession = sessionId === undefined ? [] : ['mcp-session-id', sessionId];
    if (!canCompress || text.length <= minCompressedLength) {
      const length = String(Buffer.byteLength(text));
      const headers = ['content-type', 'application/json', ...ofSession, 'vary', 'Origin', 'content-length', length];
      response.writeHead(status, headers).end(text);
      return;
    }
    const plain = { 'content-type': 'application/json', ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }) };
    const varying = { ...plain, vary: 'Origin, Accept-Encoding' };
    if (!acceptsGzip(asked['accept-encoding'])) {
      response.writeHead(200, { ...varying, 'content-length': Buffer.byteLength(text) }).end(text);
      return;
    }
    void this.#compressed(text).then((body) =>
      response.writeHead(200, { ...varying, 'content-length': body.length, 'content-encoding': 'gzip' }).end(body),
    );
  }

  #compressed(text: string): Promise<Buffer> {
    if (this.#last?.text !== text) this.#last = { text, compressed: this.#compress(text) };
    return this.#last.compressed;
  }
}

/** Returns true when Accept-Encoding prefers gzip to an uncompressed response (RFC 9110, 12.5.3). */
export function acceptsGzip(header = ''): boolean {
  const weights = new Map(header.toLowerCase().split(',').map(weighed));
  const gzipWeight = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzipWeight > 0 && gzipWeight >= (weights.get('identity') ?? 0);
}

function weighed(part: string): readonly [string, number] {
  const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice(2))];
}

/** Response to a refused request, with what a JSON-RPC error adds. */
export interface HttpRefusal extends RequestRefusal {
  /** JSON-RPC error code. @default -32000 */
  readonly code?: number;
  /** Id of the request, where it was read. @default null */
  readonly id?: RequestId | null;
  /** The ids of all requests of a batch: each gets the error. */
  readonly ids?: readonly RequestId[];
  readonly data?: unknown;
}

/** Answers the request with a JSON-RPC error. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message, headers = {}, code = -32000, id = null, ids = [], data }: HttpRefusal,
): void {
  const error = { code, message, data };
  const [first = id, ...more] = ids;
  const answer = more.length === 0 ? { jsonrpc: '2.0', id: first, error } : ids.map((each) => ({ jsonrpc: '2.0', id: each, error }));
  const body = JSON.stringify(answer);
  response.writeHead(status, { 'content-type': 'application/json', vary: 'Origin', ...headers }).end(body);
  // Reads and drops the rest of the body, so that the connection can be used again.
  request.resume();
}
