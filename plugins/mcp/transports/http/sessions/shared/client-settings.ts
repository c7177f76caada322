import { hash, randomUUID } from 'node:crypto';
import type { Request, RequestId } from '../../../../../shared/json-rpc/message.ts';

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
export interface ClientSettings {
  readonly byName: Map<string, Request>;
  /** Requests for a setting, until it is stored for other processes. */
  readonly pending: Map<RequestId, Request>;
}

/** Returns the URIs of the client's resource subscriptions. */
export function subscribedIn({ byName }: ClientSettings): readonly string[] {
  return [...byName.values()].filter(({ method }) => method === 'resources/subscribe').map(({ params }) => String(params?.['uri']));
}

/** Returns the requests to repeat here so that all settings hold. */
export function requestsIn({ byName }: ClientSettings): readonly Request[] {
  return [...byName.values()].map(withInternalId);
}

/** Records a request that the client made here. */
export function addSetting({ byName }: ClientSettings, request: Request): void {
  const name = settingName(request.method, request.params);
  if (request.method === 'resources/unsubscribe') byName.delete(name);
  else byName.set(name, request);
}

/** Records a change made at another process. Returns the request to repeat here; undefined when the setting is known already. */
export function changeSetting({ byName }: ClientSettings, name: string, request: Request | undefined): Request | undefined {
  const known = byName.get(name);
  if (JSON.stringify(known?.params) === JSON.stringify(request?.params)) return undefined;
  if (request === undefined) byName.delete(name);
  else byName.set(name, request);
  return withInternalId(request ?? { jsonrpc: '2.0', id: '', method: 'resources/unsubscribe', params: { uri: known?.params?.['uri'] } });
}

/** Gives the request an id that no client uses, so that its response goes nowhere. */
function withInternalId(request: Request): Request {
  return { ...request, id: randomUUID() };
}
