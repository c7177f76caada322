import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';

interface Steps {
  /** Minimum amount between two reports. */
  readonly step: number;
  readonly total?: number;
  readonly message: string;
}

/** Returns a function that takes the amount done so far and reports progress once a step. It may be called any number of times. */
export function stepProgress(report: FunctionContext['progress'], { step, total, message }: Steps): (done: number) => void {
  let next = step;
  return (done) => {
    if (done < next) return;
    next = done + step;
    report({ progress: done, message, ...(total === undefined ? {} : { total }) });
  };
}

/** Bytes between two progress reports. */
export const byteStep = 33_554_432;

/** Files between two progress reports. */
export const entryStep = 5000;

interface TreeSteps {
  /** Past participle for the message, such as `copied`. */
  readonly verb: string;
  readonly totalBytes?: number;
}

/** Returns a function that takes bytes and entries done so far and reports the bytes once a step of either. */
export function treeProgress(
  report: FunctionContext['progress'],
  { verb, totalBytes }: TreeSteps,
): (bytes: number, entries: number) => void {
  let [nextBytes, nextEntries] = [byteStep, entryStep];
  return (bytes, entries) => {
    if (bytes < nextBytes && entries < nextEntries) return;
    nextBytes = bytes + byteStep;
    nextEntries = entries + entryStep;
    report({ progress: bytes, message: `bytes ${verb} (entries: ${entries})`, ...(totalBytes === undefined ? {} : { total: totalBytes }) });
  };
}
