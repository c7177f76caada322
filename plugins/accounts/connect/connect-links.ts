import type { StateChange } from '../../../kernel/index.ts';
import type { HostKeys } from '../../shared/keys/host-keys.ts';
import type { GrantOwner } from '../grants/grant.ts';
import { codeChanges, endChanges, linkTtlMs, recordTtlMs } from './connect-changes.ts';
import {
  codePrefix,
  isRandomText,
  liveKey,
  ownerKey,
  pendingKey,
  randomText,
  sha256,
  stateKey,
  unconfirmedPrefix,
} from './connect-keys.ts';
import { expectedState, isEnded, mayGoOn, type PendingConnect, type ReadConnect } from './pending-connect.ts';
import type { ConnectStore } from './timed-store.ts';

/** Time in which a caller gets the same link again, so that a link has at least this time left. */
const reuseTtlMs = linkTtlMs / 2;

/** The maximum number of codes that wait for one caller. */
const maxCodes = 100;

/** The maximum number of expired logins that are ended at once. */
const maxUnconfirmed = 1000;

export interface ConnectLinksOptions {
  readonly state: ConnectStore;
  readonly keys: Pick<HostKeys, 'cipher'>;
}

export interface ConnectRequest {
  readonly owner: GrantOwner;
  readonly scopes: readonly string[];
  readonly baseUrl: string;
  readonly needsCode: boolean;
}

/** An open link, with its id. */
export interface OpenLink extends ReadConnect {
  /** Secret: opens the page. */
  readonly id: string;
}

/**
 * The pending connects of all processes with one store. Values are sealed, each for its key; of ids and states the store has the SHA-256 only.
 * Entries expire by the clock of the store.
 */
export class ConnectLinks {
  readonly #state: ConnectStore;
  readonly #cipher: ReturnType<HostKeys['cipher']>;

  constructor({ state, keys }: ConnectLinksOptions) {
    this.#state = state;
    this.#cipher = keys.cipher('accounts connect');
  }

  /** Returns the open link of an owner, or a new one when there is none, or it asks for fewer scopes. */
  async open(request: ConnectRequest): Promise<OpenLink> {
    const key = ownerKey(request.owner);
    for (;;) {
      const pointer = await this.#state.get(key);
      const id = pointer === undefined ? undefined : this.#unseal(pointer, key);
      const found = id === undefined ? undefined : await this.find(id);
      if (id !== undefined && found !== undefined && serves(found.connect, request)) return { ...found, id };
      const made = await this.#make(request, pointer, found);
      if (made !== undefined) return made;
    }
  }

  /** Returns the connect of a link; undefined for an unknown or expired one. */
  find(id: string): Promise<ReadConnect | undefined> {
    return isRandomText(id) ? this.read(sha256(id)) : Promise.resolve(undefined);
  }

  /** Returns the connect whose person is at the provider, or at the issuer of this server, with this state, or came back from the provider with it. */
  async findByState(state: string): Promise<ReadConnect | undefined> {
    if (!isRandomText(state)) return undefined;
    const key = stateKey(state);
    const sealed = await this.#state.get(key);
    const digest = sealed === undefined ? undefined : this.#unseal(sealed, key);
    const found = digest === undefined ? undefined : await this.read(digest);
    const expected = found === undefined ? undefined : expectedState(found.connect);
    return expected === undefined || expected === state ? found : undefined;
  }

  /** Returns the connects of a caller that wait for a code. */
  async waitingForCode(caller: Pick<GrantOwner, 'tenant' | 'caller'>): Promise<readonly ReadConnect[]> {
    const prefix = codePrefix(caller);
    const entries = await this.#state.list(prefix, { limit: maxCodes });
    const found = await Promise.all(entries.map(({ key }) => this.read(key.slice(prefix.length))));
    return found.filter(
      (read) =>
        read?.connect.stage.kind === 'code' && read.connect.owner.tenant === caller.tenant && read.connect.owner.caller === caller.caller,
    ) as readonly ReadConnect[];
  }

  /** Returns a connect that has ended, or whose link has not expired. */
  async read(digest: string): Promise<ReadConnect | undefined> {
    // First: a connect that ends between the two reads is found with its end, and is not taken for an expired one.
    const isLive = await this.#isLive(digest);
    const found = await this.#record(digest);
    return found !== undefined && (isLive || isEnded(found.connect)) ? found : undefined;
  }

