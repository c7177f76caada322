import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Program that locks the file of its argument for the milliseconds of each message. */
const program = `
const database = new (require('libsql'))(process.argv[1], { timeout: 60_000 });
process.on('message', (ms) => {
  database.exec('begin exclusive');
  process.send('locked');
  setTimeout(() => {
    database.exec('rollback');
    process.send('unlocked');
  }, ms);
});
process.send('ready');
`;

/** Another process that locks the file of a store against all writers. */
export class FileLock {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async open(file: string): Promise<FileLock> {
    const child = spawn(process.execPath, ['-e', program, file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    await once(child, 'message');
    return new FileLock(child);
  }

  /** Resolves when the file is locked, to a function that waits until it is free again. */
  async hold(ms: number): Promise<() => Promise<void>> {
    const locked = once(this.#child, 'message');
    this.#child.send(ms);
    await locked;
    const released = once(this.#child, 'message');
    return async () => void (await released);
  }

  async close(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
