import { createContext, Script } from 'node:vm';

export interface ProcessorTimeOptions {
  /** Limit of one run in milliseconds, which also ends the runs after it. */
  readonly timeoutMs: number;
  /** Runs after which a machine that gives no processor is no excuse. @default 8 */
  readonly maxRuns?: number;
}

/**
 * Wraps a pure function with a time limit. It ends loops and regular expressions: the engine stops all code that the function calls. The engine
 * measures time by the clock, in which a busy machine may have run something else: who had less than half of it runs again.
 * Throws ERR_SCRIPT_EXECUTION_TIMEOUT.
 */
export function withProcessorTime<A, R>(work: (argument: A) => R, { timeoutMs, maxRuns = 8 }: ProcessorTimeOptions): (argument: A) => R {
  const script = new Script('run()');
  const sandbox: { run?: () => R } = {};
  const context = createContext(sandbox);
  return (argument) => {
    sandbox.run = () => work(argument);
    const before = process.cpuUsage();
    try {
      for (let runs = 1; ; runs += 1) {
        try {
          return script.runInContext(context, { timeout: timeoutMs }) as R;
        } catch (error) {
          if (!isTimeout(error) || runs >= maxRuns || usedMs(before) >= timeoutMs / 2) throw error;
        }
      }
    } finally {
      delete sandbox.run;
    }
  };
}

/** Returns true for the error of a run that was stopped. */
export function isTimeout(error: unknown): boolean {
  return (error as { readonly code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Returns the processor time of this process since then, in milliseconds: more than that of this thread alone. */
function usedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
