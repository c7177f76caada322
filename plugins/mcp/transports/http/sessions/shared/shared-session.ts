import { hash, randomBytes } from 'node:crypto';
import { type JsonObject, messageOf } from '../../../../../../kernel/index.ts';
import { isRequest, type Message, type Request, type RequestId } from '../../../../../shared/json-rpc/message.ts';
import { isLater, parseStored, recordSteps, toStored } from '../../../../../shared/state/record-versions.ts';
import type { Cluster } from '../../../../cluster/cluster.ts';
import { allMembers, type Mailbox } from '../../../../cluster/mailbox.ts';
import { type EventId, sessionStream } from '../event-log.ts';
import { type ClientSettings, settingName } from './client-settings.ts';
import { type EventRecord, type ReadRecorded, recordEvents, recordedReader } from './recorded-events.ts';
import { type StreamClaim, streamClaim } from './stream-claim.ts';

/** Lifetime of a client's settings in the store, in milliseconds: as long as its session can be resumed. */
const settingTtlMs = 7 * 24 * 60 * 60_000;

/** Lifetime of a pending notification, which waits for the session's stream, in milliseconds. */
const pendingTtlMs = 60 * 60_000;

/** Maximum length of the id or reason of a cancellation that other processes receive, in characters. */
const maxCancelChars = 1000;

/** Callbacks for the messages of other processes about a session. */
export interface SharedSessionOwner {
  /** Handles a message of the client that arrived at another process. */
  receive(message: Message): void;
  /** Called when the client has ended the session. */
  end(): void;
  /** Called when a client reads this stream at another process. */
  onStreamRead(stream: string): void;
  /** Called when notifications may be pending for the session's stream. */
  sendPending(): void;
  /** Called when another process may have the session's stream. */
  onMoved(): void;
  /** Called when the client changed a setting at another process. `request`: undefined when it removed the setting. */
  set(name: string, request: Request | undefined): void;
}

/** This process's handle on a session that several processes have: their messages and their common state. */
export class SharedSession {
  /** Address of this handle: 16 hexadecimal digits, which begin with the name of the process. */
  readonly label: string;
  readonly stream: StreamClaim;
  /** Settings that the client made, here and at other processes. */
  readonly settings: ClientSettings = { byName: new Map(), pending: new Map() };
  readonly #cluster: Cluster;
  readonly #mail: Mailbox;
  readonly #id: string;
  readonly #leave: () => void;
  readonly #followers = new Map<string, Set<() => void>>();
  #owner: SharedSessionOwner | undefined;
  #hasEnded = false;

