import type { Writable } from 'node:stream';
import Type from 'typebox';
import { checkValue, didYouMean, isPlainObject } from '../../kernel/index.ts';
import { errorCodes, type Parameters } from '../shared/json-rpc/message.ts';
import { RpcError } from '../shared/json-rpc/rpc-error.ts';
import { version } from '../shared/project/version.ts';
import { callbackNames, clientCallbacks } from './client/callbacks.ts';
import { ClientFunctions } from './client/client-functions.ts';
import { clientPlugin } from './client/client-plugin.ts';
import type { ClientParts, HostParts } from './host-parts.ts';
import { FunctionsSchema, refuseMissing } from './methods/functions.ts';
import { stateOf } from './methods/lifecycle.ts';
import { methods } from './methods/methods.ts';
import type { OpenHost } from './open-host.ts';
import { invalidParameters } from './peer/errors.ts';
import type { HostPeer, HostRequest } from './peer/host-peer.ts';
import { RunningServers } from './running-servers.ts';

const protocolVersion = 1;

const InitializeSchema = Type.Object(
  {
    protocol: Type.Integer(),
    client: Type.Object({ name: Type.String({ minLength: 1 }), version: Type.String() }),
    options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    callbacks: Type.Optional(Type.Array(Type.Enum([...callbackNames]))),
    functions: Type.Optional(FunctionsSchema),
  },
  { additionalProperties: false },
);

interface SessionOptions {
  readonly loadParts: () => Promise<HostParts>;
  /** True when the client has much unread output. */
  readonly isBehind: () => boolean;
  /** Standard output, where the client does not use it itself. */
  readonly standardOutput: Writable | undefined;
  /** Ends the process after the client has read the response to `close`. */
  readonly onClose: () => void;
}

/** The session of one client, from `initialize` to the end. */
export class Session {
  readonly #peer: HostPeer;
  readonly #options: SessionOptions;
  #initializing: Promise<unknown> | undefined;
  #host: OpenHost | undefined;
  #closed: Promise<void> | undefined;

  constructor(peer: HostPeer, options: SessionOptions) {
    this.#peer = peer;
    this.#options = options;
  }

  /** Handles a request. Throws RpcError and ToolkitError. */
  handle(method: string, params: Parameters, request: HostRequest): unknown {
    if (method === 'initialize') return this.#initialize(params, request);
    const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (known === undefined)
      throw new RpcError(
        errorCodes.methodNotFound,
        `There is no method "${method}".${didYouMean(method, ['initialize', ...Object.keys(methods)])}`,
      );
    const host = this.#host;
    if (host === undefined) return this.#afterInitialize(() => this.handle(method, params, request));
    const result = known.run(method, params, host, request);
    if (known.isMasked) return result;
    const { kernel } = host.toolkit;
    return result instanceof Promise ? result.then((resolved) => kernel.mask(resolved)) : kernel.mask(result);
  }

  mask<T>(value: T): T {
    return this.#host === undefined ? value : this.#host.toolkit.kernel.mask(value);
  }

  /** Ends everything that was started. A second call does nothing more. */
  close(drainMs = 0): Promise<void> {
    this.#closed ??= this.#close(drainMs);
    return this.#closed;
  }

  async #close(drainMs: number): Promise<void> {
    await this.#initializing?.catch(() => {});
    await Promise.all([this.#host?.servers.close(drainMs), this.#host?.toolkit.close({ drainMs })]);
  }

  /** Delays requests until the tools are loaded. */
  #afterInitialize(work: () => unknown): unknown {
    if (this.#initializing !== undefined) return this.#initializing.then(work);
    throw new RpcError(errorCodes.invalidRequest, 'The first request must be "initialize". Send it, then this one again.');
  }

  #initialize(params: Parameters, request: HostRequest): unknown {
    if (this.#initializing !== undefined)
      throw new RpcError(errorCodes.invalidRequest, '"initialize" was sent before. Send it once for each connection.');
    const issues = checkValue(InitializeSchema, params);
    if (issues.length > 0) throw invalidParameters('initialize', issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '));
    const initializing = this.#open(params as unknown as Type.Static<typeof InitializeSchema>, request);
    this.#initializing = initializing;
    // After a failed `initialize` the client may try again.
    initializing.catch(() => {
      this.#initializing = undefined;
    });
    return initializing;
  }

  async #open(params: Type.Static<typeof InitializeSchema>, request: HostRequest): Promise<object> {
    const { protocol, options = {}, callbacks = [], functions: given = [] } = params;
    if (protocol !== protocolVersion)
      throw invalidParameters(
        'initialize',
        `protocol expected ${protocolVersion}, received ${protocol}: install versions that go together`,
      );
    const peer = this.#peer;
    const functions = new ClientFunctions(peer);
    functions.add(given);
    const client = {
      ...clientCallbacks({ peer, isBehind: this.#options.isBehind }, callbacks),
      plugin: () => clientPlugin({ peer, functions, resolvesSecrets: callbacks.includes('resolveSecrets') }),
    };
    const parts = await this.#options.loadParts();
    const toolkit = await parts.openToolkit(options, client);
    try {
      refuseMissing(
        toolkit.kernel,
        given.map(({ name }) => name),
      );
      request.signal.throwIfAborted();
    } catch (error) {
      await toolkit.close();
      throw error;
    }
    const servers = new RunningServers((id) => peer.notify('server/ended', { id }));
    const end = async (drainMs: number): Promise<void> => {
      await this.close(drainMs);
      this.#options.onClose();
    };
    toolkit.kernel.onReload(() => peer.notify('tools/changed', {}));
    const { onApproval } = client;
    const approve = onApproval === undefined || doesGateAsk(options) ? undefined : approvalCallback(onApproval);
    const { standardOutput } = this.#options;
    this.#host = { parts, toolkit, options, client, functions, servers, approve, standardOutput, end };
    return { protocol: protocolVersion, program: { name: 'toolkit', version, node: process.versions.node }, ...stateOf(toolkit.kernel) };
  }
}

/** Returns true when the approval gate asks a person itself. */
function doesGateAsk({ approval }: Readonly<Record<string, unknown>>): boolean {
  return isPlainObject(approval) && (approval['mode'] === 'elicit' || approval['mode'] === 'strict');
}

function approvalCallback(onApproval: NonNullable<ClientParts['onApproval']>): NonNullable<OpenHost['approve']> {
  return ({ request }, signal) => onApproval(request, signal);
}
