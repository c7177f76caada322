import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallerIssuer, type HttpRoute, type Kernel, type Logger, toUrl } from '../../../../../kernel/index.ts';
import { RouteServer } from '../../../../shared/http/routes/route-server.ts';
import { reachableOrigin } from '../../../../shared/http/server/http-server.ts';
import type { RequestEdge } from '../edge/request-edge.ts';
import { findPluginRoute, isOwnPath } from './own-paths.ts';

export interface PluginRoutesOptions {
  readonly kernel: Pick<Kernel, 'httpRoutes' | 'closing'>;
  readonly logger: Logger;
  readonly edge: Pick<RequestEdge, 'refuse'>;
  /** URL of the server for its clients. @default the address that it listens on */
  readonly publicUrl: string | undefined;
  /** Asked for each page: a file of tokens may be loaded again. */
  readonly hasSeveralCallers: () => boolean;
  /** Issuers of the access tokens that the server accepts. @default none */
  readonly issuers?: readonly CallerIssuer[];
}

/** Routes of plugins on the MCP server. */
export class PluginRoutes {
  readonly #options: PluginRoutesOptions;
  readonly #server: RouteServer;
  #ownOrigin = '';

  constructor(options: PluginRoutesOptions) {
    this.#options = options;
    const { kernel, logger, edge } = options;
    for (const { path } of kernel.httpRoutes.routes)
      if (isOwnPath(path)) logger.warn(`a plugin adds the route "${path}", which is the server's own: it is not served`);
    this.#server = new RouteServer({
      logger,
      closing: kernel.closing,
      ownOrigin: () => this.#ownOrigin,
      originAdvice: 'behind a proxy, "resource" must be the URL that browsers use',
      refused: (request, refusal) => edge.refuse(request, refusal),
    });
  }

  /** Reports the address to the plugins. `url`: the address that the server listens on. */
  open(url: string): void {
    const { kernel, publicUrl, hasSeveralCallers, issuers = [] } = this.#options;
    this.#ownOrigin = publicUrl === undefined ? reachableOrigin(url) : toUrl(publicUrl).origin;
    kernel.httpRoutes.serve({
      baseUrl: this.#ownOrigin,
      issuers,
      get hasSeveralCallers() {
        return hasSeveralCallers();
      },
    });
  }

  close(): void {
    this.#options.kernel.httpRoutes.serve(undefined);
  }

  /** Returns the route of a path; undefined where there is none. */
  find(path: string): HttpRoute | undefined {
    return findPluginRoute(this.#options.kernel.httpRoutes.routes, path);
  }

  /** Resolves when every request so far has its response or its stream, or has lost its connection. */
  answered(): Promise<void> {
    return this.#server.answered();
  }

  /** Answers a request, whose Host has been checked, also with its failure. */
  answer(route: HttpRoute, request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#server.answer(route, request, response);
  }
}
