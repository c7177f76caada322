import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const installed = path.resolve('node_modules/typescript/bin/tsc');

/**
 * What the TypeScript compiler says of the project in this folder: nothing where all is right. It shares the machine with others, and takes less of
 * it where one thread checks.
 */
export async function compilerSays(folder: string, compiler = installed): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--checkers', '1'], { cwd: folder }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return stdout;
}
