import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { parseUrl, toUrl } from '../../../../kernel/index.ts';
import { anyOf } from '../../../shared/exposure/wildcard.ts';
import { checkSingleHost, HostCheck, loopbackHosts } from '../../../shared/http/host-check.ts';
import { sessionVersions } from '../../protocol/revisions.ts';
import type { Authorization } from './authorization/authorization.ts';
import type { HttpRefusal } from './reply.ts';
import { requestHeader } from './request-headers.ts';
import { type AcceptedToken, AcceptedTokens } from './tokens/accepted-tokens.ts';

export interface RequestCheckOptions {
  /** Accepted tokens. The name is the caller. */
  readonly tokens: readonly AcceptedToken[];
  /** Host names beside loopback; `*` stands for any characters. */
  readonly allowedHosts: readonly string[];
  /** Origins beside loopback; `*` stands for any characters. */
  readonly allowedOrigins: readonly string[];
  /** Authorization by access tokens of issuers, where configured. */
  readonly authorization?: Authorization;
}

/** Media types of responses. Responses are UTF-8, so a client that accepts UTF-8 accepts them. */
const mediaTypes = ['application/json', 'text/event-stream'] as const;
const acceptedTypes = mediaTypes.flatMap((type) => [type, `${type};charset=utf-8`]);

type MediaType = (typeof mediaTypes)[number];

/** Maximum number of cached Accept headers: clients send the same header with each request. */
const maxCachedHeaders = 100;

/** Possible media types of the response, by HTTP method. */
const answerTypes: ReadonlyMap<string, readonly MediaType[]> = new Map([
  ['POST', ['application/json', 'text/event-stream']],
  ['GET', ['text/event-stream']],
]);

/** Checks that run before a session sees the request. `Endpoint` calls the methods in the order of this class. */
export class RequestChecks {
  /** Checks Host against DNS rebinding (MCP, Streamable HTTP, Security). */
  readonly hosts: HostCheck;
  readonly tokens: AcceptedTokens;
  readonly #isOrigin: (origin: string) => boolean;
  readonly #authorization: Authorization | undefined;
  /** Accepted media types by Accept header. */
  readonly #accepted = new Map<string | undefined, readonly MediaType[]>();

  constructor({ tokens, allowedHosts, allowedOrigins, authorization }: RequestCheckOptions) {
    this.tokens = new AcceptedTokens(tokens);
    this.hosts = new HostCheck(allowedHosts);
    this.#isOrigin = anyOf(allowedOrigins);
    this.#authorization = authorization;
  }

  /** Checks a probe, which may name any Host: probes use the address that they call, and learn nothing from the response. */
  checkProbe(request: IncomingMessage): HttpRefusal | undefined {
    return checkSingleHost(request.rawHeaders) ?? this.checkOrigin(request);
  }

  /** Checks Origin against DNS rebinding in the same way: it must be absent, loopback or listed. */
  checkOrigin({ headers: { origin } }: IncomingMessage): HttpRefusal | undefined {
    if (origin === undefined || (isOrigin(origin) && (isLoopback(origin) || this.#isOrigin(origin)))) return undefined;
    return { status: 403, reason: 'origin', message: `Origin "${origin.slice(0, 100)}" is not allowed. Add it to allowedOrigins.` };
  }

  /** Returns the name of the caller (RFC 6750, 2.1 and 3). A promise only for an issuer's token. */
  callerOf(request: IncomingMessage): string | HttpRefusal | Promise<string | HttpRefusal> {
    const sent = bearer(requestHeader(request, 'authorization') ?? '');
    const match = this.tokens.find(sent);
    if (match !== undefined) return match.name;
    if (this.#authorization !== undefined) return this.#authorization.callerOf(request, sent);
    return {
      status: 401,
      message: sent === undefined ? 'A bearer token is required: send "Authorization: Bearer <token>".' : 'The bearer token is wrong.',
      headers: { 'www-authenticate': sent === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    };
  }

  /** Returns true when the request has an operator's token. */
  isOperator(request: IncomingMessage): boolean {
    return this.tokens.find(bearer(requestHeader(request, 'authorization') ?? ''))?.isOperator === true;
  }

  /** Checks the media types that the client sends and accepts (MCP, Streamable HTTP, Sending Messages). The body must not be encoded. */
  checkMedia(request: IncomingMessage): HttpRefusal | undefined {
    const needed = answerTypes.get(request.method ?? '') ?? [];
    return (request.method === 'POST' ? checkContent(request) : undefined) ?? this.#checkAccept(request, needed);
  }

  /** Checks the Accept header (RFC 9110, 12.5): wildcards count, `q=0` refuses, and a missing header accepts everything. */
  #checkAccept(request: IncomingMessage, needed: readonly MediaType[]): HttpRefusal | undefined {
    const accept = requestHeader(request, 'accept');
    const accepted = this.#accepted.get(accept) ?? this.#readAccept(accept);
    if (needed.every((type) => accepted.includes(type))) return undefined;
    return { status: 406, message: `Accept must take ${needed.join(' and ')}, received "${(accept ?? '').slice(0, 100)}".` };
  }

  #readAccept(accept: string | undefined): readonly MediaType[] {
    const accepted = new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaTypes(acceptedTypes);
    const found = mediaTypes.filter((type) => accepted.some((one) => one.startsWith(type)));
    if (this.#accepted.size >= maxCachedHeaders) this.#accepted.clear();
    this.#accepted.set(accept, found);
    return found;
  }

  /** Checks the version header. It may be absent, or any known version, whatever `initialize` agreed on (MCP, Protocol Version Header). */
  checkVersion(request: IncomingMessage): HttpRefusal | undefined {
    const version = requestHeader(request, 'mcp-protocol-version');
    if (version === undefined || sessionVersions.includes(version)) return undefined;
    const known = sessionVersions.join(', ');
    return { status: 400, message: `MCP-Protocol-Version "${version.slice(0, 100)}" is not supported. Expected one of ${known}.` };
  }
}

/** Refuses with 415 any body but unencoded JSON. The response names the accepted types (RFC 9110, 15.5.16). */
function checkContent(request: IncomingMessage): HttpRefusal | undefined {
  const contentType = requestHeader(request, 'content-type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    return { status: 415, message: `Content-Type must be application/json, received "${contentType.slice(0, 100)}".` };
  const encoding = requestHeader(request, 'content-encoding');
  if (encoding === undefined || encoding.split(',').every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase())))
    return undefined;
  return {
    status: 415,
    message: `The body must be sent as it is, received the Content-Encoding "${encoding.slice(0, 100)}".`,
    headers: { 'accept-encoding': 'identity' },
  };
}

function bearer(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Returns true for scheme, host and port, and nothing else (RFC 6454, 7). */
function isOrigin(origin: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\\s*]+$/.test(origin) && parseUrl(origin) !== undefined;
}

/** Returns true for a web page on loopback. An origin of another scheme must be listed. */
function isLoopback(origin: string): boolean {
  const { protocol, hostname } = toUrl(origin);
  return ['http:', 'https:'].includes(protocol) && loopbackHosts.includes(hostname);
}