  /** Joins the session. `id`: a digest of its id. */
  constructor(cluster: Cluster, id: string) {
    this.#cluster = cluster;
    this.#mail = cluster.sessions;
    this.#id = id;
    this.label = cluster.processes.ownName + randomBytes(4).toString('hex');
    this.stream = streamClaim({
      state: cluster.state,
      key: this.#key('stream'),
      label: this.label,
      isAlive: (label) => this.isAlive({ log: label }),
    });
    this.#leave = this.#mail.join(id, {
      label: this.label,
      receive: (mail) => this.#receive(mail),
      onChange: (key) => this.#changed(key),
    });
  }

  /** True when this process knows that the client has ended the session. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  attach(owner: SharedSessionOwner): void {
    this.#owner = owner;
  }

  /** Leaves the session: no more messages arrive. */
  leave(): void {
    this.#owner = undefined;
    this.#leave();
  }

  /** Returns a message to the client with an id that no other process uses. */
  outgoing(message: Message): Message {
    if (!('method' in message)) return message;
    if (isRequest(message)) return { ...message, id: `${this.label}-${message.id}` };
    const requestId = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined;
    return requestId === undefined ? message : { ...message, params: { ...message.params, requestId: `${this.label}-${requestId}` } };
  }

  /** Returns the client's response to a request of this process; undefined for a response that another process gets, or to no request. */
  async incoming(message: Message & { readonly id: RequestId }): Promise<Message | undefined> {
    const [, label = '', number = ''] = /^([0-9a-f]{16})-(\d{1,15})$/.exec(String(message.id)) ?? [];
    const own = { ...message, id: Number(number) } as Message;
    if (label === this.label) return own;
    if (label !== '') await this.#post({ kind: 'message', message: own as unknown as JsonObject }, label);
    return undefined;
  }

  /** Forwards the client's cancellation of a request that does not run here. */
  async cancel({ params }: { readonly params?: { readonly requestId?: unknown; readonly reason?: unknown } }): Promise<void> {
    const { requestId, reason } = params ?? {};
    const isId = typeof requestId === 'number' || (typeof requestId === 'string' && requestId.length <= maxCancelChars);
    if (!isId) return;
    const why = typeof reason === 'string' ? { reason: reason.slice(0, maxCancelChars) } : {};
    await this.#post({
      kind: 'message',
      message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, ...why } },
    });
  }

  /** Ends the session at all processes for its client. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const { state } = this.#cluster;
    await state.delete(this.#key('opening'));
    await this.#post({ kind: 'end' });
    const stored = await state.list(this.#key('kept/'));
    await Promise.all(stored.map(({ key }) => state.delete(key)));
  }

  /** Loads the settings that the client made at other processes. */
  async loadSettings(): Promise<void> {
    const prefix = this.#key('kept/');
    for (const { key, value } of await this.#cluster.state.list(prefix)) {
      const request = readRequest(value);
      if (request !== undefined) this.settings.byName.set(key.slice(prefix.length), request);
    }
  }

  /** Stores a setting of the client, which holds at every process. */
  async storeSetting({ method, params }: Request): Promise<void> {
    const key = this.#key(`kept/${settingName(method, params)}`);
    if (method === 'resources/unsubscribe') await this.#cluster.state.delete(key);
    else
      await this.#cluster.state.set(key, toStored({ jsonrpc: '2.0', id: '', method, params }, recordSteps['session request']), {
        ttlMs: settingTtlMs,
      });
  }

  /** Queues a notification for the session's stream, at any process. Equal notifications are sent once. */
  queueNotification(message: Message): void {
    const text = JSON.stringify(message);
    const key = this.#key(`said/${hash('sha256', text, 'base64url')}`);
    this.#cluster.state
      .set(key, text, { ttlMs: pendingTtlMs })
      .catch((error: unknown) => this.#cluster.logger.warn(`a client was not told that a list has changed: ${messageOf(error)}`));
  }

  /** Stores the `initialize` of a session whose id does not carry it. */
  async storeInitialize(request: Request, caller: string): Promise<void> {
    await this.#cluster.state.set(this.#key('opening'), toStored({ ...request, caller }, recordSteps['session request']), {
      ttlMs: settingTtlMs,
    });
  }

  /** Returns the stored `initialize` with its caller. */
  async storedInitialize(): Promise<(Request & { readonly caller: string }) | undefined> {
    const text = await this.#cluster.state.get(this.#key('opening'));
    return text === undefined ? undefined : readRequest<Request & { readonly caller: string }>(text);
  }

  /** Takes the pending notifications. Each goes to one process only. */
  async drainPending(): Promise<readonly Message[]> {
    const { state } = this.#cluster;
    const taken = (await state.list(this.#key('said/'))).map(async ({ key, value }) =>
      // Own text: a record of the store.
      (await state.delete(key)) ? [JSON.parse(value) as Message] : [],
    );
    return (await Promise.all(taken)).flat();
  }

  /** Returns the writer that records the log of this process. */
  record(): EventRecord {
    return recordEvents(this.#cluster.state, this.#key(`events/${this.label}/`), this.#cluster.logger);
  }

  /** Returns the reader for another process's events after this one. */
  recordedAfter({ log, stream, number }: EventId): ReadRecorded {
    return recordedReader(this.#cluster.state, this.#key(`events/${log}/`), stream, number);
  }

  /** Calls `onEvent` when another process has recorded an event of the stream. Returns a function that ends this. */
  follow({ log, stream }: EventId, onEvent: () => void): () => void {
    const name = `${log}/${stream}`;
    const followers = this.#followers.get(name) ?? new Set();
    this.#followers.set(name, followers.add(onEvent));
    return () => {
      followers.delete(onEvent);
      if (followers.size === 0) this.#followers.delete(name);
    };
  }

  /** Notifies the writing process that the client reads its stream here. Resolves to the notice, for `isReceived`. */
  notifyRead({ log, stream }: EventId): Promise<string> {
    return this.#post({ kind: 'read', stream }, log);
  }

  /** Returns true when the notice was read. */
  async isReceived(notice: string): Promise<boolean> {
    return (await this.#cluster.state.get(notice)) === undefined;
  }

  /** Returns true while the writing process is alive. */
  isAlive({ log }: Pick<EventId, 'log'>): Promise<boolean> {
    return this.#cluster.processes.isAlive(log.slice(0, this.#cluster.processes.ownName.length));
  }

  #post(mail: JsonObject, to: string = allMembers): Promise<string> {
    return this.#mail.post(this.#id, { from: this.label, to }, mail);
  }

  #key(rest: string): string {
    return this.#mail.keyOf(this.#id, rest);
  }

  #receive(mail: JsonObject): void {
    if (mail['kind'] === 'end') {
      this.#hasEnded = true;
      this.#owner?.end();
    } else if (mail['kind'] === 'read') this.#owner?.onStreamRead(String(mail['stream']));
    else this.#owner?.receive(mail['message'] as unknown as Message);
  }

  #changed(key: string): void {
    const [what, name = '', stream = sessionStream] = key.split('/');
    if (what === 'events') for (const onEvent of this.#followers.get(`${name}/${stream}`) ?? []) onEvent();
    if (what === 'said') this.#owner?.sendPending();
    if (what === 'stream') this.#owner?.onMoved();
    if (what === 'kept') void this.#tellKept(name).catch(() => {});
  }

  async #tellKept(name: string): Promise<void> {
    const text = await this.#cluster.state.get(this.#key(`kept/${name}`));
    this.#owner?.set(name, text === undefined ? undefined : readRequest(text));
  }
}

/** Parses a stored request. Undefined for one that a later version of this program wrote. */
function readRequest<T extends Request = Request>(text: string): T | undefined {
  const request = parseStored<T>(text, recordSteps['session request']);
  return isLater(request) ? undefined : request;
}
