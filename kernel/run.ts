import { ToolkitError } from './errors.ts';
import type { HookContext, HookName } from './hooks.ts';
import type { Logger } from './logger.ts';

/** Default time limits in milliseconds. `execute` is the limit of a tool that sets no `timeout_ms`. */
export const defaultTimeoutsMs: Readonly<Record<HookName, number>> = {
  discover: 60_000,
  resolveSecrets: 30_000,
  injectAuth: 10_000,
  beforeExecute: 30_000,
  approve: 300_000,
  execute: 60_000,
  validateOutput: 30_000,
  settled: 10_000,
  serve: 30_000,
  dispose: 10_000,
};

/** One passage through hooks: its abort signal, its clock, and which tap is running. Taps get it as their context. */
export class HookRun implements HookContext {
  readonly logger: Logger;
  readonly toolName: string | undefined;
  /** What taps of collecting hooks threw. */
  readonly collected: ToolkitError[] = [];
  readonly #controller = new AbortController();
  readonly #aborted: Promise<never>;
  #running: { readonly plugin: string } | undefined;

  constructor(logger: Logger, toolName?: string) {
    this.logger = logger;
    this.toolName = toolName;
    this.#aborted = new Promise((_, reject) => {
      this.#controller.signal.addEventListener('abort', () => reject(this.#controller.signal.reason), { once: true });
    });
    this.#aborted.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: ToolkitError): void {
    this.#controller.abort(reason);
  }

  enter(tap: { readonly plugin: string }): void {
    this.#running = tap;
  }

  collect(error: ToolkitError): void {
    this.collected.push(error);
  }

  /** Runs one hook under its time limit. Ends at once when the run is aborted, even if plugin code does not listen to the signal. */
  async stage<T>(hook: HookName, timeoutMs: number, work: () => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    this.#running = undefined;
    const timer = setTimeout(() => this.abort(this.#timeoutError(hook, timeoutMs)), timeoutMs);
    try {
      return await Promise.race([work(), this.#aborted]);
    } finally {
      clearTimeout(timer);
    }
  }

  #timeoutError(hook: HookName, timeoutMs: number): ToolkitError {
    const plugin = this.#running?.plugin;
    const subject = hook === 'execute' ? `The tool "${this.toolName}"` : `Plugin "${plugin ?? '(none)'}" in "${hook}"`;
    const advice = hook === 'execute' ? 'Raise "execution.timeout_ms", or ask for less' : `Raise timeoutsMs.${hook} in the configuration`;
    return new ToolkitError('TIMEOUT', `${subject} did not end within ${timeoutMs} ms and was stopped. ${advice}.`, {
      hook,
      timeoutMs,
      ...(plugin === undefined ? {} : { plugin }),
      ...(this.toolName === undefined ? {} : { tool: this.toolName }),
    });
  }
}
