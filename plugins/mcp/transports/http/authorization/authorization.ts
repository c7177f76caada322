import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPlainObject, type Kernel, type Logger, ToolkitError } from '../../../../../kernel/index.ts';
import { callReadTool } from '../../../../shared/exposure/call-read-tool.ts';
import type { RequestId } from '../../../protocol/messages.ts';
import type { HttpRefusal } from '../http-refusal.ts';
import { AccessTokens, type TrustedIssuer } from './access-tokens.ts';
import { challenge } from './challenge.ts';
import { grantOf, keepGrant } from './grant.ts';
import type { ScopeOptions } from './options.ts';
import { isMetadataPath, metadataUrl, sendMetadata } from './resource-metadata.ts';
import { ToolScopes } from './tool-scopes.ts';

export interface AuthorizationSettings {
  readonly issuers: readonly TrustedIssuer[];
  /** @default where the server listens */
  readonly resource?: string | undefined;
  readonly scopes?: ScopeOptions | undefined;
  readonly kernel: Kernel;
  readonly logger: Logger;
}

/** Tools that call the tool which their argument `name` names. */
const callers: ReadonlySet<string> = new Set(['toolkit_call_tool', callReadTool.name]);

/** This server as a resource server (OAuth 2.1, 5; RFC 9728; MCP, Authorization): who comes in with a token of an issuer, and what for. */
export class Authorization {
  readonly #settings: AuthorizationSettings;
  readonly #tokens: AccessTokens;
  readonly #needs: ToolScopes;
  #resource: string;
  /** Why the last token could not be checked. */
  #failing: string | undefined;

  constructor(settings: AuthorizationSettings) {
    this.#settings = settings;
    this.#tokens = new AccessTokens(settings.issuers);
    this.#needs = new ToolScopes(settings.scopes);
    this.#resource = settings.resource ?? '';
  }

  /** Says where the server can be reached, once it listens. */
  listens(url: string): void {
    if (this.#resource === '') this.#resource = url;
  }

  /** Values that nothing may show. */
  get secrets(): readonly string[] {
    return this.#settings.issuers.flatMap(({ clientSecret }) => clientSecret ?? []);
  }

  isMetadataPath(path: string): boolean {
    return isMetadataPath(path, this.#resource);
  }

  sendMetadata(response: ServerResponse): void {
    const issuers = this.#settings.issuers.map(({ issuer }) => issuer);
    sendMetadata(response, { resource: this.#resource, issuers, scopes: this.#needs.all });
  }

  /** The caller whose access token a request brings; the request keeps what it allows. */
  callerOf(request: IncomingMessage, token: string | undefined): HttpRefusal | Promise<string | HttpRefusal> {
    if (token !== undefined) return this.#checked(request, token);
    const message = 'A bearer token is required: send "Authorization: Bearer <token>".';
    return { status: 401, message, headers: { 'www-authenticate': this.#challenge({}, this.#needs.first) } };
  }

  /**
   * Why a message is not taken whose sender lacks a scope (MCP, Scope Challenge Handling): before there is anything to stream, so that its client
   * can get the scope and send it again.
   */
  scopeRefusal(request: IncomingMessage, { id, method, params }: Readonly<Record<string, unknown>>): HttpRefusal | undefined {
    const grant = grantOf(request);
    if (grant === undefined || method !== 'tools/call' || !isPlainObject(params)) return undefined;
    const { registry } = this.#settings.kernel;
    const tools = namedTools(params).flatMap((name) => registry.tools.get(name) ?? []);
    if (tools.every((tool) => this.#needs.isOpen(tool, grant.scopes))) return undefined;
    const scopes = [...new Set(tools.flatMap((tool) => this.#needs.neededFor(tool)))];
    const message = `The access token lacks a scope: "${tools.at(-1)?.name}" needs ${scopes.join(' ')}.`;
    const header = this.#challenge({ error: 'insufficient_scope', error_description: message }, scopes);
    return {
      status: 403,
      reason: 'scope',
      message,
      headers: { 'www-authenticate': header },
      ...(id === undefined ? {} : { id: id as RequestId }),
    };
  }

  async #checked(request: IncomingMessage, token: string): Promise<string | HttpRefusal> {
    try {
      const grant = await this.#tokens.check(token, this.#resource);
      this.#failing = undefined;
      keepGrant(request, grant);
      return grant.caller;
    } catch (error) {
      if (!ToolkitError.is(error)) throw error;
      if (error.code === 'AUTH_FAILED') return this.#invalid(error.message);
      return this.#unknown(error);
    }
  }

  #invalid(message: string): HttpRefusal {
    const header = this.#challenge({ error: 'invalid_token', error_description: message }, this.#needs.first);
    return { status: 401, message, headers: { 'www-authenticate': header } };
  }

  /** Not 401, on which a client throws a token away that may well be good, and sends its person to an issuer that does not answer. */
  #unknown({ code, message, details }: ToolkitError): HttpRefusal {
    if (this.#failing !== message) this.#settings.logger.warn(`access tokens cannot be checked: ${message}`, { code });
    this.#failing = message;
    const retryAfter = String(Math.ceil((details.retryAfterMs ?? 5000) / 1000));
    return { status: 503, message: 'The token cannot be checked at the moment. Try again.', headers: { 'retry-after': retryAfter } };
  }

  #challenge(parameters: Readonly<Record<string, string>>, scopes: readonly string[]): string {
    const scope = scopes.length === 0 ? undefined : scopes.join(' ');
    return challenge({ ...parameters, scope, resource_metadata: metadataUrl(this.#resource) });
  }
}

/** The tools that a call is about: the one that is called, and the one that this calls. */
function namedTools({ name, arguments: given }: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = typeof name === 'string' && callers.has(name) && isPlainObject(given) ? given['name'] : undefined;
  return [name, inner].filter((one) => typeof one === 'string');
}
