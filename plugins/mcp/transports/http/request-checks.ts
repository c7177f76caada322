import { isUtf8 } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasMoreEntries, parseUrl, textExcess, toUrl } from '../../../../kernel/index.ts';
import { anyOf } from '../../../shared/exposure/wildcard.ts';
import { messageProblem } from '../../protocol/envelope.ts';
import { protocolVersions } from '../../protocol/messages.ts';
import { readMessage } from '../../protocol/read-message.ts';
import type { Authorization } from './authorization/authorization.ts';
import type { HttpRefusal } from './http-refusal.ts';
import { type AcceptedToken, digest, tokenDigest } from './tokens/accepted-token.ts';
import type { GoneToken } from './tokens/token-news.ts';

export interface RequestCheckOptions {
  /** Who may come in: the name is the caller. */
  readonly tokens: readonly AcceptedToken[];
  /** Host names beside loopback; `*` stands for any characters. */
  readonly allowedHosts: readonly string[];
  /** Origins beside loopback; `*` stands for any characters. */
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** Where access tokens of issuers open the server as well. */
  readonly authorization?: Authorization;
}

/** Members and items of the params of one message, without the arguments of a call: the protocol has use for a few. */
const maxBeside = 1000;

const twoHosts: HttpRefusal = { status: 400, message: 'The request has more than one Host header (RFC 9112, 3.2).' };

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

interface KnownToken {
  readonly name: string;
  readonly digest: Buffer;
  readonly isOperator: boolean;
}

/** What every request must pass before a session sees it. `Endpoint` calls the methods in their order here. */
export class RequestChecks {
  #tokens: readonly KnownToken[];
  readonly #isHost: (name: string) => boolean;
  readonly #isOrigin: (origin: string) => boolean;
  readonly #maxBodyBytes: number;
  readonly #authorization: Authorization | undefined;
  /** The last Host header that was allowed: clients send the same one with each request. */
  #knownHost: string | undefined;

  constructor({ tokens, allowedHosts, allowedOrigins, maxBodyBytes, authorization }: RequestCheckOptions) {
    this.#tokens = known(tokens);
    this.#isHost = anyOf([...loopbackHosts, ...allowedHosts.map((host) => host.toLowerCase())]);
    this.#isOrigin = anyOf(allowedOrigins);
    this.#maxBodyBytes = maxBodyBytes;
    this.#authorization = authorization;
  }

  /** Takes these tokens from now on, and returns those that it took until now. */
  useTokens(tokens: readonly AcceptedToken[]): readonly GoneToken[] {
    const now = known(tokens);
    return this.#keep(now, ({ name, digest: own }) => now.some((token) => token.name === name && token.digest.equals(own)));
  }

  /** Takes these no longer, and returns those of them that it took. */
  dropTokens(gone: readonly GoneToken[]): readonly GoneToken[] {
    const isKept = ({ name, digest: own }: KnownToken): boolean =>
      !gone.some((token) => token.name === name && token.sha256 === own.toString('hex'));
    return this.#keep(this.#tokens.filter(isKept), isKept);
  }

