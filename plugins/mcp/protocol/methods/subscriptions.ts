import { setMaxListeners } from 'node:events';
import Type from 'typebox';
import type { Parameters } from '../../../shared/json-rpc/message.ts';
import { type ListName, listNames } from '../catalog/catalog-lists.ts';
import type { Connection } from '../clients/connection.ts';
import { metaKeys } from '../clients/envelope.ts';
import type { Exchange } from '../clients/exchange.ts';
import { Subscriptions } from '../clients/subscriptions.ts';
import { toRpcError } from '../errors.ts';
import { type Method, method, paramsOf } from './method.ts';
import { exists } from './resources.ts';

const memberOf = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const satisfies Readonly<Record<ListName, string>>;

const Flag = Type.Optional(Type.Boolean());

const ListenParams = paramsOf({
  notifications: Type.Object({
    toolsListChanged: Flag,
    promptsListChanged: Flag,
    resourcesListChanged: Flag,
    resourceSubscriptions: Type.Optional(Type.Array(Type.String())),
  }),
});

/** Notifies a client without a session of changes. */
export const subscriptionMethods: Readonly<Record<string, Method>> = {
  'subscriptions/listen': method({
    params: ListenParams,
    isIn: ({ hasSessions }) => !hasSessions,
    // It lasts as long as the client wants, and counts against the limit of subscriptions.
    isCounted: false,
    answer: listen,
  }),
};

/**
 * Notifies the client of the changes in its filter, until it ends the request or the server closes (MCP 2026-07-28,
 * Subscriptions). The first notification confirms the filter.
 */
async function listen(connection: Connection, { notifications }: Type.Static<typeof ListenParams>, exchange: Exchange): Promise<object> {
  const { catalog, shares, tenant } = connection;
  const { kernel } = catalog;
  const { resourceSubscriptions = [] } = notifications;
  const lists = listNames.filter((list) => notifications[memberOf[list]] === true);
  const known: string[] = [];
  for (const uri of new Set(resourceSubscriptions)) if (await exists(catalog, uri)) known.push(uri);
  const _meta = { [metaKeys.subscription]: exchange.id };
  const notify = (name: string, params: Parameters = {}): void => exchange.notify(name, { ...params, _meta });
  const subscriptions = new Subscriptions(
    catalog,
    () => shares.take(tenant, 'subscriptions'),
    (uri) => notify('notifications/resources/updated', { uri }),
  );
  const unsubscribe = catalog.onChange(
    (list) => {
      if (lists.includes(list)) notify(`notifications/${list}/list_changed`);
    },
    () => connection.exposure,
  );
  try {
    for (const uri of known) subscriptions.add(uri);
    const honoured = {
      ...Object.fromEntries(lists.map((list) => [memberOf[list], true])),
      ...(known.length === 0 ? {} : { resourceSubscriptions: known }),
    };
    notify('notifications/subscriptions/acknowledged', { notifications: honoured });
    if (Object.keys(honoured).length > 0) await anyAborted(exchange.signal, kernel.closing);
    return { _meta };
  } catch (error) {
    throw toRpcError(kernel, error);
  } finally {
    unsubscribe();
    subscriptions.close();
  }
}

/** Resolves when one of the signals aborts. Leaves no listener on a signal that lives longer. */
function anyAborted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', end);
      resolve();
    };
    if (signals.some(({ aborted }) => aborted)) return end();
    for (const signal of signals) {
      // Many subscriptions are not a leak; without this Node would warn.
      setMaxListeners(0, signal);
      signal.addEventListener('abort', end);
    }
  });
}
