import { randomUUID } from 'node:crypto';
import { type JsonObject, type Logger, messageOf, type StateStore } from '../../../kernel/index.ts';

/** How long a message waits for who should read it, in milliseconds. */
const mailMs = 2 * 60_000;

/** The address of a message for all who take part. */
export const everyone = 'all';

/** What a process has of something that several processes have. */
export interface Member {
  /** Its address, which no other member of any process has. */
  readonly label: string;
  receive(mail: JsonObject): void;
  /** Another key of it was set or deleted, perhaps by this member. */
  changed?(key: string): void;
}

/**
 * How processes tell each other of what several of them have, such as a session, by its id: messages at `<kind>/<id>/mail/<to>/<from>/<random>` in the
 * store that they share, beside what else they keep at `<kind>/<id>/`. An id has no slash.
 */
export class Mailbox {
  readonly #state: StateStore;
  readonly #kind: string;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #members = new Map<string, Member>();
  /** Keys that were read and taken away, until the store says so. */
  readonly #taken = new Set<string>();
  #hearing: Promise<() => Promise<void>> | undefined;
  #hears = false;

  constructor(state: StateStore, kind: string, logger: Pick<Logger, 'warn'>) {
    this.#state = state;
    this.#kind = kind;
    this.#logger = logger;
  }

  /** What there is of this id. */
  keyOf(id: string, rest: string): string {
    return `${this.#kind}/${id}/${rest}`;
  }

  /** A promise until changes are heard. It rejects where the store cannot be reached. */
  listen(): Promise<unknown> | undefined {
    if (this.#hears) return undefined;
    this.#hearing ??= this.#state
      .watch(`${this.#kind}/`, (key) => this.#hear(key))
      .then(
        (stop) => {
          this.#hears = true;
          return stop;
        },
        (error: unknown) => {
          this.#hearing = undefined;
          throw error;
        },
      );
    return this.#hearing;
  }

  /** Takes part in what has this id, until what is returned is called. One member of a process does. */
  join(id: string, member: Member): () => void {
    this.#members.set(id, member);
    return () => {
      if (this.#members.get(id) === member) this.#members.delete(id);
    };
  }

  /** `from`: the sender's own label, who does not read it. Resolves to its key, which is there until the one whom it is for has taken it. */
  async post(id: string, { from, to }: { readonly from: string; readonly to: string }, mail: JsonObject): Promise<string> {
    const key = this.keyOf(id, `mail/${to}/${from}/${randomUUID()}`);
    await this.#state.set(key, JSON.stringify(mail), { ttlMs: mailMs });
    return key;
  }

  async close(): Promise<void> {
    this.#members.clear();
    await (await this.#hearing?.catch(() => undefined))?.().catch(() => {});
  }

  #hear(key: string): void {
    const [, id = '', ...path] = key.split('/');
    const member = this.#members.get(id);
    if (member === undefined) return;
    const [what, to, from] = path;
    if (what !== 'mail') {
      member.changed?.(path.join('/'));
      return;
    }
    if (from === member.label || (to !== everyone && to !== member.label) || this.#taken.delete(key)) return;
    this.#read(key, to === member.label, member).catch((error: unknown) =>
      this.#logger.warn(`a message of another process was not read: ${messageOf(error)}`),
    );
  }

  async #read(key: string, isMine: boolean, member: Member): Promise<void> {
    const text = await this.#state.get(key);
    if (text === undefined) return;
    if (isMine) {
      // What was only expected to be told, and never was, is no reason to keep more.
      if (this.#taken.size > 1000) this.#taken.clear();
      this.#taken.add(key);
      void this.#state.delete(key).catch(() => {});
    }
    // Own text: a message of another process.
    member.receive(JSON.parse(text) as JsonObject);
  }
}
