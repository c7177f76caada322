import { hash, randomBytes } from 'node:crypto';
import { type JsonObject, messageOf } from '../../../../../../kernel/index.ts';
import type { Cluster } from '../../../../cluster/cluster.ts';
import { everyone, type Mailbox } from '../../../../cluster/mailbox.ts';
import { isRequest, type Message, type Request, type RequestId } from '../../../../protocol/messages.ts';
import { type EventPlace, sessionStream } from '../event-log.ts';
import { keptName } from './kept-requests.ts';
import { RecordedEvents, RecordedStream } from './recorded-events.ts';
import { StreamClaim } from './stream-claim.ts';

/** How long what a client has set is kept, in milliseconds: as long as its session can be revived. */
const keptMs = 7 * 24 * 60 * 60_000;

/** How long what is to be said to a session waits for its stream, in milliseconds. */
const saidMs = 60 * 60_000;

/** Longest id or reason of a cancelled request that other processes are told, in characters. */
const mostCancelled = 1000;

/** What a process does with what others tell it of a session. */
export interface SharedSessionOwner {
  /** A message of its client that came to another process. */
  receive(message: Message): void;
  /** The client has ended it. */
  end(): void;
  /** A client reads this stream at another process now. */
  isRead(stream: string): void;
  /** Something may have to be said on the stream of the session. */
  hear(): void;
  /** Another process may have the stream of the session now. */
  moved(): void;
  /** The client has set something at another process. Undefined: it has taken back what has this name. */
  set(name: string, request: Request | undefined): void;
}

/** One session as the other processes that have it know it: what they say of it, and what all of them have to know. */
export class SharedSession {
  /** Of what this process has of it: 16 hexadecimal digits, which begin with the name of the process. */
  readonly label: string;
  readonly stream: StreamClaim;
  readonly #cluster: Cluster;
  readonly #mail: Mailbox;
  readonly #id: string;
  readonly #leave: () => void;
  readonly #followers = new Map<string, Set<() => void>>();
  #owner: SharedSessionOwner | undefined;
  #hasEnded = false;

