import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { minimalEnvironment } from '../../../../shared/process/program.ts';
import type { Launch } from '../launch.ts';

/** A server that was started. It ends with this process, whatever way that ends. */
export interface ChildServer {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with the reason once it has ended. */
  readonly ended: Promise<Error>;
  /** Ends it and waits until it is gone. */
  end(): Promise<void>;
}

export interface ChildOptions {
  /** Ends the server. */
  readonly signal: AbortSignal;
  /** What it prints on standard error. */
  readonly heard: (text: string) => void;
}

/** How long a server that was asked to end may take before it is killed, in milliseconds. */
const forceKillAfterDelay = 2000;

/** Starts a server as a client does: in the root of the file system, and with little environment beside that of the launch. */
export async function startServer({ command, args, env }: Launch, { signal, heard }: ChildOptions): Promise<ChildServer> {
  const { execa } = await import('execa');
  const child = execa(command, [...args], {
    cwd: path.parse(process.cwd()).root,
    // What it says of its start is read, also where the configuration asks for JSON.
    env: { ...minimalEnvironment(), TOOLKIT_LOG_FORMAT: 'simple', ...env },
    extendEnv: false,
    stdin: 'pipe',
    cancelSignal: signal,
    forceKillAfterDelay,
    reject: false,
    buffer: false,
  });
  // Own text: lines of the log of a server of ours
  child.stderr.setEncoding('utf8').on('data', heard);
  // A server that has ended takes nothing more.
  child.stdin.on('error', () => {});
  const ended = child.then(
    ({ exitCode, shortMessage = '' }) => new Error(exitCode === undefined ? shortMessage : `it ended with exit code ${exitCode}`),
  );
  return {
    input: child.stdin,
    output: child.stdout,
    ended,
    async end() {
      child.kill();
      await ended;
    },
  };
}
