import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const installed = path.resolve('node_modules/typescript/bin/tsc');

/**
 * Runs the TypeScript compiler on the project in this folder, and returns its messages: an empty text means no error. It checks in one thread,
 * because it shares the machine with other tests.
 */
export async function compilerSays(folder: string, compiler = installed): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--checkers', '1'], { cwd: folder }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return stdout;
}
