import { hash, randomUUID } from 'node:crypto';
import type { Request } from '../../../../protocol/messages.ts';

const keptMethods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** Whether a request sets something of its session. */
export function setsSomething({ method }: Pick<Request, 'method'>): boolean {
  return keptMethods.has(method);
}

/** The name of what such a request sets, or takes back. */
export function keptName(method: string, params: Request['params']): string {
  return method === 'logging/setLevel' ? 'level' : `subscription-${hash('sha256', String(params?.['uri']), 'base64url')}`;
}

/** What the client of a session has set, at whichever process: those of the requests that hold here. */
export class KeptRequests {
  readonly #requests: Map<string, Request>;

  constructor(requests: ReadonlyMap<string, Request> = new Map()) {
    this.#requests = new Map(requests);
  }

  /** URIs of the resources that the client has subscribed to. */
  get subscribed(): readonly string[] {
    return [...this.#requests.values()]
      .filter(({ method }) => method === 'resources/subscribe')
      .map(({ params }) => String(params?.['uri']));
  }

  /** The requests to make here so that all hold. */
  get all(): readonly Request[] {
    return [...this.#requests.values()].map(anew);
  }

  /** The client has made it here. */
  add(request: Request): void {
    const name = keptName(request.method, request.params);
    if (request.method === 'resources/unsubscribe') this.#requests.delete(name);
    else this.#requests.set(name, request);
  }

  /** The client has made it at another process. Gives the request to make here; undefined where that is known already. */
  change(name: string, request: Request | undefined): Request | undefined {
    const known = this.#requests.get(name);
    if (JSON.stringify(known?.params) === JSON.stringify(request?.params)) return undefined;
    if (request === undefined) this.#requests.delete(name);
    else this.#requests.set(name, request);
    return anew(request ?? { jsonrpc: '2.0', id: '', method: 'resources/unsubscribe', params: { uri: known?.params?.['uri'] } });
  }
}

/** Under an id that no client has, so that its answer goes nowhere. */
function anew(request: Request): Request {
  return { ...request, id: randomUUID() };
}
