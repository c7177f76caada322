import type { MaybePromise } from '../time/maybe-promise.ts';

/** A request to a route, after the server has checked Host and Origin. */
export interface HttpRouteRequest {
  readonly method: 'GET' | 'POST';
  /** The path as it was sent, still encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Request headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The fields of a form; empty without a body. */
  readonly form: URLSearchParams;
  /** The body as it was sent, byte order mark included. Only for a route with `body: 'json'`. */
  readonly text?: string;
  /** Address of the client, for logs. */
  readonly address: string;
  /** Aborts when the client is gone, and after 30 seconds without an answer, when the server answers 503. The 30 seconds end where a stream begins. */
  readonly signal: AbortSignal;
}

/**
 * Response of a route. Its headers go over those of the server: `content-type: text/plain; charset=utf-8`, `cache-control: no-store`,
 * `referrer-policy: same-origin`, `x-content-type-options: nosniff`, and a `content-security-policy` without scripts, foreign resources and frames, whose
 * forms lead to this server only. Where the answer to a form redirects elsewhere, the policy of the page with the form must name that origin in
 * `form-action`: browsers apply it to redirects too.
 */
export interface HttpRouteResponse {
  /** 200 to 599. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The text, the bytes, or a stream of texts, such as server-sent events. The status and the headers of a stream are sent at once, then each text as it comes; the
   * server takes the next one when the client has room for it. The iterator's `return` is called when the client is gone and when the server stops; a
   * generator that waits for something must also stop waiting when `signal` aborts, which happens then. On throw: logged, and the connection breaks, so
   * that the client sees no complete answer. A server has 50 streams at most; further ones are answered 503. @default ''
   */
  readonly body?: string | Uint8Array | AsyncIterable<string>;
}

/** Pages of a plugin on the HTTP server. */
export interface HttpRoute {
  /**
   * The path, with a `/` at its end also every path below it; the longest match counts. A path of the server itself, such as `/health`, stays the
   * server's.
   */
  readonly path: string;
  /** @default ['GET'] */
  readonly methods?: readonly ('GET' | 'POST')[];
  /**
   * The body of a POST. `form`: from a page of this server. `json`: UTF-8 from a program, in `text`, unparsed and unchecked, so that a
   * signature over it can be checked; pages of other sites cannot send it. @default 'form'
   */
  readonly body?: 'form' | 'json';
  /** Maximum size of the body of a POST in bytes, 1 to 4194304 (4 MiB); a longer one is answered 413. @default 65536 */
  readonly maxBodyBytes?: number;
  /**
   * Requests that reach the route. `anyone`: all, so that it authenticates them itself. `operator`: those with the bearer token of an operator; the
   * server answers others as it answers them on its own paths. @default 'anyone'
   */
  readonly access?: 'anyone' | 'operator';
  /** Answers a request. On throw: logged, and the answer is a plain 500. */
  handle(request: HttpRouteRequest): MaybePromise<HttpRouteResponse>;
}

/** An authorization server by whose access tokens the server names its callers. */
export interface CallerIssuer {
  /** Its identifier (RFC 8414, 2). */
  readonly issuer: string;
  /** Returns the caller that a subject (`sub`) of this issuer is. */
  callerOf(subject: string): string;
  /** Returns true for a caller that a subject of this issuer can be; false for a client without a person. */
  mayBe(caller: string): boolean;
}

/** The server as the plugin of a route sees it. */
export interface HttpRouteAccess {
  /** Returns the public origin of the server, such as `https://tools.example`, or the address that it listens on; undefined while no HTTP server runs in this process. */
  baseUrl(): string | undefined;
  /** True when the server accepts several callers: a browser that opens a page may belong to any of them. */
  hasSeveralCallers(): boolean;
  /** Returns the authorization servers whose access tokens name callers; none while no HTTP server runs in this process. */
  issuers(): readonly CallerIssuer[];
}

/** The routes of all plugins, for the host that serves HTTP. */
export interface HttpRoutes {
  readonly routes: readonly HttpRoute[];
  /** Reports the running server to the plugins; undefined when it has stopped. */
  serve(
    server: { readonly baseUrl: string; readonly hasSeveralCallers: boolean; readonly issuers?: readonly CallerIssuer[] } | undefined,
  ): void;
}
