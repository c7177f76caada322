import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';

interface Steps {
  /** What is done between two reports, at least. */
  readonly step: number;
  readonly total?: number;
  readonly message: string;
}

/** A function to call with what is done in all, as often as one likes: it reports progress once a step. */
export function stepProgress(report: FunctionContext['progress'], { step, total, message }: Steps): (done: number) => void {
  let next = step;
  return (done) => {
    if (done < next) return;
    next = done + step;
    report({ progress: done, message, ...(total === undefined ? {} : { total }) });
  };
}

/** Between two reports of work that is counted in bytes. */
export const byteStep = 33_554_432;

/** Between two reports of work that is counted in files. */
export const entryStep = 5000;

interface TreeSteps {
  /** What is done with the bytes, as a past participle. */
  readonly verb: string;
  readonly totalBytes?: number;
}

/** The same for files in number: it reports bytes, once for every so many bytes or entries. */
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
