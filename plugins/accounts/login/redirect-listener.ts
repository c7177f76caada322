import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { excerpt, type HttpRouteResponse, messageOf, parseUrl, ToolkitError, toUrl } from '../../../kernel/index.ts';
import { isEqual } from '../../shared/keys/equal-texts.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { endPage } from './end-page.ts';

/** The redirect that a listener waits for. */
export interface ExpectedRedirect {
  readonly state: string;
  /** Finishes the login, and returns the sentence of the last page. On throw: the page says that it failed, and the login ends. */
  finish(redirect: URLSearchParams): Promise<string>;
}

/**
 * Waits on this machine for the browser of a person who logs in (RFC 8252, 7.3). It answers requests to its own address alone, so that no web
 * page reaches it by a name of its own; a request without the state of the login changes nothing.
 */
export class RedirectListener {
  readonly redirectUri: string;
  readonly #server: Server;
  readonly #host: string;
  readonly #path: string;
  readonly #answering = new Set<ServerResponse>();
  #expected: ExpectedRedirect | undefined;
  #settle: ((error?: unknown) => void) | undefined;

  private constructor(server: Server, redirectUri: string) {
    const { host, pathname } = toUrl(redirectUri);
    this.#server = server;
    this.#host = host;
    this.#path = pathname;
    this.redirectUri = redirectUri;
    server.on('request', (request, response) => {
      this.#answering.add(response.once('close', () => this.#answering.delete(response)));
      void this.#answer(request, response);
    });
  }

  /**
   * Listens on 127.0.0.1: on a free port with the path `/callback`, or as `redirectUri` says, for providers that know one address alone. Throws
   * CONFIG_INVALID when its port is in use.
   */
  static async open(redirectUri?: string): Promise<RedirectListener> {
    const given = redirectUri === undefined ? undefined : toUrl(redirectUri);
    const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: 10_000 });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(given === undefined ? 0 : Number(given.port || 80), '127.0.0.1', resolve);
    }).catch((error: unknown) => {
      throw new ToolkitError(
        'CONFIG_INVALID',
        `Nothing can listen at ${excerpt(redirectUri ?? '127.0.0.1')} for the end of the login: ${excerpt(messageOf(error))}. End the program that uses the port, or paste the address: --no-browser.`,
        {},
        { cause: error },
      );
    });
    return new RedirectListener(server, redirectUri ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
  }

  /** Resolves when the login is finished, rejects when that failed or `signal` is aborted. Call it once. */
  wait(expected: ExpectedRedirect, signal: AbortSignal): Promise<void> {
    this.#expected = expected;
    return new Promise((resolve, reject) => {
      const abort = (): void => this.#settle?.(signal.reason);
      this.#settle = (error) => {
        this.#settle = undefined;
        signal.removeEventListener('abort', abort);
        if (error === undefined) resolve();
        else reject(error);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** Answers nothing more. A page on its way is sent first. */
  async close(): Promise<void> {
    this.#expected = undefined;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.all([...this.#answering].map((response) => once(response, 'close')));
    // Browsers open connections in advance. To Node one without a request is busy, not idle.
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number, text: string): void => send(response, endPage(status, 'Nothing was changed', text));
    // A name that an attacker points here (DNS rebinding).
    if (request.headers.host !== this.#host) return refuse(421, 'This address answers under its own name alone.');
    const url = parseUrl(request.url ?? '', `http://${this.#host}`);
    if (url === undefined || url.host !== this.#host || url.pathname !== this.#path) return refuse(404, 'There is no such page here.');
    if (request.method !== 'GET') return refuse(405, 'This page is opened by a browser after a login.');
    const expected = this.#expected;
    if (expected === undefined) return refuse(400, 'The login has ended already. To log in again, begin anew in the program that asked.');
    const state = url.searchParams.getAll('state');
    if (state.length !== 1 || !isEqual(state[0] ?? '', expected.state))
      return refuse(400, 'This answer belongs to another login. To log in again, begin anew in the program that asked.');
    // Counts once, whatever comes of it.
    this.#expected = undefined;
    try {
      send(response, endPage(200, 'Connected', await expected.finish(url.searchParams)), () => this.#settle?.());
    } catch (error) {
      const page = endPage(400, 'Not connected', visibleText(excerpt(messageOf(error))));
      send(response, page, () => this.#settle?.(error));
    }
  }
}

function send(response: ServerResponse, { status, headers, body }: HttpRouteResponse, onSent?: () => void): void {
  // A browser that has left must not keep the login open.
  if (onSent !== undefined) response.once('close', onSent);
  response.writeHead(status, { ...headers, connection: 'close' }).end(body);
}
