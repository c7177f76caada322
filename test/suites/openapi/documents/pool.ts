import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { DocumentFile } from './folders.ts';
import type { Answer, Job } from './worker.ts';

/** The end of a job: its result, or the reason why there is none. */
export type Done<Result> = { readonly document: DocumentFile; readonly ms: number; readonly maxRssMb: number } & (
  | { readonly result: Result }
  | { readonly error: string }
);

export interface PoolOptions {
  /** Module below `rounds/` whose `run` does the job, such as `inspect`. */
  readonly round: string;
  /** Passed on to `run`. */
  readonly options?: unknown;
  /** @default 2 */
  readonly processes?: number;
  /** Heap of a process in MB; a document that needs more ends the process and is reported. @default 3000 */
  readonly heapMb?: number;
  /** @default 240_000 */
  readonly timeoutMs?: number;
}

/** A process that has grown beyond this takes no more jobs. */
const maxRssMb = 1400;

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** Runs a round over documents in child processes, and returns the results in the order of the documents. */
export async function runRound<Result>(documents: readonly DocumentFile[], options: PoolOptions): Promise<readonly Done<Result>[]> {
  const done = new Map<DocumentFile, Done<Result>>();
  // The largest documents come first where ids sort them so; one queue is enough.
  const queue = [...documents];
  const runQueue = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    try {
      for (let document = queue.shift(); document !== undefined; document = queue.shift()) {
        child ??= startWorker(options);
        const end = await runJob<Result>(child, document, options);
        done.set(document, end);
        if ('error' in end || end.maxRssMb > maxRssMb) {
          child.kill('SIGKILL');
          child = undefined;
        }
      }
    } finally {
      child?.kill('SIGKILL');
    }
  };
  await Promise.all(Array.from({ length: options.processes ?? 2 }, runQueue));
  return documents.map((document) => done.get(document) as Done<Result>);
}

function startWorker({ heapMb = 3000 }: PoolOptions): ChildProcess {
  return fork(worker, [], {
    execArgv: ['--import', 'tsx', `--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function runJob<Result>(
  child: ChildProcess,
  document: DocumentFile,
  { round, options, timeoutMs = 240_000 }: PoolOptions,
): Promise<Done<Result>> {
  const startedAt = Date.now();
  return new Promise((resolve) => {
    const end = (answer: { readonly result: Result } | { readonly error: string }, rssMb = 0): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      resolve({ document, ms: Date.now() - startedAt, maxRssMb: rssMb, ...answer });
    };
    const onMessage = (message: unknown): void => {
      const { rssMb, ...answer } = message as Answer;
      end(answer as { readonly result: Result } | { readonly error: string }, rssMb);
    };
    const onExit = (code: number | null, signal: string | null): void => end({ error: `the process ended with ${code ?? signal}` });
    const timer = setTimeout(() => end({ error: `took more than ${timeoutMs} ms` }), timeoutMs);
    child.on('message', onMessage).on('exit', onExit);
    child.send({ round, document, options } satisfies Job);
  });
}
