import type { Stats } from 'node:fs';
import nodePath from 'node:path';
import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { openConfined } from '../../shared/confined-files/open-confined.ts';

/** A part of a body: bytes, or the file at a confined path. */
export type BodyPart = Uint8Array | { readonly path: string };

/** A body, opened for one request. */
interface OpenedBody {
  readonly length: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Bytes that are read at once. */
const chunkBytes = 64 * 1024;

/**
 * A body with files in it. They are read while the body is sent, never whole, and again for each request that repeats it. A
 * file that was replaced or has changed by then is refused, because the service would get content that no person has seen.
 */
export class StreamedBody {
  readonly #parts: readonly BodyPart[];
  /** The state of each file when the body was first opened. */
  readonly #states = new Map<string, string>();
  #openCount = 0;

  constructor(parts: readonly BodyPart[]) {
    this.#parts = parts;
  }

  /** Opens the files for one request. Throws NOT_FOUND and EXECUTION_FAILED. */
  async open(): Promise<OpenedBody> {
    const isFirst = this.#openCount++ === 0;
    const sizes: number[] = [];
    for (const part of this.#parts) sizes.push(part instanceof Uint8Array ? part.byteLength : await this.#sizeOf(part.path, isFirst));
    return { length: sizes.reduce((sum, size) => sum + size, 0), stream: ReadableStream.from(this.#read(sizes)) };
  }

  async #sizeOf(path: string, isFirst: boolean): Promise<number> {
    const { file, stats } = await openFile(path).catch((error: ToolkitError) => {
      throw isFirst ? error.with({ isSent: false }) : error;
    });
    await file.close();
    this.#refuseChanged(path, stats);
    return stats.size;
  }

  #refuseChanged(path: string, stats: Stats): void {
    const state = [stats.dev, stats.ino, stats.size, stats.mtimeMs].join();
    const before = this.#states.get(path) ?? state;
    this.#states.set(path, state);
    if (before !== state) throw changedError(path);
  }

  async *#read(sizes: readonly number[]): AsyncGenerator<Uint8Array> {
    for (const [index, part] of this.#parts.entries())
      if (part instanceof Uint8Array) yield part;
      else yield* this.#readFile(part.path, sizes[index] ?? 0);
  }

  /** Reads exactly the declared length of a file. */
  async *#readFile(path: string, size: number): AsyncGenerator<Uint8Array> {
    const { file, stats } = await openFile(path);
    try {
      this.#refuseChanged(path, stats);
      for (let position = 0; position < size; ) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(chunkBytes, size - position)), 0, null, position);
        if (bytesRead === 0) throw changedError(path);
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
      this.#refuseChanged(path, await file.stat());
    } finally {
      await file.close();
    }
  }
}

async function openFile(path: string): ReturnType<typeof openConfined> {
  try {
    return await openConfined(path, () => unreadableError(path, 'expected a file, found a folder, a pipe or a device. Name a file'));
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw unreadableError(path, 'there is no such file. Correct the path', 'NOT_FOUND');
    throw unreadableError(path, code === 'EACCES' ? 'permission is denied' : excerpt(messageOf(error), 150));
  }
}

function unreadableError(path: string, reason: string, code: 'NOT_FOUND' | 'EXECUTION_FAILED' = 'EXECUTION_FAILED'): ToolkitError {
  return new ToolkitError(code, `Cannot send "${excerpt(nodePath.basename(path))}": ${reason}.`, { file: path });
}

function changedError(path: string): ToolkitError {
  const name = excerpt(nodePath.basename(path));
  return new ToolkitError(
    'EXECUTION_FAILED',
    `"${name}" was changed while it was sent, and the request was cancelled. Call again when the file is complete.`,
    {
      file: path,
    },
  );
}
