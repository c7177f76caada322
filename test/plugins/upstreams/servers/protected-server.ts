import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpFixture, httpServer } from './over-http.ts';

/** A token that the server takes. */
export interface ServerToken {
  readonly scopes: readonly string[];
}

export interface ProtectedServer extends HttpFixture {
  readonly origin: string;
  /** The tokens that it takes. */
  readonly tokens: Map<string, ServerToken>;
  /** Its metadata (RFC 9728), under the well-known path. Undefined: it has none. */
  metadata: Readonly<Record<string, unknown>> | undefined;
  /** The address of its metadata in challenges. @default the well-known path */
  metadataUrl: string | undefined;
  /** Other documents, by path. */
  readonly documents: Map<string, Readonly<Record<string, unknown>>>;
  /** Tools whose calls it takes, and then ends the connection without an answer. */
  readonly cuts: Set<string>;
  /** The scope that a tool needs. */
  readonly scopeOf: Map<string, string>;
  /** Tokens of the requests to its endpoint, in order; empty for a request without one. */
  readonly sent: readonly string[];
}

const path = '/mcp';
const wellKnown = `/.well-known/oauth-protected-resource${path}`;

export interface ProtectedOptions {
  /** The authorization server of its metadata. */
  readonly issuer?: string;
  /** Scopes of its metadata and its challenges. @default read */
  readonly scopes?: readonly string[];
  /** Finds a token of an authorization server. */
  readonly find?: (token: string) => Promise<ServerToken | undefined>;
}

/** An MCP server that takes access tokens alone, closed after the file. */
export async function protectedServer(
  kind: 'legacy' | 'modern',
  { issuer, scopes = ['read'], find = async () => undefined }: ProtectedOptions = {},
): Promise<ProtectedServer> {
  const tokens = new Map<string, ServerToken>();
  const scopeOf = new Map<string, string>();
  const documents: ProtectedServer['documents'] = new Map();
  const cuts = new Set<string>();
  const sent: string[] = [];
  const described: Pick<ProtectedServer, 'metadata' | 'metadataUrl'> = { metadata: undefined, metadataUrl: undefined };
  const challenge = (response: ServerResponse, status: number, more: string): true => {
    response.writeHead(status, { 'www-authenticate': `Bearer ${more}resource_metadata="${described.metadataUrl ?? ''}"` }).end();
    return true;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse, body: string): Promise<boolean> => {
    const { url = '' } = request;
    if (url !== path) {
      const document = url === wellKnown ? described.metadata : documents.get(url);
      if (document === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
      return true;
    }
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    sent.push(token);
    const known = tokens.get(token) ?? (await find(token));
    if (known === undefined) return challenge(response, 401, `error="invalid_token", scope="${scopes.join(' ')}", `);
    const { method, params } =
      body === '' ? {} : (JSON.parse(body) as { readonly method?: string; readonly params?: { readonly name: string } });
    const tool = method === 'tools/call' ? (params?.name ?? '') : '';
    if (cuts.has(tool)) {
      request.socket.destroy();
      return true;
    }
    const needed = scopeOf.get(tool);
    if (needed !== undefined && !known.scopes.includes(needed))
      return challenge(response, 403, `error="insufficient_scope", scope="${needed}", `);
    return false;
  };
  const fixture = await httpServer(kind, { answer });
  const origin = new URL(fixture.url).origin;
  described.metadataUrl = `${origin}${wellKnown}`;
  described.metadata = { resource: fixture.url, authorization_servers: issuer === undefined ? [] : [issuer], scopes_supported: scopes };
  return Object.assign(described, fixture, { origin, tokens, documents, cuts, scopeOf, sent });
}
