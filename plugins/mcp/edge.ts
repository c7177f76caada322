import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { isPlainObject } from '../../kernel/index.ts';
import { anyOf } from './wildcard.ts';

export interface EdgeOptions {
  /** Who may come in: the name is the caller. */
  readonly tokens: readonly { readonly name: string; readonly token: string }[];
  /** Host names beside loopback; `*` stands for any characters. */
  readonly allowedHosts: readonly string[];
  /** Origins beside loopback; `*` stands for any characters. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
}

/** Why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC error code. @default -32000 */
  readonly code?: number;
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** What every request must pass before a session sees it, in the order of the methods. */
export class Edge {
  readonly #tokens: readonly { readonly name: string; readonly digest: Buffer }[];
  readonly #isHost: (name: string) => boolean;
  readonly #isOrigin: (origin: string) => boolean;
  readonly #maxBodyBytes: number;

  constructor({ tokens, allowedHosts, allowedOrigins, maxBodyBytes }: EdgeOptions) {
    this.#tokens = tokens.map(({ name, token }) => ({ name, digest: digest(token) }));
    this.#isHost = anyOf([...loopbackHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
    this.#isOrigin = anyOf(allowedOrigins);
    this.#maxBodyBytes = maxBodyBytes;
  }

  /** Host and Origin against DNS rebinding (MCP, Streamable HTTP, Security): Host must be loopback or listed; Origin absent, loopback or listed. */
  checkOrigin({ headers: { host, origin } }: IncomingMessage): Refusal | undefined {
    const name = hostName(host ?? '');
    if (!this.#isHost(name)) return { status: 403, message: `Host "${name.slice(0, 100)}" is not allowed. Add it to allowedHosts.` };
    if (origin === undefined || isLoopbackOrigin(origin) || (origin !== 'null' && this.#isOrigin(origin))) return undefined;
    return { status: 403, message: `Origin "${origin.slice(0, 100)}" is not allowed. Add it to allowedOrigins.` };
  }

  /** RFC 6750, 2.1 and 3. The name of the caller; every token is compared, in the same time whether it fits or not. */
  callerOf({ headers: { authorization = '' } }: IncomingMessage): string | Refusal {
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    const wanted = digest(given ?? '');
    const found = this.#tokens.filter((token) => timingSafeEqual(token.digest, wanted))[0];
    if (given !== undefined && found !== undefined) return found.name;
    return {
      status: 401,
      message: given === undefined ? 'A bearer token is required: send "Authorization: Bearer <token>".' : 'The bearer token is wrong.',
      headers: { 'www-authenticate': given === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    };
  }

  /** The version of the protocol may be absent (MCP, Transports, Protocol Version Header); which of the known ones it is does not matter. */
  checkVersion({ headers }: IncomingMessage): Refusal | undefined {
    const version = headers['mcp-protocol-version'];
    if (version === undefined || (typeof version === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(version))) return undefined;
    const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
    return { status: 400, message: `MCP-Protocol-Version "${String(version).slice(0, 100)}" is not supported. Expected one of ${known}.` };
  }

  /** What a client sends and takes (MCP, Streamable HTTP, Sending Messages). */
  checkMedia({ method, headers }: IncomingMessage): Refusal | undefined {
    const { accept = '', 'content-type': contentType = '' } = headers;
    const wanted = method === 'POST' ? ['application/json', 'text/event-stream'] : method === 'GET' ? ['text/event-stream'] : [];
    if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(contentType))
      return { status: 415, message: `Content-Type must be application/json, received "${contentType.slice(0, 100)}".` };
    if (wanted.every((type) => accept.toLowerCase().includes(type))) return undefined;
    return { status: 406, message: `Accept must name ${wanted.join(' and ')}, received "${accept.slice(0, 100)}".` };
  }

  /**
   * The body as one JSON-RPC message, or why it is not one. A body over the limit is read to its end and dropped, because a client that
   * is cut off while it sends never sees the answer; one that goes on for too long is cut off all the same.
   */
  async readMessage(request: IncomingMessage): Promise<{ message: Readonly<Record<string, unknown>> } | Refusal> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= this.#maxBodyBytes) chunks.push(chunk);
      if (size > this.#maxBodyBytes * 16) request.destroy();
    }
    if (size > this.#maxBodyBytes)
      return { status: 413, message: `The body has ${size} bytes; at most ${this.#maxBodyBytes} are taken.`, code: -32600 };
    let message: unknown;
    try {
      message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    } catch {
      return { status: 400, message: 'The body is not valid JSON.', code: -32700 };
    }
    if (Array.isArray(message)) return { status: 400, message: 'Batches are not supported: send one message.', code: -32600 };
    if (isPlainObject(message) && message['jsonrpc'] === '2.0') return { message };
    return { status: 400, message: 'The body is not a JSON-RPC 2.0 message: expected an object with "jsonrpc": "2.0".', code: -32600 };
  }
}

/** Without the port, in the form of URLs. */
function hostName(host: string): string {
  const url = `http://${host}`;
  return /[/?#@\\\s]/.test(host) || !URL.canParse(url) ? host : new URL(url).hostname;
}

function isLoopbackOrigin(origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).origin === origin && loopbackHosts.includes(new URL(origin).hostname);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
