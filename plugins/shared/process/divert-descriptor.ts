import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Functions of `node:fs` whose first argument may be a descriptor. */
const writers = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'] as const;

/** Redirects direct writes of this thread to file descriptor 1, as some loggers do, to standard error. Returns a function that undoes it. */
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
