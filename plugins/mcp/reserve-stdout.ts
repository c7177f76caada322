import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';

const writers = ['write', 'writeSync', 'writev', 'writevSync'] as const;

/**
 * Keeps standard output for the protocol: whatever else is printed there, by a tool or a library, goes to standard error, also what is
 * written to file descriptor 1 directly, as some loggers do. A program that inherits the descriptor cannot be held off from here.
 */
export function reserveStdout(): { stream: Writable; release(): void } {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const stream = new Writable({ write: (chunk, encoding, callback) => void write(chunk, encoding, callback) });
  stdout.on('error', (error) => stream.destroy(error));
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  const originals = writers.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const redirected = (descriptor: number, ...rest: unknown[]): unknown =>
      (original as (...args: unknown[]) => unknown)(descriptor === 1 ? 2 : descriptor, ...rest);
    Object.assign(fs, { [name]: redirected });
  }
  syncBuiltinESMExports();
  return {
    stream,
    release() {
      stdout.write = write as typeof stdout.write;
      Object.assign(fs, Object.fromEntries(originals));
      syncBuiltinESMExports();
    },
  };
}
