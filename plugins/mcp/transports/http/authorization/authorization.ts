import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPlainObject, type Kernel, type Logger, ToolkitError } from '../../../../../kernel/index.ts';
import { callReadTool } from '../../../../shared/exposure/call-read-tool.ts';
import type { RequestId } from '../../../../shared/json-rpc/message.ts';
import { resourceMetadataUrl } from '../../../../shared/oauth/well-known.ts';
import type { HttpRefusal } from '../reply.ts';
import { AccessTokens, type TrustedIssuer } from './access-tokens.ts';
import { grantOf, keepGrant } from './grant.ts';
import type { ScopeOptions } from './options.ts';
import { isMetadataPath, sendMetadata } from './resource-metadata.ts';
import { ToolScopes } from './tool-scopes.ts';

export interface AuthorizationSettings {
  readonly issuers: readonly TrustedIssuer[];
  /** URL of this server as a resource. @default the address that the server listens on */
  readonly resource?: string | undefined;
  readonly scopes?: ScopeOptions | undefined;
  readonly kernel: Kernel;
  readonly logger: Logger;
}

/** Tools that call another tool, which their argument `name` names. */
const toolsThatCall: ReadonlySet<string> = new Set(['toolkit_call_tool', callReadTool.name]);

/** This server as a resource server (OAuth 2.1, 5; RFC 9728; MCP, Authorization). Identifies callers by access token and checks scopes. */
export class Authorization {
  readonly #settings: AuthorizationSettings;
  readonly #tokens: AccessTokens;
  readonly #needs: ToolScopes;
  #resource: string;
  /** Message of the last failed check: the same failure is logged once. */
  #lastFailure: string | undefined;

  constructor(settings: AuthorizationSettings) {
    this.#settings = settings;
    this.#tokens = new AccessTokens(settings.issuers);
    this.#needs = new ToolScopes(settings.scopes);
    this.#resource = settings.resource ?? '';
  }

  /** Sets the URL of the server once it listens. */
  setUrl(url: string): void {
    if (this.#resource === '') this.#resource = url;
  }

  /** Secrets to mask. */
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

  /** Returns the caller of the request's access token, and stores the grant on the request. */
  callerOf(request: IncomingMessage, token: string | undefined): HttpRefusal | Promise<string | HttpRefusal> {
    if (token !== undefined) return this.#checked(request, token);
    const message = 'A bearer token is required: send "Authorization: Bearer <token>".';
    return { status: 401, message, headers: { 'www-authenticate': this.#challenge({}, this.#needs.initialScopes) } };
  }

  /**
   * Returns the refusal of a message whose token lacks a scope (MCP, Scope Challenge Handling). Runs before a stream begins, so that
   * the client can obtain the scope and send the message again.
   */
  scopeRefusal(request: IncomingMessage, { id, method, params }: Readonly<Record<string, unknown>>): HttpRefusal | undefined {
    const grant = grantOf(request);
    if (grant === undefined || method !== 'tools/call' || !isPlainObject(params)) return undefined;
    const { registry } = this.#settings.kernel;
    const tools = namedTools(params).flatMap((name) => registry.tools.get(name) ?? []);
    if (tools.every((tool) => this.#needs.isAllowed(tool, grant.scopes))) return undefined;
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
      this.#lastFailure = undefined;
      keepGrant(request, grant);
      return grant.caller;
    } catch (error) {
      if (!ToolkitError.is(error)) throw error;
      if (error.code === 'AUTH_FAILED') return this.#invalid(error.message);
      return this.#uncheckable(error);
    }
  }

  #invalid(message: string): HttpRefusal {
    const header = this.#challenge({ error: 'invalid_token', error_description: message }, this.#needs.initialScopes);
    return { status: 401, message, headers: { 'www-authenticate': header } };
  }

  /** Not 401: a client would discard a token that may be valid, and send its user to an issuer that does not respond. */
  #uncheckable({ code, message, details }: ToolkitError): HttpRefusal {
    if (this.#lastFailure !== message) this.#settings.logger.warn(`access tokens cannot be checked: ${message}`, { code });
    this.#lastFailure = message;
    const retryAfter = String(Math.ceil((details.retryAfterMs ?? 5000) / 1000));
    return { status: 503, message: 'The token cannot be checked at the moment. Try again.', headers: { 'retry-after': retryAfter } };
  }

  #challenge(parameters: Readonly<Record<string, string>>, scopes: readonly string[]): string {
    const scope = scopes.length === 0 ? undefined : scopes.join(' ');
    return challenge({ ...parameters, scope, resource_metadata: resourceMetadataUrl(this.#resource) });
  }
}

/** Returns the names of the tools in a call: the called tool, and the tool that it calls in turn. */
function namedTools({ name, arguments: callArguments }: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = typeof name === 'string' && toolsThatCall.has(name) && isPlainObject(callArguments) ? callArguments['name'] : undefined;
  return [name, inner].filter((one) => typeof one === 'string');
}

/** Returns the header `WWW-Authenticate` of a refusal (RFC 6750, 3; RFC 9728, 5.1). Leaves out undefined parameters. */
function challenge(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((parameter): parameter is [string, string] => parameter[1] !== undefined);
  return `Bearer ${given.map(([name, value]) => `${name}="${value.replace(/[^ !#-[\]-~]/g, '?')}"`).join(', ')}`.trim();
}
