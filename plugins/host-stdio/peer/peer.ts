import { type Progress, ToolkitError, writeMarked } from '../../../kernel/index.ts';
import type { RefusedLine } from '../../shared/json-rpc/line-gate.ts';
import { Incoming } from './incoming.ts';
import { type ErrorObject, errorCodes, type Parameters, type RequestId, readMessage } from './message.ts';
import { errorObject, RpcError } from './rpc-error.ts';

/** Maximum length of a line in both directions, in bytes. */
export const maxLineBytes = 64 * 1024 * 1024;

export interface PeerOptions {
  /** Sends one line, without its line end. */
  readonly send: (line: string) => void;
  /** Handles a request. Returns its result, or throws an error that `errorObject` converts. */
  readonly handle: (method: string, params: Parameters, request: Incoming) => unknown;
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

interface PendingRequest {
  readonly end: (answer: { readonly result: unknown } | { readonly error: unknown }) => void;
  readonly onProgress: AskOptions['onProgress'];
  readonly onMask: AskOptions['onMask'];
}

/** One side of the protocol: JSON-RPC 2.0 in both directions, with cancellation and progress. */
export class Peer {
  readonly #options: PeerOptions;
  readonly #incoming = new Map<RequestId, Incoming>();
  readonly #pending = new Map<RequestId, PendingRequest>();
  #lastId = 0;
  #closed: Error | undefined;

  constructor(options: PeerOptions) {
    this.#options = options;
  }

  /** Handles a line of the other side. Never throws. */
  receive(line: string): void {
    if (this.#closed !== undefined) return;
    const message = readMessage(line);
    if (message.kind === 'request') this.#start(message.id, message.method, message.params);
    else if (message.kind === 'notification') this.#notice(message.method, message.params);
    else if (message.kind === 'answer')
      this.#pending.get(message.id)?.end(message.error === undefined ? { result: message.result } : { error: new RpcError(message.error) });
    else if (message.kind === 'wrong') this.#sendError(message.id, message.error);
  }

  /** Answers a line that could not be read with an error. */
  refuse({ id, method, problem, isUtf8 }: RefusedLine): void {
    const [code, advice] = isUtf8 === false ? [errorCodes.parse, 'Send JSON in UTF-8.'] : [errorCodes.invalidRequest, 'Send less at once.'];
    const error = { code, message: `The message was not read: it ${problem}. ${advice}` };
    if (id !== undefined && method === undefined) this.#pending.get(id)?.end({ error: new RpcError(error) });
    this.#sendError(method === undefined || id === undefined ? null : id, error);
  }

  /** Sends a request to the other side. Rejects with RpcError for an error response, with the reason of the signal, and with ABORTED when the peer closes. */
  async ask(method: string, params: object, { signal, onProgress, onMask }: AskOptions = {}): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#closed !== undefined) throw this.#closed;
    this.#lastId += 1;
    const id = this.#lastId;
    const line = text({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.notify('$/cancel', { id });
        pending.end({ error: signal?.reason });
      };
      const pending: PendingRequest = {
        onProgress,
        onMask,
        end: (answer) => {
          if (!this.#pending.delete(id)) return;
          signal?.removeEventListener('abort', cancel);
          if ('error' in answer) reject(answer.error as Error);
          else resolve(answer.result);
        },
      };
      this.#pending.set(id, pending);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#options.send(line);
    });
  }

  notify(method: string, params: object): void {
    if (this.#closed === undefined) this.#options.send(text({ jsonrpc: '2.0', method, params }));
  }

  /** Ends the requests of both sides. Nothing is sent from now on. */
  close(reason: Error): void {
    this.#closed ??= reason;
    for (const request of this.#incoming.values()) request.abort(reason);
    this.#incoming.clear();
    for (const pending of [...this.#pending.values()]) pending.end({ error: reason });
  }

  #start(id: RequestId, method: string, params: Parameters): void {
    if (this.#incoming.has(id)) {
      this.#sendError(id, {
        code: errorCodes.invalidRequest,
        message: `The id ${JSON.stringify(id)} is that of a request which still runs.`,
      });
      return;
    }
    const request = new Incoming(id, (progress) => {
      if (this.#incoming.get(id) === request && !this.#options.isBehind()) this.notify('$/progress', progress);
    });
    this.#incoming.set(id, request);
    const end = (answer: () => void): void => {
      if (this.#incoming.get(id) !== request) return;
      this.#incoming.delete(id);
      answer();
    };
    const succeed = (result: unknown): void => end(() => this.#sendResult(id, result));
    const fail = (error: unknown): void => end(() => this.#sendError(id, errorObject(error)));
    try {
      const given = this.#options.handle(method, params, request);
      if (given instanceof Promise) given.then(succeed, fail);
      else succeed(given);
    } catch (error) {
      fail(error);
    }
  }

  #notice(method: string, params: Parameters): void {
    const id = params['id'] as RequestId;
    if (method === '$/cancel') this.#cancel(id);
    if (method === '$/progress') this.#pending.get(id)?.onProgress?.(progressIn(params));
    if (method === '$/mask') this.#pending.get(id)?.onMask?.(params['name'], params['value']);
  }

  #cancel(id: RequestId): void {
    const request = this.#incoming.get(id);
    if (request === undefined) return;
    this.#incoming.delete(id);
    const reason = new ToolkitError('ABORTED', 'The request was cancelled by its caller.');
    request.abort(reason);
    this.#sendError(id, errorObject(reason));
  }

  #sendResult(id: RequestId, result: unknown): void {
    let line: string;
    try {
      line = text({ jsonrpc: '2.0', id, result: result ?? {} });
    } catch (error) {
      this.#sendError(id, errorObject(error));
      return;
    }
    this.#options.send(line);
  }

  #sendError(id: RequestId | null, error: ErrorObject): void {
    if (this.#closed === undefined) this.#options.send(text({ jsonrpc: '2.0', id, error: this.#options.mask(error) }));
  }
}

/** Returns the message as JSON. Throws OUTPUT_TOO_LARGE for a message over `maxLineBytes`. */
function text(message: object): string {
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
