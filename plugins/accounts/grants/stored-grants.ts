import { excerpt, type Logger, messageOf } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import { LazyResource } from '../../shared/state/lazy-resource.ts';
import { accessState } from './access.ts';
import type { Grant, GrantOwner, Grants, NewGrant, RefreshGrant } from './grant.ts';
import { GrantChanges } from './grant-changes.ts';
import { closedError, loginError } from './grant-errors.ts';
import { GrantRecords, grantPrefix, keyOf, ownerText, type StoredRecord } from './grant-records.ts';
import type { GrantsStore } from './grants-store.ts';
import { GrantRefresh } from './refresh-grant.ts';
import { SharedWork } from './shared-work.ts';

/** Time for which a living access token is used without another refresh after a failed one, in milliseconds. */
const retryDelayMs = 10_000;

export interface StoredGrantsOptions {
  /** Opens the store, on first use. */
  readonly open: () => Promise<OpenedStore>;
  readonly keys: Pick<HostKeys, 'cipher'>;
  readonly refresh: RefreshGrant;
  /** Clock, epoch ms. */
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
  readonly leaseMs?: number;
}

export interface OpenedStore {
  readonly store: GrantsStore;
  /** Closes the store, if it is the grants' own. */
  close(): Promise<void>;
}

interface Parts {
  readonly records: GrantRecords;
  readonly refresh: GrantRefresh;
  close(): Promise<void>;
}

type LiveOptions = Parameters<Grants['live']>[1];

/** Grants in a store. */
export class StoredGrants implements Grants {
  readonly #options: StoredGrantsOptions;
  readonly #parts: LazyResource<Parts>;
  readonly #refreshes = new SharedWork<Grant | undefined>();
  /** Reads of calls: many that begin together would use up the connections of a store. */
  readonly #reads = new SharedWork<StoredRecord | undefined>();
  /** Times of the monotonic clock before which a grant whose token lives is not refreshed again, by key. */
  readonly #retryAt = new Map<string, number>();

  constructor(options: StoredGrantsOptions) {
    this.#options = options;
    this.#parts = new LazyResource(() => this.#open());
  }

  async find(owner: GrantOwner): Promise<Grant | undefined> {
    const { records } = await this.#parts.get();
    return (await records.read(owner))?.record.grant;
  }

  async list(filter: Partial<GrantOwner> = {}): Promise<readonly Grant[]> {
    const { records } = await this.#parts.get();
    const wanted = Object.entries(filter).filter(([, value]) => value !== undefined) as [keyof GrantOwner, string][];
    const found = (await records.list(filter)).map(({ grant }) => grant);
    return found.filter(({ owner }) => wanted.every(([name, value]) => owner[name] === value)).sort(byOwner);
  }

  async save(given: NewGrant, over?: number): Promise<Grant> {
    const { records } = await this.#parts.get();
    const { owner, binding, tokens, scopes, from } = given;
    for (;;) {
      const text = await records.textOf(owner);
      const stored = text === undefined ? undefined : records.open(owner, text)?.grant;
      if (over !== undefined && stored !== undefined && stored.version !== over) return stored;
      const version = (stored?.version ?? 0) + 1;
      const grant: Grant = { owner, binding, tokens, scopes, from, version, createdAt: this.#options.now() };
      const written = await records.replace(owner, text, { grant });
      this.#reads.forget(keyOf(owner));
      if (written !== undefined) return grant;
    }
  }

  /** Waits for a running refresh first: its answer would be a token that nobody revokes. */
  async delete(owner: GrantOwner): Promise<Grant | undefined> {
    const { records, refresh } = await this.#parts.get();
    for (;;) {
      await refresh.idle(owner);
      const text = await records.textOf(owner);
      if (text === undefined) return undefined;
      const isDeleted = await records.delete(owner, text);
      this.#reads.forget(keyOf(owner));
      if (isDeleted) return records.open(owner, text)?.grant;
    }
  }

  async live(owner: GrantOwner, options: LiveOptions): Promise<Grant | undefined> {
    const { signal } = options;
    for (;;) {
      signal.throwIfAborted();
      const { records, refresh } = await this.#parts.get();
      const stored = await this.#reads.run(keyOf(owner), () => records.read(owner), signal);
      if (stored === undefined) return undefined;
      const { grant, isTold } = stored.record;
      if (grant.needsLogin !== undefined) {
        // Of all calls in all processes, one gets the reason.
        const isFirst = isTold !== true && (await records.replace(owner, stored.text, { ...stored.record, isTold: true })) !== undefined;
        throw loginError(grant, isFirst);
      }
      if (this.#isUsable(grant, stored.key, options)) return grant;
      try {
        const renewed = await this.#refreshes.run(stored.key, () => refresh.run(stored), signal);
        this.#reads.forget(stored.key);
        if (renewed !== undefined && isNewer(renewed, grant)) return this.#succeeded(renewed, stored.key);
      } catch (error) {
        if (signal.aborted || this.#stateOf(grant, options) === 'dead') throw error;
        this.#failed(grant, stored.key, error);
        return grant;
      }
    }
  }

  async close(): Promise<void> {
    const parts = await this.#parts.close(closedError());
    parts?.refresh.close();
    await this.#refreshes.settled();
    await parts?.close();
  }

  #stateOf({ tokens }: Grant, options: LiveOptions): ReturnType<typeof accessState> {
    return accessState(tokens, { ...options, now: this.#options.now() });
  }

  /** True for a token that needs no refresh now. One without a refresh token is used until its end. */
  #isUsable(grant: Grant, key: string, options: LiveOptions): boolean {
    const state = this.#stateOf(grant, options);
    if (state !== 'due') return state === 'live';
    return grant.tokens.refreshToken === undefined || performance.now() < (this.#retryAt.get(key) ?? 0);
  }

  #succeeded(grant: Grant, key: string): Grant {
    this.#retryAt.delete(key);
    return grant;
  }

  /** Notes a failed refresh of a token that still lives. */
  #failed({ owner }: Grant, key: string, error: unknown): void {
    const now = performance.now();
    if (now < (this.#retryAt.get(key) ?? 0)) return;
    this.#retryAt.set(key, now + retryDelayMs);
    const { logger } = this.#options;
    logger.warn(
      `an account at ${owner.provider} could not be refreshed, so its access token is used while it lives: ${excerpt(messageOf(error))}`,
    );
  }

  async #open(): Promise<Parts> {
    const { open, keys, refresh, now, logger, leaseMs } = this.#options;
    const { store, close } = await open();
    const records = new GrantRecords(store, keys.cipher('accounts'), logger);
    const changes = new GrantChanges(store, grantPrefix);
    const join = (): ReturnType<GrantsStore['join']> => store.join();
    const shared = { records, changes, join, refresh, now, logger };
    return {
      records,
      refresh: new GrantRefresh({ ...shared, ...(leaseMs === undefined ? {} : { leaseMs }) }),
      close: async () => {
        await changes.close();
        await close();
      },
    };
  }
}

/** True when the grant was refreshed or replaced since it was seen. */
function isNewer(grant: Grant, seen: Grant): boolean {
  return grant.needsLogin === undefined && (grant.version !== seen.version || grant.createdAt !== seen.createdAt);
}

function byOwner({ owner: one }: Grant, { owner: other }: Grant): number {
  return ownerText(one) < ownerText(other) ? -1 : 1;
}
