import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { type HostAddress, isPlainObject, messageOf, readJson } from '../../kernel/index.ts';

export type Access = 'read' | 'write';

/** Answer to the runner about a file: its real path, or the reason of the refusal. */
export type FileAnswer = { readonly place: string } | { readonly refused: string; readonly code: string };

/** Access of one run of the runner. */
export interface Guard {
  /** True when the runner must ask before opening files and may start no programs. */
  readonly isSafe: boolean;
  fileAt(file: string, access: Access): Promise<FileAnswer>;
  /** Returns the addresses of a host. Throws when the host is blocked. */
  addressesOf(host: string, port: number): Promise<readonly HostAddress[]>;
}

/** Guard of runner commands that send no requests. */
export const noRequestsGuard: Guard = {
  isSafe: false,
  fileAt: async (place) => ({ place }),
  addressesOf: async () => {
    throw new Error('no requests are sent by this');
  },
};

/** Maximum length of a question, which has the path of a file or the name of a host, in bytes. */
const maxQuestionBytes = 256 * 1024;

/**
 * Answers the runner's questions over its channel (`guard.cjs`), one after the other. `onStart` runs at the first question, which proves that the
 * program is guarded.
 */
export function answerQuestions(channel: Duplex, guard: Guard, entry: string | undefined, onStart: () => void): void {
  let rest = Buffer.alloc(0);
  channel.on('error', () => channel.destroy());
  channel.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    const end = rest.indexOf('\n');
    if (end < 0) return void (rest.length > maxQuestionBytes && channel.destroy());
    // Own text: a question of its own guard
    const question = rest.subarray(0, end).toString('utf8');
    rest = rest.subarray(end + 1);
    void answerTo(question, guard, entry, onStart).then((answer) => channel.write(`${JSON.stringify(answer)}\n`));
  });
}

async function answerTo(text: string, guard: Guard, entry: string | undefined, onStart: () => void): Promise<object> {
  try {
    const question = readJson(text);
    if (!isPlainObject(question)) throw new Error('expected an object');
    const { start, connect, file, access } = question;
    if (typeof start === 'string') {
      onStart();
      return { isSafe: guard.isSafe, own: await foldersOf(entry ?? (await realpath(start))) };
    }
    if (typeof file === 'string') return await guard.fileAt(file, access === 'read' ? 'read' : 'write');
    if (!isPlainObject(connect)) throw new Error('expected a file or a connection');
    if (typeof connect['file'] === 'string') throw new Error('requests through socket files are blocked');
    return { addresses: await guard.addressesOf(String(connect['host']), Number(connect['port'])) };
  } catch (error) {
    return { refused: messageOf(error), code: 'EACCES' };
  }
}

/** Returns the folders of the runner's code and its dependencies. */
async function foldersOf(entry: string): Promise<readonly string[]> {
  const folder = path.dirname(entry);
  return [path.basename(folder) === 'bin' ? path.dirname(folder) : folder, ...(createRequire(entry).resolve.paths('x') ?? [])];
}