  /** Returns the connects whose code was not typed yet: of all callers, also those that have expired and are not deleted yet. */
  async unconfirmed(): Promise<readonly { readonly read: ReadConnect; readonly isExpired: boolean }[]> {
    const entries = await this.#state.list(unconfirmedPrefix, { limit: maxUnconfirmed });
    const found = await Promise.all(
      entries.map(async ({ key }) => {
        const digest = key.slice(unconfirmedPrefix.length);
        const read = await this.#record(digest);
        return read?.connect.stage.kind === 'code' ? [{ read, isExpired: !(await this.#isLive(digest)) }] : [];
      }),
    );
    return found.flat();
  }

  /** Writes the next stage of a connect. Undefined when it has changed since it was read. */
  async change({ digest, text, connect: before }: ReadConnect, connect: PendingConnect): Promise<ReadConnect | undefined> {
    const key = pendingKey(digest);
    const changed = this.#seal(connect, key);
    const also = [
      ...this.#stateChanges(digest, before, connect),
      ...codeChanges(digest, before, connect),
      ...endChanges(digest, before, connect),
    ];
    const isWritten = await this.#state.compareAndSet(key, text, changed, { ttlMs: recordTtlMs, also });
    return isWritten ? { digest, text: changed, connect } : undefined;
  }

  /** Calls `onChange` when a connect may have changed. Resolves to a function that ends the watch. */
  watch(digest: string, onChange: () => void): Promise<() => Promise<void>> {
    return this.#state.watch(pendingKey(digest), onChange);
  }

  async #make(request: ConnectRequest, pointer: string | undefined, old: ReadConnect | undefined): Promise<OpenLink | undefined> {
    const id = randomText();
    const digest = sha256(id);
    const isReplaced = old !== undefined && !isEnded(old.connect);
    const connect: PendingConnect = {
      ...request,
      scopes: isReplaced ? [...new Set([...old.connect.scopes, ...request.scopes])] : request.scopes,
      formKey: randomText(),
      stage: { kind: 'open' },
    };
    const key = ownerKey(request.owner);
    const text = this.#seal(connect, pendingKey(digest));
    const isWritten = await this.#state.compareAndSet(key, pointer, this.#sealText(id, key), {
      ttlMs: reuseTtlMs,
      also: [
        { key: pendingKey(digest), value: text, ttlMs: recordTtlMs },
        { key: liveKey(digest), value: '1', ttlMs: linkTtlMs },
        ...(isReplaced ? [{ key: liveKey(old.digest), value: undefined }] : []),
      ],
    });
    return isWritten ? { id, digest, text, connect } : undefined;
  }

  async #isLive(digest: string): Promise<boolean> {
    return (await this.#state.get(liveKey(digest))) !== undefined;
  }

  async #record(digest: string): Promise<ReadConnect | undefined> {
    const key = pendingKey(digest);
    const text = await this.#state.get(key);
    const opened = text === undefined ? undefined : this.#unseal(text, key);
    // Own text: encrypted by this class.
    return text === undefined || opened === undefined ? undefined : { digest, text, connect: JSON.parse(opened) as PendingConnect };
  }

  #stateChanges(digest: string, before: PendingConnect, after: PendingConnect): readonly StateChange[] {
    const [old, next] = [before, after].map((connect) => {
      const state = expectedState(connect);
      return state === undefined ? undefined : stateKey(state);
    });
    if (old === next) return [];
    // A state that the person came back from the provider with finds how the login ended.
    const isKept = before.stage.kind === 'sent' && next === undefined;
    return [
      ...(old === undefined || isKept ? [] : [{ key: old, value: undefined }]),
      ...(next === undefined ? [] : [{ key: next, value: this.#sealText(digest, next), ttlMs: linkTtlMs }]),
    ];
  }

  #seal(connect: PendingConnect, key: string): string {
    return this.#sealText(JSON.stringify(connect), key);
  }

  #sealText(text: string, key: string): string {
    return this.#cipher.encrypt(text, key).toString('base64');
  }

  #unseal(sealed: string, key: string): string | undefined {
    return this.#cipher.decrypt(Buffer.from(sealed, 'base64'), key);
  }
}

function serves(connect: PendingConnect, wanted: ConnectRequest): boolean {
  if (isEnded(connect)) return false;
  if (!mayGoOn(connect)) return true;
  const { scopes, baseUrl, needsCode, isSignedIn = false } = connect;
  return (
    baseUrl === wanted.baseUrl && (isSignedIn || needsCode || !wanted.needsCode) && wanted.scopes.every((scope) => scopes.includes(scope))
  );
}
