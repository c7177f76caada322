import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** The functions of `node:fs` that take a descriptor first. */
const writers = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'] as const;

/** Sends to standard error what this thread writes to file descriptor 1 directly, as some loggers do. Returns the way back. */
export function divertDescriptor(): () => void {
  const originals = writers.map((name) => [name, fs[name]] as const);
  for (const [name, original] of originals) {
    const diverted = (target: unknown, ...rest: unknown[]): unknown =>
      (original as (...args: unknown[]) => unknown)(target === 1 ? 2 : target, ...rest);
    Object.assign(fs, { [name]: diverted });
  }
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  };
}