  /** `id`: a digest of its id. It hears from now on. */
  constructor(cluster: Cluster, id: string) {
    this.#cluster = cluster;
    this.#mail = cluster.sessions;
    this.#id = id;
    this.label = cluster.processes.own + randomBytes(4).toString('hex');
    this.stream = new StreamClaim({
      state: cluster.state,
      key: this.#key('stream'),
      label: this.label,
      isAlive: (label) => this.isAlive({ log: label }),
    });
    this.#leave = this.#mail.join(id, {
      label: this.label,
      receive: (mail) => this.#receive(mail),
      changed: (key) => this.#changed(key),
    });
  }

  /** Its client has ended it, as far as is known here. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  attach(owner: SharedSessionOwner): void {
    this.#owner = owner;
  }

  /** Hears nothing more. */
  leave(): void {
    this.#owner = undefined;
    this.#leave();
  }

  /** A message to the client with ids that no other process gives. */
  outgoing(message: Message): Message {
    if (!('method' in message)) return message;
    if (isRequest(message)) return { ...message, id: `${this.label}-${message.id}` };
    const requestId = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
    return requestId === undefined ? message : { ...message, params: { ...message.params, requestId: `${this.label}-${requestId}` } };
  }

  /** What the client answers to a request of this process; undefined where another process is told, or nobody has asked. */
  async incoming(message: Message & { readonly id: RequestId }): Promise<Message | undefined> {
    const [, label = '', number = ''] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(String(message.id)) ?? [];
    const own = { ...message, id: Number(number) } as Message;
    if (label === this.label) return own;
    if (label !== '') await this.#post({ kind: 'message', message: own as unknown as JsonObject }, label);
    return undefined;
  }

  /** The client cancels a request that does not run here. */
  async cancel({ params }: { readonly params?: { readonly requestId?: unknown; readonly reason?: unknown } }): Promise<void> {
    const { requestId, reason } = params ?? {};
    const isId = typeof requestId === 'number' || (typeof requestId === 'string' && requestId.length <= mostCancelled);
    if (!isId) return;
    const why = typeof reason === 'string' ? { reason: reason.slice(0, mostCancelled) } : {};
    await this.#post({
      kind: 'message',
      message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, ...why } },
    });
  }

  /** The client has ended it: all processes end it. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const { state } = this.#cluster;
    await state.delete(this.#key('opening'));
    await this.#post({ kind: 'end' });
    await Promise.all([...(await this.kept()).keys()].map((name) => state.delete(this.#key(`kept/${name}`))));
  }

  /** What the client has set, by name. */
  async kept(): Promise<ReadonlyMap<string, Request>> {
    const prefix = this.#key('kept/');
    const entries = await this.#cluster.state.list(prefix);
    // Own text: a record of the store.
    return new Map(entries.map(({ key, value }) => [key.slice(prefix.length), JSON.parse(value) as Request]));
  }

  /** The client has set something that holds wherever its next requests are answered. */
  async keep({ method, params }: Request): Promise<void> {
    const key = this.#key(`kept/${keptName(method, params)}`);
    if (method === 'resources/unsubscribe') await this.#cluster.state.delete(key);
    else await this.#cluster.state.set(key, JSON.stringify({ jsonrpc: '2.0', id: '', method, params }), { ttlMs: keptMs });
  }

  /** Says it on the stream of the session, which another process may hold, or nobody yet: then the same is said once. */
  say(message: Message): void {
    const text = JSON.stringify(message);
    const key = this.#key(`said/${hash('sha256', text, 'base64url')}`);
    this.#cluster.state
      .set(key, text, { ttlMs: saidMs })
      .catch((error: unknown) => this.#cluster.logger.warn(`a client was not told that a list has changed: ${messageOf(error)}`));
  }

  /** The `initialize` of a session whose id does not carry it. */
  async keepOpening(request: Request, caller: string): Promise<void> {
    await this.#cluster.state.set(this.#key('opening'), JSON.stringify({ ...request, caller }), { ttlMs: keptMs });
  }

  /** The same with whose it is. */
  async opening(): Promise<(Request & { readonly caller: string }) | undefined> {
    const text = await this.#cluster.state.get(this.#key('opening'));
    // Own text: a record of the store.
    return text === undefined ? undefined : (JSON.parse(text) as Request & { caller: string });
  }

  /** Takes what is to be said, each for one process. */
  async takeSaid(): Promise<readonly Message[]> {
    const { state } = this.#cluster;
    const taken = (await state.list(this.#key('said/'))).map(async ({ key, value }) =>
      // Own text: a record of the store.
      (await state.delete(key)) ? [JSON.parse(value) as Message] : [],
    );
    return (await Promise.all(taken)).flat();
  }

  /** Where the log of this process is recorded. */
  record(): RecordedEvents {
    return new RecordedEvents(this.#cluster.state, this.#key(`events/${this.label}/`), this.#cluster.logger);
  }

  /** What another process has sent after an event. */
  recordedAfter({ log, stream, number }: EventPlace): RecordedStream {
    return new RecordedStream(this.#cluster.state, this.#key(`events/${log}/`), stream, number);
  }

  /** Calls this whenever another process has recorded an event of the stream, until what is returned is called. */
  follow({ log, stream }: EventPlace, onEvent: () => void): () => void {
    const name = `${log}/${stream}`;
    const followers = this.#followers.get(name) ?? new Set();
    this.#followers.set(name, followers.add(onEvent));
    return () => {
      followers.delete(onEvent);
      if (followers.size === 0) this.#followers.delete(name);
    };
  }

  /** Tells the process whose event it is that the client reads its stream here. Resolves to what `isTaken` takes. */
  tellRead({ log, stream }: EventPlace): Promise<string> {
    return this.#post({ kind: 'read', stream }, log);
  }

  /** Whether it was heard. */
  async isTaken(told: string): Promise<boolean> {
    return (await this.#cluster.state.get(told)) === undefined;
  }

  /** Whether the process whose event it is lives. */
  isAlive({ log }: Pick<EventPlace, 'log'>): Promise<boolean> {
    return this.#cluster.processes.isAlive(log.slice(0, this.#cluster.processes.own.length));
  }

  #post(mail: JsonObject, to: string = everyone): Promise<string> {
    return this.#mail.post(this.#id, { from: this.label, to }, mail);
  }

  #key(rest: string): string {
    return this.#mail.keyOf(this.#id, rest);
  }

  #receive(mail: JsonObject): void {
    if (mail['kind'] === 'end') {
      this.#hasEnded = true;
      this.#owner?.end();
    } else if (mail['kind'] === 'read') this.#owner?.isRead(String(mail['stream']));
    else this.#owner?.receive(mail['message'] as unknown as Message);
  }

  #changed(key: string): void {
    const [what, name = '', stream = sessionStream] = key.split('/');
    if (what === 'events') for (const onEvent of this.#followers.get(`${name}/${stream}`) ?? []) onEvent();
    if (what === 'said') this.#owner?.hear();
    if (what === 'stream') this.#owner?.moved();
    if (what === 'kept') void this.#tellKept(name).catch(() => {});
  }

  async #tellKept(name: string): Promise<void> {
    const text = await this.#cluster.state.get(this.#key(`kept/${name}`));
    // Own text: a record of the store.
    this.#owner?.set(name, text === undefined ? undefined : (JSON.parse(text) as Request));
  }
}
