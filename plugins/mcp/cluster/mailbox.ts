import { randomUUID } from 'node:crypto';
import { type JsonObject, type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';
import { StoreWatch } from '../../shared/cluster/store-watch.ts';

/** Lifetime of an unread message, in milliseconds. */
const messageTtlMs = 2 * 60_000;

/** Address of a message to all members. */
export const allMembers = 'all';

/** One process's handle on a shared object. */
export interface Member {
  /** Its address, unique across all processes. */
  readonly label: string;
  receive(mail: JsonObject): void;
  /** Called when another key of the shared object was set or deleted, by any member. */
  onChange?(key: string): void;
}

/**
 * Messages between processes about a shared object, such as a session. A message is at `<kind>/<id>/mail/<to>/<from>/<random>` in
 * the shared store. Other keys of the object are at `<kind>/<id>/`. An id has no slash.
 */
export class Mailbox {
  readonly #state: StateStore;
  readonly #kind: string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #members = new Map<string, Member>();
  /** Keys of messages that were read and deleted here, until the store reports the deletion. */
  readonly #deletedKeys = new Set<string>();
  readonly #watch: StoreWatch;

  constructor(state: StateStore, kind: string, logger: Pick<Logger, 'warn'>) {
    this.#state = state;
    this.#kind = kind;
    this.#watch = new StoreWatch(state, `${kind}/`, (key) => this.#onChange(key));
    this.#logger = logger;
  }

  /** Returns a key of the shared object with this id. */
  keyOf(id: string, rest: string): string {
    return `${this.#kind}/${id}/${rest}`;
  }

  /** Resolves when messages arrive. Rejects when the store cannot be reached. */
  listen(): Promise<void> {
    return this.#watch.open();
  }

  /** Joins the shared object with this id. Returns a function that leaves it. A process has at most one member for each id. */
  join(id: string, member: Member): () => void {
    this.#members.set(id, member);
    return () => {
      if (this.#members.get(id) === member) this.#members.delete(id);
    };
  }

  /**
   * Sends a message. `from`: label of the sender, which does not receive it. Resolves to the key of the message. The key exists until the
   * receiver has read the message.
   */
  async post(id: string, { from, to }: { readonly from: string; readonly to: string }, mail: JsonObject): Promise<string> {
    const key = this.keyOf(id, `mail/${to}/${from}/${randomUUID()}`);
    await this.#state.set(key, JSON.stringify(mail), { ttlMs: messageTtlMs });
    return key;
  }

  async close(): Promise<void> {
    this.#members.clear();
    await this.#watch.close();
  }

  #onChange(key: string): void {
    const [, id = '', ...path] = key.split('/');
    const member = this.#members.get(id);
    if (member === undefined) return;
    const [area, to, from] = path;
    if (area !== 'mail') {
      member.onChange?.(path.join('/'));
      return;
    }
    if (from === member.label || (to !== allMembers && to !== member.label) || this.#deletedKeys.delete(key)) return;
    this.#read(key, to === member.label, member).catch((error: unknown) =>
      this.#logger.warn(`a message of another process was not read: ${messageOf(error)}`),
    );
  }

  async #read(key: string, isMine: boolean, member: Member): Promise<void> {
    const text = await this.#state.get(key);
    if (text === undefined) return;
    if (isMine) {
      // Bounded: a deletion that is never reported must not leak.
      if (this.#deletedKeys.size > 1000) this.#deletedKeys.clear();
      this.#deletedKeys.add(key);
      void this.#state.delete(key).catch(() => {});
    }
    // Own text: a message of another process.
    member.receive(JSON.parse(text) as JsonObject);
  }
}
