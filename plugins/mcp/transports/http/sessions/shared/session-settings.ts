import { hash, randomUUID } from 'node:crypto';
import type { Request } from '../../../../../shared/json-rpc/message.ts';

const keptMethods: ReadonlySet<string> = new Set(['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe']);

/** Returns true for a request that changes a setting of its session. */
export function isSetting({ method }: Pick<Request, 'method'>): boolean {
  return keptMethods.has(method);
}

/** Returns the name of the setting that a request makes or removes. */
export function settingName(method: string, params: Request['params']): string {
  return method === 'logging/setLevel' ? 'level' : `subscription-${hash('sha256', String(params?.['uri']), 'base64url')}`;
}

/** Settings of a session's client, made at any process, as the requests that made them. */
export class SessionSettings {
  readonly #requests: Map<string, Request>;

  constructor(requests: ReadonlyMap<string, Request> = new Map()) {
    this.#requests = new Map(requests);
  }

  /** URIs of the client's resource subscriptions. */
  get subscribed(): readonly string[] {
    return [...this.#requests.values()]
      .filter(({ method }) => method === 'resources/subscribe')
      .map(({ params }) => String(params?.['uri']));
  }

  /** Requests to repeat here so that all settings hold. */
  get all(): readonly Request[] {
    return [...this.#requests.values()].map(withInternalId);
  }

  /** Records a request that the client made here. */
  add(request: Request): void {
    const name = settingName(request.method, request.params);
    if (request.method === 'resources/unsubscribe') this.#requests.delete(name);
    else this.#requests.set(name, request);
  }

  /** Records a change made at another process. Returns the request to repeat here; undefined when the setting is known already. */
  change(name: string, request: Request | undefined): Request | undefined {
    const known = this.#requests.get(name);
    if (JSON.stringify(known?.params) === JSON.stringify(request?.params)) return undefined;
    if (request === undefined) this.#requests.delete(name);
    else this.#requests.set(name, request);
    return withInternalId(request ?? { jsonrpc: '2.0', id: '', method: 'resources/unsubscribe', params: { uri: known?.params?.['uri'] } });
  }
}

/** Gives the request an id that no client uses, so that its response goes nowhere. */
function withInternalId(request: Request): Request {
  return { ...request, id: randomUUID() };
}
