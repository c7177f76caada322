import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';

/** A program to run, and its folder. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** How it ended: with the message of what went wrong, where it was no success. */
export interface ProgramEnd {
  readonly stdout: string;
  readonly stderr: string;
  readonly failure?: string;
}

interface Waiting {
  resolve(end: ProgramEnd): void;
  reject(error: Error): void;
}

const waiting = new Map<number, Waiting>();
let runner: ChildProcess | undefined;
let calls = 0;

/**
 * Runs a program to its end and gives its standard output. A small process starts it: starting a program takes the longer the larger the process is
 * that does so, and one that has loaded the tests takes ten times as long. Rejects with what went wrong; `stdout` and `stderr` of the error have
 * what was written.
 */
export async function runProgram(call: ProgramCall): Promise<string> {
  const { stdout, stderr, failure } = await endOf(call);
  if (failure !== undefined) throw Object.assign(new Error(failure), { stdout, stderr });
  return stdout;
}

function endOf(call: ProgramCall): Promise<ProgramEnd> {
  runner ??= startRunner();
  const { channel } = runner;
  const id = ++calls;
  channel?.ref();
  runner.send({ id, call });
  return new Promise<ProgramEnd>((resolve, reject) => waiting.set(id, { resolve, reject })).finally(() => {
    waiting.delete(id);
    if (waiting.size === 0) channel?.unref();
  });
}

/** Keeps nothing alive while nobody waits for it. */
function startRunner(): ChildProcess {
  const started = fork(path.join(import.meta.dirname, 'program-runner.mjs'), { execArgv: [] });
  started.unref();
  started.on('message', ({ id, end }: { readonly id: number; readonly end: ProgramEnd }) => waiting.get(id)?.resolve(end));
  started.once('exit', () => {
    runner = undefined;
    for (const { reject } of waiting.values()) reject(new Error('The process that starts programs for tests has ended.'));
  });
  return started;
}
