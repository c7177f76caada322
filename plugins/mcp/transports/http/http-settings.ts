import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import path from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { isLoopback } from '../../../shared/http/loopback.ts';
import type { TlsMaterial } from '../../../shared/http/tls/material.ts';
import { tlsMaterial } from '../../../shared/http/tls/tls-material.ts';
import type { ProtocolOptions } from '../../protocol/clients/connection.ts';
import type { Authorization } from './authorization/authorization.ts';
import type { EdgeOptions } from './edge/request-edge.ts';
import type { HttpOptions } from './options.ts';
import type { HttpServerOptions } from './serve-http.ts';
import { type AcceptedToken, checkTokens } from './tokens/accepted-tokens.ts';
import { readTokensFile } from './tokens/read-tokens-file.ts';

export interface HttpSettings {
  readonly settings: Omit<HttpServerOptions, 'logger' | 'closing' | 'readiness' | 'edge' | 'routes'>;
  readonly edge: EdgeOptions;
  /** The token of the caller `default`; undefined where only `tokens` are configured. */
  readonly ownToken?: string;
  /** Generated token; set when no token is configured. */
  readonly generatedToken?: string;
  /** File of the self-signed certificate, for clients that should trust it. */
  readonly certificateFile?: string;
  /** Reads the current certificate; undefined for plain HTTP. Throws like `tlsMaterial`. */
  readonly readTls: () => Promise<TlsMaterial | undefined>;
  /** Reads all current tokens; undefined without a tokens file. Throws like `readTokensFile` and `checkTokens`. */
  readonly readTokens?: () => Promise<readonly AcceptedToken[]>;
  readonly warnings: readonly string[];
}

const maxBodyBytes = 4 * 1024 * 1024;

/** Returns the server's settings for these options. Throws CONFIG_INVALID for options that are impossible or unsafe. */
export async function httpSettings(
  options: HttpOptions,
  protocol: ProtocolOptions,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpSettings> {
  const { host = '127.0.0.1', port = 3000, tokens = [], allowedHosts = [], allowedOrigins = [], allowedHeaders = [] } = options;
  const configuredToken = options.mcpToken ?? (env['TOOLKIT_MCP_TOKEN'] || undefined);
  const isLocal = isLoopback(host);
  const { issuers = [] } = options;
  const { tokensFile } = options;
  const isOpen = configuredToken === undefined && tokens.length === 0 && tokensFile === undefined && issuers.length === 0;
  if (!isLocal && isOpen) throw unprotectedError(host);
  const generatedToken = isOpen ? randomUUID() : undefined;
  const ownToken = configuredToken ?? generatedToken;
  const own = ownToken === undefined ? [] : [{ name: 'default', token: ownToken }];
  const readTokens = async (): Promise<readonly AcceptedToken[]> => {
    const inFile = tokensFile === undefined ? [] : await readTokensFile(path.resolve(cwd, tokensFile));
    const all = [...own, ...tokens, ...inFile];
    checkTokens(all);
    return all;
  };
  const accepted = await readTokens();
  const authorization = await authorizationOf(options, host, protocol);
  const names = isLocal || isWildcard(host) ? [] : [host];
  const readTls = (): Promise<TlsMaterial | undefined> => tlsMaterial(options, { cwd, names });
  const tls = await readTls();
  return {
    settings: {
      port,
      host,
      allowedHeaders,
      stateless: options.stateless ?? false,
      maxBodyBytes,
      checks: {
        tokens: accepted,
        allowedHosts: [...names.map(hostInUrl), ...allowedHosts],
        allowedOrigins,
        ...(authorization === undefined ? {} : { authorization }),
      },
      sessions: {
        protocol,
        maxSessions: options.maxSessions ?? 1000,
        hasSeveralCallers: own.length + tokens.length > 1 || tokensFile !== undefined || issuers.length > 0,
        idleMs: options.sessionIdleMs ?? 30 * 60_000,
        resumeTimeoutMs: options.resumeTimeoutMs ?? 10_000,
      },
      ...(tls === undefined ? {} : { tls: { cert: tls.cert, key: tls.key } }),
    },
    edge: {
      maxUnauthenticated: options.maxUnauthenticated,
      proxies: checkedProxies(options.proxies ?? []),
      accessLog: accessLogOf(options, cwd),
    },
    ...(ownToken === undefined ? {} : { ownToken }),
    ...(generatedToken === undefined ? {} : { generatedToken }),
    ...(tls?.certificateFile === undefined ? {} : { certificateFile: tls.certificateFile }),
    readTls,
    ...(tokensFile === undefined ? {} : { readTokens }),
    warnings:
      isLocal || tls !== undefined
        ? []
        : [
            `the MCP server listens on ${host} without HTTPS: tokens and answers can be read on the way. Use --cert and --key, or a proxy that does`,
          ],
  };
}

/** Returns the authorization of issuers. Imported only for options that need it. */
async function authorizationOf(options: HttpOptions, host: string, protocol: ProtocolOptions): Promise<Authorization | undefined> {
  const { issuers, resource, scopes, tokens = [] } = options;
  if (issuers === undefined && resource === undefined && scopes === undefined) return undefined;
  const [{ authorizationSettings }, { Authorization: Made }] = await Promise.all([
    import('./authorization/authorization-settings.ts'),
    import('./authorization/authorization.ts'),
  ]);
  if (isWildcard(host) && resource === undefined)
    throw new ToolkitError(
      'CONFIG_INVALID',
      `The server listens on every address (${host}), so it does not know the URL that access tokens must be for. Give "resource", such as https://tools.example/mcp.`,
    );
  const settings = await authorizationSettings({ ...options, tokens }, protocol.catalog.kernel);
  return settings === undefined ? undefined : new Made(settings);
}

function unprotectedError(host: string): ToolkitError {
  return new ToolkitError(
    'CONFIG_INVALID',
    `The MCP server does not listen on ${host}, which other machines can reach, with a token that it made up itself. Set TOOLKIT_MCP_TOKEN (or --token), or leave --host out.`,
  );
}

/** Returns the absolute path of the access log, or `log`. */
export function accessLogOf({ accessLog }: Pick<HttpOptions, 'accessLog'>, cwd: string): string | undefined {
  return accessLog === undefined || accessLog === 'log' ? accessLog : path.resolve(cwd, accessLog);
}

function checkedProxies(proxies: readonly string[]): readonly string[] {
  const invalid = proxies.find((proxy) => {
    const [address = '', prefix, ...more] = proxy.split('/');
    const most = isIP(address) === 6 ? 128 : 32;
    return isIP(address) === 0 || more.length > 0 || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= most));
  });
  if (invalid === undefined) return proxies;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `"proxies" names "${excerpt(invalid)}": expected an IP address, or a network such as 10.0.0.0/8. Names are not looked up.`,
  );
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host.toLowerCase();
}
