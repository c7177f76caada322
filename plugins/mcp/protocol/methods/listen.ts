import { setMaxListeners } from 'node:events';
import { isPlainObject } from '../../../../kernel/index.ts';
import { errorCodes } from '../../../shared/json-rpc/message.ts';
import { type ListName, listNames } from '../catalog/catalog-lists.ts';
import type { Connection } from '../clients/connection.ts';
import { metaKeys } from '../clients/envelope.ts';
import type { Exchange } from '../clients/exchange.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';
import { exists } from './resources.ts';
import { Subscriptions } from './subscriptions.ts';

type Params = Readonly<Record<string, unknown>>;

const memberOf: Readonly<Record<ListName, string>> = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
};

/**
 * Notifies the client of the changes in its filter, until it ends the request or the server closes (MCP 2026-07-28,
 * Subscriptions). The first notification confirms the filter.
 */
export async function listen(connection: Connection, { notifications }: Params, exchange: Exchange): Promise<object> {
  const { catalog, shares, tenant } = connection;
  const { kernel } = catalog;
  const { lists, uris } = filterOf(notifications);
  const known = uris.filter((uri) => exists(catalog, uri));
  const _meta = { [metaKeys.subscription]: exchange.id };
  const notify = (method: string, params: Params = {}): void => exchange.notify({ method, params: { ...params, _meta } });
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
    throw toProtocolError(kernel, error);
  } finally {
    unsubscribe();
    subscriptions.close();
  }
}

/** Reads the filter. Throws -32602 for a malformed one. */
function filterOf(notifications: unknown): { readonly lists: readonly ListName[]; readonly uris: readonly string[] } {
  if (!isPlainObject(notifications)) throw malformed('expected an object');
  const { resourceSubscriptions: uris = [], ...flags } = notifications;
  const lists = listNames.filter((list) => {
    const wanted = flags[memberOf[list]];
    if (wanted !== undefined && typeof wanted !== 'boolean') throw malformed(`"${memberOf[list]}": expected true or false`);
    return wanted === true;
  });
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string'))
    throw malformed('"resourceSubscriptions": expected a list of URIs');
  return { lists, uris: [...new Set(uris)] };
}

function malformed(problem: string): ProtocolError {
  return new ProtocolError(errorCodes.invalidParams, `"notifications" of subscriptions/listen is wrong: ${problem}.`);
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
