import type { ToolkitError } from './errors.ts';
import type { HookContext, HookName } from './hooks.ts';
import type { Logger } from './log/logger.ts';
import { StageClock } from './time/stage-clock.ts';
import { timeoutError } from './time/timeout-error.ts';

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
  readonly toolName: string | undefined;
  /** A function of its own, so that it can be taken out of the context. */
  readonly mask: <T>(value: T) => T;
  /** What taps of collecting hooks threw. */
  readonly collected: ToolkitError[] = [];
  readonly #logger: Logger;
  /** Made when somebody asks for the signal: most calls end without. */
  #controller: AbortController | undefined;
  #reason: ToolkitError | undefined;
  #rejectStage: (reason: ToolkitError) => void = () => {};
  #running: { readonly plugin: string } | undefined;
  #limit: { readonly hook: HookName; readonly timeoutMs: number } | undefined;
  /** Of the stage, made when it waits or its clock is to stand still. */
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

  /** Why the run was aborted; undefined while it goes on. */
  get abortReason(): ToolkitError | undefined {
    return this.#reason;
  }

  /** The first reason stays. */
  abort(reason: ToolkitError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#rejectStage(reason);
  }

  pauseClock(): () => void {
    return this.#stageClock().pause();
  }

  /** Throws why the run has ended, also where its time is over and no timer has said so yet. */
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
   * Runs one hook. What does not wait has no time limit; what waits ends at its limit, or at once when the run is aborted, even if plugin code
   * does not listen to the signal.
   */
  stage<T>(hook: HookName, timeoutMs: number, work: () => T | Promise<T>): T | Promise<T> {
    if (this.#reason !== undefined) throw this.#reason;
    this.#running = undefined;
    this.#limit = { hook, timeoutMs };
    this.#clock = undefined;
    const given = work();
    return given instanceof Promise ? this.#waitFor(given, this.#stageClock()) : given;
  }

  #stageClock(): StageClock {
    if (this.#clock !== undefined) return this.#clock;
    const { hook = 'execute', timeoutMs = 0 } = this.#limit ?? {};
    this.#clock = new StageClock(timeoutMs, (state) =>
      this.abort(timeoutError({ hook, timeoutMs, state, tool: this.toolName, plugin: this.#running?.plugin })),
    );
    return this.#clock;
  }

  /** The run waits for something: it can be aborted from outside. */
  protected onWait(): void {}

  #waitFor<T>(work: Promise<T>, clock: StageClock): Promise<T> {
    clock.start();
    return new Promise<T>((resolve, reject) => {
      const end = (reason: unknown): void => {
        clock.stop();
        reject(reason as Error);
      };
      this.#rejectStage = end;
      work.then((value) => {
        clock.stop();
        resolve(value);
      }, end);
      this.onWait();
      if (this.#reason !== undefined) end(this.#reason);
    });
  }
}