  #keep(tokens: readonly KnownToken[], isKept: (token: KnownToken) => boolean): readonly GoneToken[] {
    const gone = this.#tokens.filter((token) => !isKept(token));
    this.#tokens = tokens;
    return gone.map(({ name, digest: own }) => ({ name, sha256: own.toString('hex') }));
  }

  /** Host and Origin against DNS rebinding (MCP, Streamable HTTP, Security): Host must be loopback or listed; Origin absent, loopback or listed. */
  checkOrigin({ rawHeaders, url, headers: { host, origin } }: IncomingMessage): HttpRefusal | undefined {
    if (hasTwoHosts(rawHeaders)) return twoHosts;
    // RFC 9112, 3.2.2: a target in absolute form counts, and the header does not.
    const named = absoluteTarget(url)?.host ?? host ?? '';
    if (named !== this.#knownHost) {
      const name = hostName(named);
      if (!this.#isHost(name))
        return {
          status: 403,
          reason: 'host',
          message: `Host "${(name === '' ? (host ?? '') : name).slice(0, 100)}" is not allowed. Add it to allowedHosts.`,
        };
      this.#knownHost = named;
    }
    return this.#checkPage(origin);
  }

  /** Of a probe the same, but that any Host will do: probes name the address that they call, and learn nothing by it. */
  checkProbe({ rawHeaders, headers: { origin } }: IncomingMessage): HttpRefusal | undefined {
    return hasTwoHosts(rawHeaders) ? twoHosts : this.#checkPage(origin);
  }

  #checkPage(origin: string | undefined): HttpRefusal | undefined {
    if (origin === undefined || (isOrigin(origin) && (isLoopback(origin) || this.#isOrigin(origin)))) return undefined;
    return { status: 403, reason: 'origin', message: `Origin "${origin.slice(0, 100)}" is not allowed. Add it to allowedOrigins.` };
  }

  /** The name of the caller (RFC 6750, 2.1 and 3). A promise for a token of an issuer alone. */
  callerOf(request: IncomingMessage): string | HttpRefusal | Promise<string | HttpRefusal> {
    const sent = bearer(request.headers.authorization ?? '');
    const match = this.#tokenOf(sent);
    if (match !== undefined) return match.name;
    if (this.#authorization !== undefined) return this.#authorization.callerOf(request, sent);
    return {
      status: 401,
      message: sent === undefined ? 'A bearer token is required: send "Authorization: Bearer <token>".' : 'The bearer token is wrong.',
      headers: { 'www-authenticate': sent === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    };
  }

  /** Whether the token of the request is one that may see how the server is doing. */
  isOperator({ headers: { authorization = '' } }: IncomingMessage): boolean {
    return this.#tokenOf(bearer(authorization))?.isOperator === true;
  }

  /** Every token is compared, in the same time whether it is right or not. */
  #tokenOf(sent: string | undefined) {
    const sentDigest = digest(sent ?? '');
    const match = this.#tokens.filter((token) => timingSafeEqual(token.digest, sentDigest))[0];
    return sent === undefined ? undefined : match;
  }

  /** The media types that a client sends and accepts (MCP, Streamable HTTP, Sending Messages). */
  checkMedia({ method, headers }: IncomingMessage): HttpRefusal | undefined {
    const { accept = '', 'content-type': contentType = '' } = headers;
    const needed = method === 'POST' ? ['application/json', 'text/event-stream'] : method === 'GET' ? ['text/event-stream'] : [];
    if (method === 'POST' && !/^application\/json\s*(;|$)/i.test(contentType))
      return { status: 415, message: `Content-Type must be application/json, received "${contentType.slice(0, 100)}".` };
    if (needed.every((type) => accept.toLowerCase().includes(type))) return undefined;
    return { status: 406, message: `Accept must name ${needed.join(' and ')}, received "${accept.slice(0, 100)}".` };
  }

  /** The version may be absent, or any that is known, whatever `initialize` agreed on (MCP, Transports, Protocol Version Header). */
  checkVersion({ headers }: IncomingMessage): HttpRefusal | undefined {
    const version = headers['mcp-protocol-version'];
    if (version === undefined || (typeof version === 'string' && protocolVersions.includes(version))) return undefined;
    const known = protocolVersions.join(', ');
    return { status: 400, message: `MCP-Protocol-Version "${String(version).slice(0, 100)}" is not supported. Expected one of ${known}.` };
  }

  /**
   * The body as one JSON-RPC message, or why it is not one. A body over the limit is read to its end and dropped, because a client that
   * is cut off while it sends never sees the answer; one that goes on for too long is cut off all the same.
   */
  async readMessage(request: IncomingMessage): Promise<{ message: Readonly<Record<string, unknown>> } | HttpRefusal> {
    const { chunks, size } = await this.#read(request);
    if (size > this.#maxBodyBytes)
      return { status: 413, message: `The body has ${size} bytes; at most ${this.#maxBodyBytes} are taken.`, code: -32600 };
    const [first] = chunks;
    const body = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
    const excess = textExcess(body);
    if (excess !== undefined)
      return { status: 413, message: `The body was not read: it holds ${excess}. Send less at once.`, code: -32600 };
    const message = parse(body);
    if (message === undefined) return { status: 400, message: 'The body is not valid JSON in UTF-8.', code: -32700 };
    if (Array.isArray(message)) return { status: 400, message: 'Batches are not supported: send one message.', code: -32600 };
    const problem = messageProblem(message);
    if (problem !== undefined) return { status: 400, message: `The body is not a JSON-RPC 2.0 message: ${problem}.`, code: -32600 };
    const known = message as Readonly<Record<string, unknown>>;
    if (!hasMoreEntries(besideArguments(known), maxBeside)) return { message: known };
    return {
      status: 413,
      message: `The message was not taken: beside the arguments of a call, it holds more than ${maxBeside} members and items. Send less at once.`,
      code: -32600,
    };
  }

  /** What fits, and how much there was. Rejects when the client goes away in the middle of it. */
  #read(request: IncomingMessage): Promise<{ readonly chunks: readonly Buffer[]; readonly size: number }> {
    const chunks: Buffer[] = [];
    let size = 0;
    return new Promise((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= this.#maxBodyBytes) chunks.push(chunk);
        if (size > this.#maxBodyBytes * 16) request.destroy();
      });
      request.once('end', () => resolve({ chunks, size }));
      request.once('error', reject);
      request.once('close', () => reject(new Error('The client went away in the middle of its request.')));
    });
  }
}

function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count > 1;
}

function bearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Without the port, in the form of URLs. */
function hostName(host: string): string {
  return /[/?#@\\\s*]/.test(host) ? '' : (parseUrl(`http://${host}`)?.hostname ?? '');
}

/** The target of a request as a URL, if it is written in absolute form; undefined for a mere path. */
export function absoluteTarget(target: string | undefined): URL | undefined {
  return target !== undefined && /^https?:\/\//i.test(target) ? parseUrl(target) : undefined;
}

/** Scheme, host and port, and nothing else (RFC 6454, 7). */
function isOrigin(origin: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s*]+$/.test(origin) && parseUrl(origin) !== undefined;
}

/** Of a web page; an origin of another scheme counts only when it is listed. */
function isLoopback(origin: string): boolean {
  const { protocol, hostname } = toUrl(origin);
  return ['http:', 'https:'].includes(protocol) && loopbackHosts.includes(hostname);
}

function parse(body: Buffer): unknown {
  try {
    return isUtf8(body) ? readMessage(body.toString('utf8')) : undefined;
  } catch {
    return undefined;
  }
}

/** What the protocol reads of a request. The arguments of a call, and what a client answers, are checked where they are used. */
function besideArguments({ method, params = {} }: Readonly<Record<string, unknown>>): unknown {
  if (method !== 'tools/call') return method === undefined ? undefined : params;
  const { arguments: _, ...rest } = params as Readonly<Record<string, unknown>>;
  return rest;
}

/** The only token is the operator's. */
function known(tokens: readonly AcceptedToken[]): readonly KnownToken[] {
  return tokens.map((token) => ({ name: token.name, digest: tokenDigest(token), isOperator: token.operator ?? tokens.length === 1 }));
}
