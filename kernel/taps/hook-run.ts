import { setMaxListeners } from 'node:events';
import { ToolkitError } from '../errors.ts';
import type { Logger } from '../log/logger.ts';
import { StageClock } from '../time/stage-clock.ts';
import type { Span } from '../trace/span.ts';
import { type EndStage, startStage } from '../trace/stage-span.ts';
import type { HookContext } from './hook-context.ts';
import type { HookName } from './hook-names.ts';
import { timeoutError } from './timeout-error.ts';

/** One run through hooks: its abort signal, its clock, and the running tap. It is the context of the taps. */
export class HookRun implements HookContext {
  readonly toolName: string | undefined;
  /** A function and not a method, so that a tap can destructure it from the context. */
  readonly mask: <T>(value: T) => T;
  /** The span of the run: active in its stages, each of which has a span within it when it waits. */
  span: Span | undefined;
  /** Errors thrown by taps of collecting hooks. */
  readonly collected: ToolkitError[] = [];
  readonly #logger: Logger;
  /** Created on the first use of the signal: most calls never use it. */
  #controller: AbortController | undefined;
  #reason: ToolkitError | undefined;
  #rejectStage: (reason: ToolkitError) => void = () => {};
  #running: { readonly plugin: string } | undefined;
  #limit: { readonly hook: HookName; readonly timeoutMs: number } | undefined;
  /** The clock of the stage, created when the stage waits or the clock is paused. */
  #clock: StageClock | undefined;

  constructor(logger: Logger, mask: <T>(value: T) => T, toolName?: string) {
    this.#logger = logger;
    this.mask = mask;
    this.toolName = toolName;
  }

  get logger(): Logger {
    return this.#logger;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The reason of the abort; undefined while the run goes on. */
  get abortReason(): ToolkitError | undefined {
    return this.#reason;
  }

  /** Aborts the run. The first reason stays. */
  abort(reason: ToolkitError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#rejectStage(reason);
  }

  /** Aborts the run when its caller cancels. Returns a function that stops following the signal. */
  follow(signal: AbortSignal): () => void {
    const abort = (): void => this.abort(cancelled(signal));
    if (signal.aborted) abort();
    // Many calls may share one signal: Node would warn of a leak.
    if (signal instanceof EventTarget) setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
    return () => signal.removeEventListener('abort', abort);
  }

  pauseClock(): () => void {
    return this.#stageClock().pause();
  }

  /** Throws the abort reason, also when the time is over and no timer has fired yet. */
  refuseLate(): void {
    this.#clock?.endIfOver();
    if (this.#reason !== undefined) throw this.#reason;
  }

  enter(tap: { readonly plugin: string }): void {
    this.#running = tap;
  }

  collect(error: ToolkitError): void {
    this.collected.push(error);
  }

  /**
   * Runs one hook. Synchronous work has no time limit. Asynchronous work ends at its limit, or at once when the run is aborted, even if
   * plugin code ignores the signal. `step`: the name of the work, where the stage has several.
   */
  stage<T>(hook: HookName, timeoutMs: number, work: () => T | Promise<T>, step?: string): T | Promise<T> {
    if (this.#reason !== undefined) throw this.#reason;
    this.#running = undefined;
    this.#limit = { hook, timeoutMs };
    this.#clock = undefined;
    const { span } = this;
    const given = span === undefined ? work() : span.run(work);
    if (!(given instanceof Promise)) return given;
    return this.#waitFor(given, this.#stageClock(), span === undefined ? undefined : startStage(span, hook, step));
  }

  #stageClock(): StageClock {
    if (this.#clock !== undefined) return this.#clock;
    const { hook = 'execute', timeoutMs = 0 } = this.#limit ?? {};
    this.#clock = new StageClock(timeoutMs, (state) =>
      this.abort(timeoutError({ hook, timeoutMs, state, tool: this.toolName, plugin: this.#running?.plugin })),
    );
    return this.#clock;
  }

  /** Runs when the run first waits: from then on it can be aborted from outside. */
  protected onWait(): void {}

  #waitFor<T>(work: Promise<T>, clock: StageClock, ended: EndStage | undefined): Promise<T> {
    clock.start();
    return new Promise<T>((resolve, reject) => {
      const end = (reason: unknown): void => {
        clock.stop();
        ended?.(reason);
        reject(reason as Error);
      };
      this.#rejectStage = end;
      work.then((value) => {
        clock.stop();
        ended?.();
        resolve(value);
      }, end);
      this.onWait();
      if (this.#reason !== undefined) end(this.#reason);
    });
  }
}

/** Returns the error of a call whose caller aborted its signal. */
export function cancelled({ reason }: AbortSignal): ToolkitError {
  if (ToolkitError.is(reason)) return reason;
  // `AbortSignal.timeout`: the caller has not changed its mind.
  const isLost = reason instanceof DOMException && reason.name === 'TimeoutError';
  return new ToolkitError('ABORTED', 'The call was cancelled by its caller.', isLost ? { isLost } : {});
}
