import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo, brokenBy, type Caller, type Message, type Outcome, opening, outcomeOf, type RequestOptions } from './caller.ts';

/** How long the server asks clients to wait before they come back (`retry`), in milliseconds: until then it may not know that they had gone. */
const retryMs = 1000;

interface HttpCallerOptions {
  readonly port: number;
  readonly token: string;
  readonly decide: () => 'accept' | 'decline' | 'cancel';
  /** Told when the stream of the session ends by itself. */
  readonly onLost: (why: string) => void;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** A client over Streamable HTTP, written out, so that it can do what the clients of libraries do not. */
export class HttpCaller implements Caller {
  readonly transport = 'http';
  readonly #options: HttpCallerOptions;
  #agent = new Agent({ keepAlive: true });
  #sessionId: string | undefined;
  #stream: IncomingMessage | undefined;
  #nextId = 1;

  private constructor(options: HttpCallerOptions) {
    this.#options = options;
  }

  static async open(options: HttpCallerOptions): Promise<HttpCaller> {
    const caller = new HttpCaller(options);
    await caller.#open();
    return caller;
  }

  async request(method: string, params: object, { cancelAfterMs, dropAfterMs }: RequestOptions = {}): Promise<Outcome> {
    const id = this.#nextId++;
    let isCancelled = false;
    const cancel = (): void => {
      isCancelled = true;
      this.#post({ method: 'notifications/cancelled', params: { requestId: id } }).catch(() => {});
    };
    const timer = cancelAfterMs === undefined ? undefined : setTimeout(cancel, cancelAfterMs);
    try {
      const response = await this.send({ body: rpc({ id, method, params: { ...params, _meta: { progressToken: id } } }) });
      if (response.statusCode !== 200) return { kind: `http ${response.statusCode}`, text: await textOf(response) };
      const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
      const answer = isStream ? await this.#answerOn(response, id, dropAfterMs) : (JSON.parse(await textOf(response)) as Message);
      if (answer !== undefined) return outcomeOf(answer);
      return isCancelled ? { kind: 'cancelled', text: '' } : { kind: 'broken', text: 'the stream ended without the answer' };
    } catch (error) {
      return brokenBy(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One HTTP request of this session, with other headers where they are given; the answer once its headers are there. */
  send({ method = 'POST', headers = {}, body }: Sent): Promise<IncomingMessage> {
    const all = {
      authorization: `Bearer ${this.#options.token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': this.#sessionId,
      'mcp-protocol-version': this.#sessionId === undefined ? undefined : opening.params.protocolVersion,
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<string, string>;
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port: this.#options.port, path: '/mcp', method, headers: given, agent: this.#agent }, resolve)
        .once('error', reject)
        .end(body);
    });
  }

  async renew(): Promise<void> {
    await this.close();
    await this.#open();
  }

  async vanish(): Promise<void> {
    this.#drop();
    await this.#open();
  }

  mute(): void {
    const stream = this.#stream;
    this.#stream = undefined;
    stream?.destroy();
  }

  rest(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
  }

  async close(): Promise<void> {
    this.mute();
    const { statusCode } = await this.send({ method: 'DELETE' }).then(drained);
    if (statusCode !== 200) this.#options.onLost(`DELETE was answered with ${statusCode}`);
    this.#drop();
  }

  #drop(): void {
    const agent = this.#agent;
    this.#sessionId = undefined;
    this.#agent = new Agent({ keepAlive: true });
    this.mute();
    agent.destroy();
  }

  async #open(): Promise<void> {
    const response = await this.send({ body: rpc({ id: this.#nextId++, ...opening }) }).then(drained);
    if (response.statusCode !== 200) throw new Error(`initialize was answered with ${response.statusCode}`);
    this.#sessionId = String(response.headers['mcp-session-id']);
    await this.#post({ method: 'notifications/initialized' });
    const stream = await this.send({ method: 'GET', headers: { 'content-type': undefined } });
    if (stream.statusCode !== 200) throw new Error(`the stream was answered with ${stream.statusCode}`);
    this.#stream = stream.on('error', () => {}).resume();
    stream.once('close', () => this.#stream === stream && this.#options.onLost('the stream of the session ended'));
  }

  async #post(message: object): Promise<void> {
    await this.send({ body: rpc(message) }).then(drained);
  }

  async #answerOn(response: IncomingMessage, id: number, dropAfterMs: number | undefined): Promise<Message | undefined> {
    let lastEventId: string | undefined;
    let dropsIn = dropAfterMs;
    let stream = response;
    for (;;) {
      let isDropped = false;
      try {
        for await (const event of eventsOf(stream)) {
          lastEventId = event.id ?? lastEventId;
          if (event.message?.id === id && event.message.method === undefined) return event.message;
          if (event.message?.method !== undefined && event.message.id !== undefined)
            await this.#post({ id: event.message.id, ...answerTo(event.message, this.#options.decide) });
          if (dropsIn === undefined || lastEventId === undefined) continue;
          const dropped = stream;
          setTimeout(() => {
            isDropped = true;
            dropped.destroy();
          }, dropsIn);
          dropsIn = undefined;
        }
        if (!isDropped) return undefined;
      } catch (error) {
        if (!isDropped) throw error;
      }
      await wait(retryMs);
      stream = await this.send({ method: 'GET', headers: { 'content-type': undefined, 'last-event-id': lastEventId } });
      if (stream.statusCode !== 200) throw new Error(`resuming was answered with ${stream.statusCode}: ${await textOf(stream)}`);
    }
  }
}

const rpc = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

export async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function drained(response: IncomingMessage): Promise<IncomingMessage> {
  const ended = once(response, 'end');
  response.resume();
  await ended;
  return response;
}

interface StreamEvent {
  readonly id: string | undefined;
  readonly message: Message | undefined;
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<StreamEvent> {
  let rest = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
      const data = fields.get('data');
      if (data !== undefined) yield { id: fields.get('id'), message: data === '' ? undefined : (JSON.parse(data) as Message) };
    }
  }
}
