import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { minimalEnvironment } from '../../../../shared/process/program.ts';
import type { Launch } from '../launch.ts';

/** A running server process. It ends when this process ends, however that happens. */
export interface ChildServer {
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves with the reason once the process has ended. */
  readonly ended: Promise<Error>;
  /** Kills the process and waits for its end. */
  end(): Promise<void>;
}

export interface ChildOptions {
  /** Ends the server when aborted. */
  readonly signal: AbortSignal;
  /** Receives the output on standard error. */
  readonly onStderr: (text: string) => void;
}

/** Time after which a server that does not end is killed, in milliseconds. */
const killAfterMs = 2000;

/** Starts a server as a client does: in the root folder, with a minimal environment and that of the launch. */
export async function startServer({ command, args, env }: Launch, { signal, onStderr }: ChildOptions): Promise<ChildServer> {
  const { execa } = await import('execa');
  const child = execa(command, [...args], {
    cwd: path.parse(process.cwd()).root,
    // The test reads the address from the log, so JSON must not be configured.
    env: { ...minimalEnvironment(), TOOLKIT_LOG_FORMAT: 'simple', ...env },
    extendEnv: false,
    stdin: 'pipe',
    cancelSignal: signal,
    forceKillAfterDelay: killAfterMs,
    reject: false,
    buffer: false,
  });
  // Own text: lines of the log of a server of ours
  child.stderr.setEncoding('utf8').on('data', onStderr);
  // Writing to an ended server must not throw.
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
