import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import sinon from 'sinon';

/**
 * Makes a function of node:fs/promises fail for every module on the paths that are chosen, until `sinon.restore` and
 * `syncBuiltinESMExports` are called.
 */
export function failingWhen(name: 'rename' | 'link' | 'unlink', code: string, isChosen: (from: unknown, to: unknown) => boolean): void {
  const original = fs[name] as (...paths: unknown[]) => Promise<void>;
  sinon.stub(fs, name).callsFake((...paths: unknown[]) => {
    if (!isChosen(paths[0], paths[1])) return original(...paths);
    return Promise.reject(Object.assign(new Error(`${code}: simulated`), { code, path: paths[0] }));
  });
  syncBuiltinESMExports();
}
