import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  type CallOutput,
  type CallRequest,
  type EngineHost,
  type JsonValue,
  type KnownEffect,
  type Tool,
  ToolkitError,
} from '../../../../kernel/index.ts';

export type Script = (request: CallRequest, signal: AbortSignal) => JsonValue | Promise<JsonValue>;

/** The only tool that the host does not have. */
export const unknownTool = 'strange';

/** Tools that the checks of durable calls use. An engine that asks for names of tools gets no others. */
const toolNames = ['act', 'find_act', 'pay', 'sum', 'other', 'mail_read', 'mail_send', 'file_copy', 'file_move'];

/** A stand-in for a kernel: runs calls with a script, and records them. */
export class ScriptedHost implements EngineHost {
  readonly requests: CallRequest[] = [];
  /** Known effects, by `once`. Others are open. */
  readonly effects = new Map<string, KnownEffect>();
  running = 0;
  maxRunning = 0;
  readonly #closing = new AbortController();
  readonly #events = new EventEmitter();
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  readonly toolOf: EngineHost['toolOf'] = (name) =>
    name === unknownTool ? undefined : { provider: name.includes('_') ? name.split('_')[0] : undefined };

  readonly toolNames: EngineHost['toolNames'] = () => toolNames;

  readonly effectOf: EngineHost['effectOf'] = async ({ once }) => this.effects.get(once) ?? { state: 'open' };

  readonly stateOf: EngineHost['stateOf'] = (plugin) => {
    throw new Error(`a scripted host has no plugin "${plugin}": give the engine its store`);
  };

  readonly call = async (request: CallRequest): Promise<CallOutput> => {
    const { tool, signal } = request;
    if (!(signal instanceof AbortSignal)) throw new Error('an engine gives a signal, by which it cancels');
    this.requests.push(request);
    this.running++;
    this.maxRunning = Math.max(this.running, this.maxRunning);
    this.#events.emit('changed');
    try {
      const output = await this.#script(request, AbortSignal.any([signal, this.closing]));
      return { callId: randomUUID(), tool: { name: tool } as Tool, output, meta: {} };
    } finally {
      this.running--;
    }
  };

  /** Closes like a kernel: aborts running calls. */
  close(): void {
    this.#closing.abort();
  }

  /** Resolves when this many calls have begun. */
  async waitForCalls(count: number): Promise<void> {
    while (this.requests.length < count) await once(this.#events, 'changed');
  }
}

/** A promise that is resolved by `open`. */
export class Gate {
  readonly passed: Promise<void>;
  open: () => void = () => {};

  constructor() {
    this.passed = new Promise((resolve) => {
      this.open = resolve;
    });
  }
}

/** Behaves like a tool that obeys its signal. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(ToolkitError.is(signal.reason) ? signal.reason : new ToolkitError('ABORTED', 'It was aborted.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
