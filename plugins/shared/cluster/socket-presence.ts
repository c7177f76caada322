import { once } from 'node:events';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { readdir, rename, unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { refuseForeignFolder } from './local-folder.ts';
import type { ProcessPresence } from './process-members.ts';
import { isRefused } from './refused-connection.ts';
import { isSilent } from './silent-socket.ts';

/** Maximum bytes of the path of a Unix socket on every system. */
const maxPathBytes = 103;

const isWindows = process.platform === 'win32';

/**
 * Presence of the processes of one machine: each listens on a Unix socket in a folder beside the store. A connection that is refused means
 * that the process is dead; the operating system refuses it, and a process that stands still keeps its socket.
 */
export class SocketPresence implements ProcessPresence {
  readonly #folder: string;
  #listening: Promise<Server> | undefined;
  #address = '';
  readonly #questions = new Map<string, Promise<boolean>>();

  /** `file`: path of the store, which exists. */
  constructor(file: string) {
    // One folder, also for processes that have the file by a link.
    this.#folder = `${realpathSync(file)}-processes`;
  }

  /** Throws PLUGIN_INVALID where other machines may share the folder, where another account owns it, or where its path is too long. */
  async announce(process: string): Promise<void> {
    // Without its socket it would be taken for dead: another program may have cleaned the folder.
    if (!isWindows && this.#address !== '' && !existsSync(this.#address)) await this.close();
    this.#listening ??= this.#listen(process).catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    await this.#listening;
  }

  /** Questions about one process at the same time are one connection. */
  isDead(process: string): Promise<boolean> {
    const running = this.#questions.get(process);
    if (running !== undefined) return running;
    const question = this.#isRefused(this.#addressOf(process)).finally(() => this.#questions.delete(process));
    this.#questions.set(process, question);
    return question;
  }

  async close(): Promise<void> {
    const server = await this.#listening?.catch(() => undefined);
    this.#listening = undefined;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    await unlink(this.#address).catch(() => {});
    await closed;
  }

  async #listen(process: string): Promise<Server> {
    const address = this.#addressOf(process);
    // Under another name at first: between its creation and `listen` a socket refuses, as that of a dead process does.
    const first = isWindows ? address : path.join(this.#folder, `.${path.basename(address)}`);
    if (!isWindows) {
      const bytes = Buffer.byteLength(first);
      if (bytes > maxPathBytes) throw tooLong(this.#folder, maxPathBytes - (bytes - Buffer.byteLength(this.#folder)));
      mkdirSync(this.#folder, { mode: 0o700, recursive: true });
      refuseForeignFolder(this.#folder);
    }
    const server = createServer((socket) => socket.destroy()).unref();
    server.listen({ path: first, exclusive: true });
    await once(server, 'listening');
    server.on('error', () => {});
    if (!isWindows) await rename(first, address);
    this.#address = address;
    await this.#removeDead();
    return server;
  }

  /** Removes the sockets of dead processes that no call asks about. */
  async #removeDead(): Promise<void> {
    if (isWindows) return;
    const names = (await readdir(this.#folder)).filter((name) => !name.startsWith('.'));
    await Promise.all(names.map((name) => this.#isRefused(this.#addressOf(name))));
  }

  async #isRefused(address: string): Promise<boolean> {
    const isDead = await isRefused(address);
    // Ids are never reused: what refused once does not come back.
    if (isDead) await unlink(address).catch(() => {});
    return isDead;
  }

  isStalled(process: string): Promise<boolean> {
    return isSilent(this.#addressOf(process));
  }

  #addressOf(process: string): string {
    if (!isWindows) return path.join(this.#folder, path.basename(process));
    return `\\\\.\\pipe\\toolkit-${path.basename(process)}`;
  }
}

function tooLong(folder: string, maxBytes: number): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    `The processes of one machine know each other by sockets in ${folder}, whose path may have at most ${maxBytes} bytes. Give the store a shorter path.`,
  );
}
