import { serializeOnce } from '../../../shared/json-rpc/message-text.ts';
import type { Connection } from '../clients/connection.ts';
import { metaKeys, modernVersions } from '../clients/envelope.ts';
import { type Answer, counted, describeServer, serverIdentity } from '../methods/lifecycle.ts';
import { listen } from '../methods/listen.ts';
import { skillAnswers, skillsCapability } from '../methods/skills.ts';
import { taskAnswers } from '../methods/tasks.ts';
import { callTool, listTools } from '../methods/tools.ts';
import { tasksCapability } from '../tasks/extension.ts';

type Params = Readonly<Record<string, unknown>>;

/** Time that a client may cache a list, in milliseconds. A client that subscribes learns of a change at once. */
const listTtlMs = 60_000;

/** Handlers by method, for the requests that need no protocol library. */
export const modernAnswers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['server/discover', (connection) => completeResult(connection, discover(connection))],
  ['tools/list', counted((connection, params) => then(listTools(connection, params), (list) => completedList(connection, list)))],
  // `callTool` counts its request itself: when too many run, the model gets a result that it can read.
  [
    'tools/call',
    (connection, params, exchange) => then(callTool(connection, params, exchange), (result) => completeResult(connection, result)),
  ],
  ...Object.entries(taskAnswers).map(([method, answer]): [string, Answer] => [
    method,
    (connection, params) => then(answer(connection, params), (result) => completeResult(connection, result)),
  ]),
  ...Object.entries(skillAnswers).map(([method, answer]): [string, Answer] => [
    method,
    counted((connection, params) => then(answer(connection, params), (result) => completeResult(connection, result))),
  ]),
  // Not counted as a request: it lasts as long as the client wants, and counts against the limit of subscriptions.
  ['subscriptions/listen', async (connection, params, exchange) => completeResult(connection, await listen(connection, params, exchange))],
]);

/** Returns the cache rules of a list. A list that depends on the client is private to that client. */
export function listCaching({ hasOwnLists }: Connection): { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' } {
  return { ttlMs: listTtlMs, cacheScope: hasOwnLists ? 'private' : 'public' };
}

/** Returns the result with the members that every result has. */
export function completeResult({ version }: Pick<Connection, 'version'>, result: object): object {
  const { _meta } = result as { readonly _meta?: Params };
  return { ...result, resultType: 'complete', _meta: { ..._meta, [metaKeys.server]: serverIdentity(version) } };
}

function discover(connection: Connection): object {
  const { capabilities, instructions } = describeServer(connection.version);
  return {
    supportedVersions: modernVersions,
    capabilities: { ...capabilities, extensions: { ...tasksCapability.extensions, ...skillsCapability } },
    instructions,
    ...listCaching(connection),
  };
}

/** Completed results of lists that many clients share. */
const completedLists = new WeakMap<object, object>();

function completedList(connection: Connection, list: object): object {
  const known = completedLists.get(list);
  if (known !== undefined) return known;
  const made = serializeOnce(completeResult(connection, { ...list, ...listCaching(connection) }));
  completedLists.set(list, made);
  return made;
}

/** Calls `next` at once for a value, and later for a promise. */
function then<T>(value: T | Promise<T>, next: (value: T) => object): object | Promise<object> {
  return value instanceof Promise ? value.then(next) : next(value);
}
