import { type Answer, counted, serverFacts, serverIdentity } from '../answers.ts';
import type { Connection } from '../connection.ts';
import { writeOnce } from '../message-text.ts';
import { callTool, listTools } from '../tools.ts';
import { metaKeys, modernVersions } from './envelope.ts';
import { listen } from './listen.ts';
import { skillAnswers, skillsCapability } from './skill-answers.ts';
import { tasksCapability } from './tasks/extension.ts';
import { taskAnswers } from './tasks/task-answers.ts';

type Params = Readonly<Record<string, unknown>>;

/** How long a client may keep what it was listed, in milliseconds; one that listens hears of a change at once. */
const listTtlMs = 60_000;

/** By method, what is answered without the protocol library. */
export const modernAnswers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['server/discover', (connection) => completed(connection, discover(connection))],
  ['tools/list', counted((connection, params) => then(listTools(connection, params), (list) => completedList(connection, list)))],
  // It counts itself: too many are a result that a model can read.
  ['tools/call', (connection, params, exchange) => then(callTool(connection, params, exchange), (result) => completed(connection, result))],
  ...Object.entries(taskAnswers).map(([method, answer]): [string, Answer] => [
    method,
    (connection, params) => then(answer(connection, params), (result) => completed(connection, result)),
  ]),
  ...Object.entries(skillAnswers).map(([method, answer]): [string, Answer] => [
    method,
    counted((connection, params) => then(answer(connection, params), (result) => completed(connection, result))),
  ]),
  // It lasts as long as its client likes: its share is counted as subscriptions.
  ['subscriptions/listen', async (connection, params, exchange) => completed(connection, await listen(connection, params, exchange))],
]);

/** What a list says of how long, and by whom, it may be kept: one that depends on the client is private to it. */
export function listCaching({ hasOwnLists }: Connection): { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' } {
  return { ttlMs: listTtlMs, cacheScope: hasOwnLists ? 'private' : 'public' };
}

/** A result with what every one says. */
export function completed({ version }: Pick<Connection, 'version'>, result: object): object {
  const { _meta } = result as { readonly _meta?: Params };
  return { ...result, resultType: 'complete', _meta: { ..._meta, [metaKeys.server]: serverIdentity(version) } };
}

function discover(connection: Connection): object {
  const { capabilities, instructions } = serverFacts(connection.version);
  return {
    supportedVersions: modernVersions,
    capabilities: { ...capabilities, extensions: { ...tasksCapability.extensions, ...skillsCapability } },
    instructions,
    ...listCaching(connection),
  };
}

/** Of a list that many clients get. */
const completedLists = new WeakMap<object, object>();

function completedList(connection: Connection, list: object): object {
  const known = completedLists.get(list);
  if (known !== undefined) return known;
  const made = writeOnce(completed(connection, { ...list, ...listCaching(connection) }));
  completedLists.set(list, made);
  return made;
}

/** At once where the value is there. */
function then<T>(value: T | Promise<T>, next: (value: T) => object): object | Promise<object> {
  return value instanceof Promise ? value.then(next) : next(value);
}
