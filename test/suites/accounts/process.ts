/**
 * One of several processes that share grants, as a child of `accounts-refresh.suite.ts`: `STORE_URL` names a PostgreSQL database, `FOLDER` a
 * folder otherwise, `SERVER_URL` the token server.
 */
import { apiVersion, createKernel, definePlugin, type StateStore, ToolkitError } from '../../../kernel/index.ts';
import { MemoryStore } from '../../../kernel/state/memory-store.ts';
import type { Grant } from '../../../plugins/accounts/grants/grant.ts';
import { openGrants } from '../../../plugins/accounts/grants/open-grants.ts';
import { HostKeys } from '../../../plugins/shared/keys/host-keys.ts';
import type { TokenSet } from '../../../plugins/shared/oauth/types.ts';
import { storePostgres } from '../../../plugins/store-postgres/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { lifetimeMs, type Order, type Outcomes, ownerOf, type Report, type Step } from './orders.ts';

const { STORE_URL = '', FOLDER = '', SERVER_URL = '' } = process.env;
const report = (given: Report): void => void process.send?.(given);
const logger = memoryLogger();
let now = 0;

/** The steps at which refreshes are held, by name. */
const held = new Map<string, Step>();

/** Never resolves for a refresh that is held at this step. */
async function reach(name: string, step: Step): Promise<void> {
  if (held.get(name) !== step) return;
  report({ reached: name });
  await new Promise(() => {});
}

async function refresh({ owner: { caller }, tokens }: Grant): Promise<TokenSet> {
  await reach(caller, 'claimed');
  const body = new URLSearchParams({ name: caller, refresh_token: tokens.refreshToken ?? '' });
  const response = await fetch(SERVER_URL, { method: 'POST', body });
  const answer = (await response.json()) as Readonly<Record<string, string>>;
  if (answer['error'] !== undefined)
    throw new ToolkitError('AUTH_FAILED', answer['error'], { oauth: { kind: 'refused', error: answer['error'] } });
  await reach(caller, 'answered');
  const { access_token: accessToken = '', refresh_token: refreshToken = '' } = answer;
  return { accessToken, refreshToken, receivedAt: now, lifetimeMs, values: {} };
}

let state: StateStore = new MemoryStore(Date.now);
const reading = definePlugin({
  name: 'reading',
  apiVersion,
  apply: (api) => {
    state = api.state;
  },
});
await createKernel({ logger, plugins: [...(STORE_URL === '' ? [] : [storePostgres({ url: STORE_URL })]), reading()] });
const keys = new HostKeys({ logger, maskAlso: () => {} });
// A busy machine takes longer than users would wait.
const grants = openGrants({
  state,
  keys,
  folder: FOLDER,
  refresh,
  now: () => now,
  logger,
  leaseMs: 600_000,
});

async function save(name: string): Promise<void> {
  const tokens = { accessToken: `${name} 0`, refreshToken: `${name} 0`, receivedAt: 0, lifetimeMs, values: {} };
  const binding = { clientId: 'client', tokenUrl: SERVER_URL };
  await grants.save({ owner: ownerOf(name), binding, tokens, scopes: [], from: { kind: 'login' } });
}

async function live(name: string): Promise<string> {
  const grant = await grants.live(ownerOf(name), { marginMs: 60_000, signal: new AbortController().signal });
  await reach(name, 'written');
  return grant?.tokens.accessToken ?? 'none';
}

async function liveAll(name: string, calls: number): Promise<Outcomes> {
  const ends = await Promise.allSettled(Array.from({ length: calls }, () => live(name)));
  const tokens = new Set(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])));
  const failures = ends.flatMap((end) => {
    if (end.status === 'fulfilled') return [];
    const error: unknown = end.reason;
    return [ToolkitError.is(error) ? { code: error.code, message: error.message } : { code: '', message: String(error) }];
  });
  return { name, tokens: [...tokens], failures };
}

async function answer(order: Order): Promise<unknown> {
  if ('save' in order) return void (await Promise.all(order.save.map(save)));
  if ('now' in order) {
    now = order.now;
    return undefined;
  }
  if ('hold' in order) return void held.set(order.hold, order.at);
  const outcomes = order.live.map((name) => liveAll(name, order.calls));
  report({ waiting: order.live.length });
  return Promise.all(outcomes);
}

process.on('message', ({ id, order }: { id: number; order: Order }) => {
  answer(order).then(
    (value) => report({ id, value }),
    (error: unknown) => report({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
report({ ready: true });
