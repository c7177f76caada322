import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { refuseForeignFolder } from './local-folder.ts';
import type { ProcessPresence } from './process-members.ts';
import { isRefused } from './refused-connection.ts';

/** Maximum bytes of the path of a Unix socket on every system. */
const maxPathBytes = 103;

/**
 * Presence of the processes of one machine: each listens on a Unix socket in a folder beside the store. A connection that is refused means
 * that the process is dead; the operating system refuses it, and a process that stands still keeps its socket.
 */
export class SocketPresence implements ProcessPresence {
  readonly #folder: string;
  #listening: Promise<Server> | undefined;

  /** `file`: path of the store. */
  constructor(file: string) {
    this.#folder = `${file}-processes`;
  }

  /** Throws PLUGIN_INVALID where other machines may share the folder, where another account owns it, or where its path is too long. */
  async announce(process: string): Promise<void> {
    this.#listening ??= this.#listen(process).catch((error: unknown) => {
      this.#listening = undefined;
      throw error;
    });
    await this.#listening;
  }

  async isDead(process: string): Promise<boolean> {
    const address = this.#addressOf(process);
    const isDead = await isRefused(address);
    // Ids are never reused: what refused once does not come back.
    if (isDead) await unlink(address).catch(() => {});
    return isDead;
  }

  async close(): Promise<void> {
    const server = await this.#listening?.catch(() => undefined);
    if (server === undefined) return;
    server.close();
    await once(server, 'close');
  }

  async #listen(process: string): Promise<Server> {
    const address = this.#addressOf(process);
    if (globalThis.process.platform !== 'win32') {
      const bytes = Buffer.byteLength(address);
      if (bytes > maxPathBytes) throw tooLong(this.#folder, maxPathBytes - (bytes - Buffer.byteLength(this.#folder)));
      mkdirSync(this.#folder, { mode: 0o700, recursive: true });
      refuseForeignFolder(this.#folder);
    }
    const server = createServer((socket) => socket.destroy()).unref();
    server.listen({ path: address, exclusive: true });
    await once(server, 'listening');
    server.on('error', () => {});
    return server;
  }

  #addressOf(process: string): string {
    if (globalThis.process.platform !== 'win32') return path.join(this.#folder, path.basename(process));
    return `\\\\.\\pipe\\toolkit-${path.basename(process)}`;
  }
}

function tooLong(folder: string, maxBytes: number): ToolkitError {
  return new ToolkitError(
    'PLUGIN_INVALID',
    `The processes of one machine know each other by sockets in ${folder}, whose path may have at most ${maxBytes} bytes. Give the store a shorter path.`,
  );
}
