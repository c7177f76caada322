import { type Progress, ToolkitError, writeMarked } from '../../../kernel/index.ts';
import { type RefusedLine, refusedLineError } from '../../shared/json-rpc/lines.ts';
import { type ErrorObject, errorCodes, type Message, type Parameters, type RequestId } from '../../shared/json-rpc/message.ts';
import { Incoming, Peer } from '../../shared/json-rpc/peer.ts';
import { hostErrorObject } from './errors.ts';
import { readLine } from './message.ts';

/** Maximum length of a line in both directions, in bytes. */
export const maxLineBytes = 64 * 1024 * 1024;

export interface HostPeerOptions {
  /** Sends one line, without its line end. */
  readonly send: (line: string) => void;
  /** Handles a request. Returns its result, or throws an error that `hostErrorObject` converts. */
  readonly handle: (method: string, params: Parameters, request: HostRequest) => unknown;
  /** True when the other side has much unread output; optional notifications are dropped then. */
  readonly isBehind: () => boolean;
  /** Masks secrets in error objects. */
  readonly mask: <T>(value: T) => T;
}

export interface AskOptions {
  /** Aborts the request: the other side is notified, and its response is ignored. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the other side has obtained a secret that this side must mask. */
  readonly onMask?: (name: unknown, value: unknown) => void;
}

/** A running request of the other side. */
export class HostRequest extends Incoming {
  /** Sends the progress of this request to the other side. */
  progress({ progress, total, message }: Progress): void {
    this.notify('$/progress', {
      id: this.id,
      ...(progress === undefined ? {} : { progress }),
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }
}

/** One side of the host's protocol: JSON-RPC by lines in both directions, with cancellation (`$/cancel`) and progress (`$/progress`). */
export class HostPeer {
  readonly #options: HostPeerOptions;
  readonly #peer: Peer;
  #isClosed = false;

  constructor(options: HostPeerOptions) {
    this.#options = options;
    this.#peer = new Peer({
      wire: { send: (message) => this.#send(message) },
      cancellation: (id) => ({ method: '$/cancel', params: { id } }),
      errorOf: hostErrorObject,
    });
  }

  /** Handles a line of the other side. Never throws. */
  receive(line: string): void {
    if (this.#isClosed) return;
    const message = readLine(line);
    if (message.kind === 'request') this.#start(message.id, message.method, message.params);
    else if (message.kind === 'notification') this.#notice(message.method, message.params);
    else if (message.kind === 'answer') this.#peer.receive(message);
    else if (message.kind === 'wrong') this.#sendError(message.id, message.error);
  }

  /** Answers a line that could not be read with an error. */
  refuse(refused: RefusedLine): void {
    const { id, error } = refusedLineError(refused);
    // A response: its request fails.
    if (refused.id !== undefined && refused.method === undefined) this.#peer.receive({ id: refused.id, error });
    this.#sendError(id, error);
  }

  /** Sends a request to the other side. Rejects with RpcError for an error response, with the reason of the signal, and with ABORTED when the peer closes. */
  ask(method: string, params: object, { signal, onProgress, onMask }: AskOptions = {}): Promise<unknown> {
    return this.#peer.ask(method, params as Parameters, {
      signal,
      onNotification: (name, about) => {
        if (name === '$/progress') onProgress?.(progressIn(about));
        if (name === '$/mask') onMask?.(about['name'], about['value']);
      },
    });
  }

  notify(method: string, params: object): void {
    this.#send({ jsonrpc: '2.0', method, params: params as Parameters });
  }

  /** Ends the requests of both sides. Nothing is sent from now on. */
  close(reason: ToolkitError): void {
    this.#isClosed = true;
    this.#peer.close(reason);
  }

  #start(id: RequestId, method: string, params: Parameters): void {
    if (this.#peer.isRunning(id)) {
      const message = `The id ${JSON.stringify(id)} is that of a request which still runs.`;
      this.#sendError(id, { code: errorCodes.invalidRequest, message });
      return;
    }
    const request = new HostRequest(id, { send: (message) => this.#sendOfRequest(message) }, undefined);
    this.#peer.run(request, () => {
      const result = this.#options.handle(method, params, request);
      return result instanceof Promise ? result.then((given: unknown) => given ?? {}) : (result ?? {});
    });
  }

  #notice(method: string, params: Parameters): void {
    const id = params['id'] as RequestId;
    const reason = new ToolkitError('ABORTED', 'The request was cancelled by its caller.');
    if (method !== '$/cancel') this.#peer.inform(id, method, params);
    else if (this.#peer.cancel(id, reason)) this.#sendError(id, hostErrorObject(reason));
  }

  /** Sends a message of a running request. A slow client gets no progress. */
  #sendOfRequest(message: Message): void {
    if (!('method' in message) || !this.#options.isBehind()) this.#send(message);
  }

  #send(message: Message): void {
    if (this.#isClosed) return;
    if ('error' in message) {
      this.#sendError(message.id, message.error);
      return;
    }
    let line: string;
    try {
      line = lineOf(message);
    } catch (error) {
      // A request of this side is refused to its caller.
      if (!('result' in message)) throw error;
      this.#sendError(message.id, hostErrorObject(error));
      return;
    }
    this.#options.send(line);
  }

  #sendError(id: RequestId | null, error: ErrorObject): void {
    if (!this.#isClosed) this.#options.send(lineOf({ jsonrpc: '2.0', id, error: this.#options.mask(error) }));
  }
}

/** Returns the message as JSON. Throws OUTPUT_TOO_LARGE for a message over `maxLineBytes`. */
function lineOf(message: object): string {
  const line = writeMarked(message) as string;
  // A UTF-16 unit has at most three bytes in UTF-8.
  if (line.length * 3 > maxLineBytes && Buffer.byteLength(line) >= maxLineBytes)
    throw new ToolkitError('OUTPUT_TOO_LARGE', `The message has over ${maxLineBytes} bytes, which no line may have. Ask for less at once.`);
  return line;
}

function progressIn({ progress, total, message }: Parameters): Progress {
  return {
    ...(typeof progress === 'number' ? { progress } : {}),
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message } : {}),
  };
}
