import type { Writable } from 'node:stream';
import { createLogger, type Logger, logFormatOf, messageOf, sentence } from '../../../../kernel/index.ts';
import { Readiness } from '../../../shared/health/readiness.ts';
import type { StartedTransport, TransportSettings } from '../transport.ts';
import { callerIssuer } from './authorization/caller-name.ts';
import { RequestEdge } from './edge/request-edge.ts';
import { httpSettings } from './http-settings.ts';
import type { HttpOptions } from './options.ts';
import type { PluginRoutes, PluginRoutesOptions } from './routes/routes.ts';
import { serveHttp } from './serve-http.ts';
import { TokensReload, type TokenUser } from './tokens/tokens-reload.ts';

/** Time that running calls have to end when the server stops, in milliseconds. */
const drainMs = 10_000;

/** Time that the server continues before it stops, in milliseconds, where other processes can replace it: proxies poll every few seconds. */
const sharedShutdownDelayMs = 5000;

/** Starts the server with these options, and prints its address. */
export async function startHttp({ api, options, protocol, output }: TransportSettings<HttpOptions>): Promise<StartedTransport> {
  const { kernel, logger, cwd, state } = api;
  const {
    settings,
    edge: edgeOptions,
    ownToken,
    generatedToken,
    certificateFile,
    readTls,
    readTokens,
    warnings,
  } = await httpSettings(options, protocol, cwd, process.env);
  // Sessions are signed. An unusable key ends the start, not the first session.
  protocol.keys.load();
  const maskToken = (token: string): void => api.maskAlso('MCP_TOKEN', token);
  for (const { token } of settings.checks.tokens) if (token !== undefined) maskToken(token);
  for (const secret of settings.checks.authorization?.secrets ?? []) api.maskAlso('MCP_CLIENT_SECRET', secret);
  if (settings.tls !== undefined) api.maskAlso('MCP_TLS_KEY', settings.tls.key);
  for (const warning of warnings) logger.warn(warning);
  const readiness = new Readiness(state, logger, { closing: kernel.closing });
  const edge = new RequestEdge(edgeOptions, kernel, logger);
  const issuers = (options.issuers ?? []).map(({ issuer }) => callerIssuer(issuer));
  let tokenCount = settings.checks.tokens.length;
  const hasSeveralCallers = (): boolean => issuers.length > 0 || tokenCount > 1;
  const routes = await routesOf({ kernel, logger, edge, publicUrl: options.resource, hasSeveralCallers, issuers });
  const server = await serveHttp({ ...settings, logger, readiness, edge, routes, closing: kernel.closing });
  const { url, status, answered } = server;
  const user: TokenUser = {
    useTokens(accepted) {
      tokenCount = accepted.length;
      return server.useTokens(accepted);
    },
    dropTokens: (gone) => server.dropTokens(gone),
  };
  const tokens = readTokens && new TokensReload({ read: readTokens, server: user, logger, maskAlso: maskToken, cluster: protocol.cluster });
  const leave = (): Promise<void> => server.leave(options.shutdownDelayMs ?? (state.isShared ? sharedShutdownDelayMs : 0));
  let served = settings.tls?.cert;
  writeStart({ url, generatedToken, certificateFile }, logger, output ?? process.stdout);
  return { url, drainMs, status, reload, leave, answered, stop, ...(ownToken === undefined ? {} : { token: ownToken }) };

  async function stop(): Promise<void> {
    tokens?.close();
    await server.stop();
  }

  async function reload(): Promise<void> {
    edge.reopen();
    await tokens?.reload();
    if (served === undefined) return;
    try {
      const renewed = await readTls();
      if (renewed === undefined || renewed.cert === served) return;
      api.maskAlso('MCP_TLS_KEY', renewed.key);
      server.useCertificate(renewed);
      served = renewed.cert;
      logger.info(`certificate loaded again: valid until ${new Date(renewed.expiresAt).toISOString()}`);
    } catch (error) {
      logger.error(`${sentence(messageOf(error))} The certificate that was loaded before stays in use.`);
    }
  }
}

/** Returns the routes of plugins; undefined without any. Imported only where there are some. */
async function routesOf(options: PluginRoutesOptions): Promise<PluginRoutes | undefined> {
  if (options.kernel.httpRoutes.routes.length === 0) return undefined;
  const { PluginRoutes: Made } = await import('./routes/routes.ts');
  return new Made(options);
}

interface ServerStart {
  readonly url: string;
  /** Generated token, if any. */
  readonly generatedToken?: string | undefined;
  /** Generated certificate, if any. */
  readonly certificateFile?: string | undefined;
}

/**
 * Prints the address and the generated token, whatever the log level and the mask, which would hide the token. With a JSON log the address
 * is a JSON record on standard error, and the token alone is one plain line on standard output.
 */
function writeStart({ url, generatedToken, certificateFile }: ServerStart, logger: Logger, output: Writable): void {
  const token = generatedToken === undefined ? [] : [`Token:      ${generatedToken}\n`];
  const certificate = certificateFile === undefined ? [] : [`Certificate: ${certificateFile} (clients must be told to trust it)`];
  if (logFormatOf(logger) !== 'json') {
    process.stderr.write(`MCP server: ${url}\n${token.join('')}${certificate.map((line) => `${line}\n`).join('')}`);
    return;
  }
  const records = createLogger({ format: 'json', env: {} });
  records.info(`MCP server: ${url}`, { url });
  for (const line of certificate) records.info(line, { certificateFile });
  for (const line of token) output.write(line);
}
