import { checkValue } from '../../../../kernel/index.ts';
import { errorCodes, type Request } from '../../../shared/json-rpc/message.ts';
import { malformedRequest, RpcError } from '../../../shared/json-rpc/rpc-error.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange } from '../clients/exchange.ts';
import { toRpcError } from '../errors.ts';
import { type Revision, revisions } from '../revisions.ts';
import { completionMethods } from './completion.ts';
import { lifecycleMethods } from './lifecycle.ts';
import { loggingMethods } from './logging.ts';
import type { Method } from './method.ts';
import { promptMethods } from './prompts.ts';
import { resourceMethods } from './resources.ts';
import { skillMethods } from './skills.ts';
import { subscriptionMethods } from './subscriptions.ts';
import { taskMethods } from './tasks.ts';
import { toolMethods } from './tools.ts';

const families: Readonly<Record<string, Method>> = {
  ...lifecycleMethods,
  ...toolMethods,
  ...resourceMethods,
  ...promptMethods,
  ...completionMethods,
  ...loggingMethods,
  ...subscriptionMethods,
  ...taskMethods,
  ...skillMethods,
};

/** Methods by name, for each revision. */
const methodsByRevision: ReadonlyMap<Revision, ReadonlyMap<string, Method>> = new Map(
  [...revisions.values()].map((revision) => [
    revision,
    new Map(Object.entries(families).filter(([, { isIn }]) => isIn?.(revision) !== false)),
  ]),
);

/** Returns the methods of a revision by name. */
export function methodsOf(revision: Revision): ReadonlyMap<string, Method> {
  return methodsByRevision.get(revision) as ReadonlyMap<string, Method>;
}

/** Finds the method of a request. Throws -32601 for one that the revision does not have. */
export function findMethod(revision: Revision, name: string): Method {
  const found = methodsOf(revision).get(name);
  if (found !== undefined) return found;
  throw new RpcError(errorCodes.methodNotFound, `There is no method "${name.slice(0, 100)}".`);
}

/** Runs a request and returns its result. Throws, or rejects with, RpcError for a request that is refused. */
export function answerRequest(
  found: Method,
  connection: Connection,
  { method: name, params = {} }: Request,
  exchange: Exchange,
): object | Promise<object> {
  if (found.fits?.(params) !== true) {
    const issues = checkValue(found.params, params);
    if (issues.length > 0) throw malformedRequest(name, issues);
  }
  if (found.isCounted === false) return found.answer(connection, params, exchange);
  const end = countRequest(connection);
  let result: object | Promise<object> | undefined;
  try {
    result = found.answer(connection, params, exchange);
    return result instanceof Promise ? result.finally(end) : result;
  } finally {
    if (!(result instanceof Promise)) end();
  }
}

/** Counts a request against the tenant's limit. Returns the function that ends this. Throws the client's error when too many run. */
function countRequest({ catalog, shares, tenant }: Connection): () => void {
  try {
    return shares.take(tenant, 'requests');
  } catch (error) {
    throw toRpcError(catalog.kernel, error);
  }
}
