import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { Kernel } from '../../../../kernel/index.ts';
import type { ProtocolOptions } from '../../../../plugins/mcp/protocol/clients/connection.ts';
import { EitherClient } from '../../../../plugins/mcp/protocol/clients/either-client.ts';
import { metaKeys } from '../../../../plugins/mcp/protocol/clients/envelope.ts';
import { HostKeys } from '../../../../plugins/shared/keys/host-keys.ts';
import { afterEach } from '../../../support/after-each.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { until } from '../../../support/until.ts';
import { type ConnectOptions, protocolOver } from './client.ts';
import type { Message } from './wire.ts';

export const modernVersion = '2026-07-28';

/** Returns the `_meta` of a client of 2026-07-28, which each request carries. */
export function saysModern(capabilities: ClientCapabilities = {}, more: Readonly<Record<string, unknown>> = {}) {
  return {
    [metaKeys.version]: modernVersion,
    [metaKeys.capabilities]: capabilities,
    [metaKeys.client]: { name: 'test', version: '1.0.0' },
    ...more,
  };
}

export interface ModernOptions extends ConnectOptions {
  /** Epoch ms, for what expires. @default Date.now */
  readonly now?: () => number;
  /** Over what names the key and the folder with what was used. @default a key and a folder of this connection alone */
  readonly env?: Readonly<Record<string, string>>;
  /** Another client of the same server. */
  readonly beside?: ModernClient;
}

export const aKey = 'a key of the tests, of more than 32 bytes';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client of 2026-07-28, connected in memory to a server over this kernel; closed after the test. Messages pass as JSON, as on a wire. */
export class ModernClient {
  /** Every message of the server so far, in order. */
  readonly sent: Message[] = [];
  readonly #server: EitherClient;
  readonly #protocol: ProtocolOptions;
  readonly #meta: Readonly<Record<string, unknown>>;
  #nextId = 1;

  private constructor(kernel: Kernel, { now, env, beside, ...options }: ModernOptions, folder: string) {
    const keys = new HostKeys({
      logger: kernel.logger,
      maskAlso: () => {},
      env: { TOOLKIT_KEY: aKey, XDG_STATE_HOME: folder, ...env },
      ...(now === undefined ? {} : { now }),
    });
    const { capabilities = {}, caller = 'default', name = 'test' } = options;
    const protocol = beside === undefined ? protocolOver(kernel, options, keys) : beside.#protocol;
    this.#protocol = protocol;
    this.#meta = saysModern(capabilities, { [metaKeys.client]: { name, version: '1.0.0' } });
    this.#server = new EitherClient(
      protocol,
      { caller, tenant: caller },
      { send: (message) => void this.sent.push(JSON.parse(JSON.stringify(message)) as Message) },
    );
    closers.push(async () => {
      await this.#server.close();
      protocol.catalog.close();
    });
  }

  static async connect(kernel: Kernel, options: ModernOptions = {}): Promise<ModernClient> {
    return new ModernClient(kernel, options, await temporaryFolder());
  }

  /** Sends a message as it is. */
  send(message: object): void {
    this.#server.receive(JSON.parse(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  /** Sends a request, and gives its id. `_meta` is over what the client says of itself. */
  start(method: string, params: Readonly<Record<string, unknown>> = {}, id: number | string = this.#nextId++): number | string {
    const { _meta, ...rest } = params;
    this.send({ id, method, params: { ...rest, _meta: { ...this.#meta, ...(_meta as object) } } });
    return id;
  }

  /** The answer to the request with this id. */
  answer(id: number | string): Promise<Message> {
    return until(() => this.sent.find((message) => message.id === id && message.method === undefined));
  }

  async ask(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Message> {
    return this.answer(this.start(method, params));
  }

  /** The result of a request; fails where it is an error. */
  async result(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result, error } = await this.ask(method, params);
    if (result === undefined) throw new Error(`${method} was answered with ${JSON.stringify(error)}`);
    return result;
  }

  /** The error of a request; fails where it is a result, or has another code. */
  async refusal(code: number, method: string, params: Readonly<Record<string, unknown>> = {}): Promise<NonNullable<Message['error']>> {
    const { result, error } = await this.ask(method, params);
    expect(error?.code, JSON.stringify(result ?? error)).to.equal(code);
    return error as NonNullable<Message['error']>;
  }

  call(name: string, parameters: object = {}, more: object = {}): Promise<Readonly<Record<string, unknown>>> {
    return this.result('tools/call', { name, arguments: parameters, ...more });
  }

  /** The parameters of the first notification of this method that fits, once it is there. */
  heard(method: string, fits: (params: Readonly<Record<string, unknown>>) => boolean = () => true): Promise<Record<string, unknown>> {
    return until(() => this.notifications(method).find(fits));
  }

  /** The parameters of every notification of this method so far. */
  notifications(method: string): Record<string, unknown>[] {
    return this.sent.flatMap((message) => (message.method === method ? [{ ...message.params }] : []));
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

/** The text of a call that went well. */
export function textIn(result: Readonly<Record<string, unknown>>): string {
  const { content, isError } = result as { content?: { text?: string }[]; isError?: boolean };
  expect(isError, JSON.stringify(result)).to.equal(undefined);
  return (content ?? []).map(({ text = '' }) => text).join('');
}

/** Returns the input requests of a result that waits for its client. Throws for a complete result. */
export function asks(result: Readonly<Record<string, unknown>>): {
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params: Readonly<Record<string, unknown>> }>>;
  readonly requestState: string;
} {
  expect(result['resultType'], JSON.stringify(result)).to.equal('input_required');
  return result as never;
}
