import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpRoute, type Kernel, type Logger, ToolkitError } from '../../../kernel/index.ts';
import { HostCheck, pathOf } from '../../shared/http/host-check.ts';
import type { RequestRefusal } from '../../shared/http/refusal.ts';
import { findRoute } from '../../shared/http/routes/find-route.ts';
import { sendRouteRefusal } from '../../shared/http/routes/route-reply.ts';
import { RouteServer } from '../../shared/http/routes/route-server.ts';
import {
  createHttpServer,
  flushServer,
  originOf,
  reachableOrigin,
  replaceCertificate,
  trackSockets,
} from '../../shared/http/server/http-server.ts';
import { listen } from '../../shared/http/server/listen.ts';
import { checkListenHost, type ListenerTls, ownNames, readListenerTls } from './listener-settings.ts';

export interface ListenerOptions {
  /** 0 takes a free one. */
  readonly port: number;
  /** Address to listen on. One that is not of loopback needs `tls`. */
  readonly host: string;
  /** @default plain HTTP */
  readonly tls?: ListenerTls | undefined;
  /** All that is served. None of them can have `access: 'operator'`: this server has no tokens. */
  readonly routes: readonly HttpRoute[];
  readonly kernel: Pick<Kernel, 'closing'>;
  readonly logger: Logger;
  /** Names in the Host header beside those of loopback and `host`; `*` stands for any characters. @default none */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Folder of relative files, and of `.toolkit/certs`. @default the working directory */
  readonly cwd?: string | undefined;
  /** Masks the key of the certificate in logs. */
  readonly maskAlso?: ((name: string, value: string) => void) | undefined;
}

export interface Listener {
  /** Origin of the server, such as `https://127.0.0.1:4000`; with the address of loopback where it listens on every address. */
  readonly url: string;
  /** File of the self-signed certificate, for clients that should trust it. */
  readonly certificateFile?: string;
  /** Reads the certificate again, for new connections. Throws as at the start; the present one stays in use then. */
  reload(): Promise<void>;
  /** Ends streams and connections. */
  close(): Promise<void>;
}

/** Connections at the same time; more are closed at once. */
const maxConnections = 200;

/** Serves these routes on an address of their own, and nothing else. Throws CONFIG_INVALID, and the errors of `tlsMaterial`. */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  const { port, host, tls, routes, kernel, logger, allowedHosts = [], cwd = process.cwd(), maskAlso } = options;
  checkListenHost(host, tls);
  refuseOperatorRoutes(routes);
  const material = await readListenerTls(host, tls, cwd);
  if (material !== undefined) maskAlso?.('CONSOLE_TLS_KEY', material.key);
  const hosts = new HostCheck([...ownNames(host).map(hostInUrl), ...allowedHosts]);
  const ending = new AbortController();
  let url = '';
  const server = createHttpServer(handle, material);
  server.maxConnections = maxConnections;
  const routeServer = new RouteServer({
    logger,
    closing: ending.signal,
    ownOrigin: () => url,
    originAdvice: 'its address is that of "listen" of console',
  });
  const sockets = trackSockets(server);
  const closed = new Promise<void>((resolve) => server.once('close', resolve));
  await listen(server, {
    port,
    host,
    failure: 'The console cannot listen',
    options: { port: '"listen.port" of console', host: '"listen.host" of console' },
  });
  url = reachableOrigin(originOf(server, host, material !== undefined));
  const stop = (): void => {
    ending.abort();
    server.close();
  };
  if (kernel.closing.aborted) stop();
  kernel.closing.addEventListener('abort', stop, { once: true });
  return {
    url,
    ...(material?.certificateFile === undefined ? {} : { certificateFile: material.certificateFile }),
    async reload() {
      const renewed = await readListenerTls(host, tls, cwd);
      if (renewed === undefined) return;
      maskAlso?.('CONSOLE_TLS_KEY', renewed.key);
      replaceCertificate(server, renewed);
    },
    async close() {
      kernel.closing.removeEventListener('abort', stop);
      stop();
      await flushServer(server, sockets, closed);
    },
  };

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal = hosts.check(request);
    const route = findRoute(routes, pathOf(request.url));
    if (refusal !== undefined || route === undefined) {
      refuse(request, response, refusal ?? nothingAt(routes));
      return;
    }
    routeServer.answer(route, request, response).catch((error: unknown) => {
      logger.error(`the page "${route.path}" failed`, { error });
      response.destroy();
    });
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: RequestRefusal): void {
  sendRouteRefusal(response, refusal);
  // Reads and drops the body, so that the connection can be used again.
  request.resume();
}

/** Names the first route: people open the origin alone. */
function nothingAt([first]: readonly HttpRoute[]): RequestRefusal {
  return { status: 404, message: first === undefined ? 'There is nothing here.' : `There is nothing here. Open ${first.path}.` };
}

function refuseOperatorRoutes(routes: readonly HttpRoute[]): void {
  const route = routes.find(({ access }) => access === 'operator');
  if (route === undefined) return;
  throw new ToolkitError(
    'PLUGIN_INVALID',
    `The route "${route.path}" is for the tokens of operators, and a listener of its own has no tokens. Serve it on the MCP server.`,
  );
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
