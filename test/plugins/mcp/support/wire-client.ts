import { type Answer, dispatch, EventStream, type Message, messagesOf, type Outgoing, send, token } from './wire.ts';

export const newest = '2025-11-25';

export const initialize = {
  jsonrpc: '2.0',
  id: 'initialize',
  method: 'initialize',
  params: { protocolVersion: newest, capabilities: {}, clientInfo: { name: 'wire', version: '1' } },
};

/** Asks for a session. */
export function open(port: number, headers: Outgoing['headers'] = {}): Promise<Answer> {
  return send(port, { headers, body: JSON.stringify(initialize) });
}

interface CallOptions {
  readonly id?: number | string;
  readonly _meta?: { readonly progressToken: string };
}

/** One open session, request by request. */
export class WireClient {
  readonly port: number;
  readonly headers: { readonly [name: string]: string };
  #nextId = 1;

  private constructor(port: number, headers: WireClient['headers']) {
    this.port = port;
    this.headers = headers;
  }

  /** `said`: what its `initialize` says over that of others. */
  static async open(port: number, ownToken = token, said: object = {}): Promise<WireClient> {
    const authorization = `Bearer ${ownToken}`;
    const opening = { ...initialize, params: { ...initialize.params, ...said } };
    const { status, headers, body } = await send(port, { headers: { authorization }, body: JSON.stringify(opening) });
    if (status !== 200) throw new Error(`initialize was answered with ${status}: ${body}`);
    const client = new WireClient(port, {
      authorization,
      'mcp-session-id': String(headers['mcp-session-id']),
      'mcp-protocol-version': newest,
    });
    await client.post({ method: 'notifications/initialized' });
    return client;
  }

  get sessionId(): string {
    return this.headers['mcp-session-id'] ?? '';
  }

  /** The same client at the server that listens there, such as one that was started again. `more` go over its headers. */
  at(port: number, more: WireClient['headers'] = {}): WireClient {
    return new WireClient(port, { ...this.headers, ...more });
  }

  post(message: object, agent?: Outgoing['agent']): Promise<Answer> {
    return send(this.port, this.#outgoing(message, agent));
  }

  /** The answer to one request. Throws when there is none. */
  async request(method: string, params: object = {}, agent?: Outgoing['agent']): Promise<Message> {
    const id = this.#nextId++;
    const answer = await this.post({ id, method, params }, agent);
    const found = messagesOf(answer).find((message) => message.id === id);
    if (found === undefined) throw new Error(`${method} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`);
    return found;
  }

  call(name: string, parameters: object = {}, agent?: Outgoing['agent']): Promise<Message> {
    return this.request('tools/call', { name, arguments: parameters }, agent);
  }

  /** A call whose stream is read while it runs. */
  async startCall(name: string, parameters: object = {}, { id = this.#nextId++, _meta }: CallOptions = {}): Promise<EventStream> {
    const message = { id, method: 'tools/call', params: { name, arguments: parameters, _meta } };
    return new EventStream(await dispatch(this.port, this.#outgoing(message)));
  }

  /** The stream of the session, or of the event named. */
  async listen(lastEventId?: string): Promise<EventStream> {
    const last = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return new EventStream(await dispatch(this.port, { method: 'GET', headers: { ...this.headers, ...last } }));
  }

  /** Ends the session. */
  end(): Promise<Answer> {
    return send(this.port, { method: 'DELETE', headers: this.headers });
  }

  #outgoing(message: object, agent?: Outgoing['agent']): Outgoing {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return { headers: this.headers, body, ...(agent === undefined ? {} : { agent }) };
  }
}
