import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const installed = path.resolve('node_modules/typescript/bin/tsc');

/** It shares the machine with others: one thread that checks, and no collection of garbage, take half of the processor's time. */
const environment = { ...process.env, GOGC: 'off', GOMEMLIMIT: '3GiB' };

/** What the TypeScript compiler says of the project in this folder: nothing where all is right. */
export async function compilerSays(folder: string, compiler = installed): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '--checkers', '1'], { cwd: folder, env: environment }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return stdout;
}
