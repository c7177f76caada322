/** The process of `run-program.ts`: runs what it is told and says how that ended. */
import { execFile } from 'node:child_process';

process.on('message', ({ id, call: { program, args, cwd, env, stdin = '' } }) => {
  const child = execFile(program, args, { cwd, env }, (error, stdout, stderr) => {
    process.send?.({ id, end: { stdout, stderr, ...(error === null ? {} : { failure: error.message }) } });
  });
  // A program that ends early says why on standard error.
  child.stdin?.on('error', () => {}).end(stdin);
});
