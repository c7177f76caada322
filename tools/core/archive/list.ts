import type { FileHandle } from 'node:fs/promises';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../plugins/shared/output-room/output-room.ts';
import { openFile } from '../fs/files/open-file.ts';
import { byteStep, stepProgress } from '../fs/files/step-progress.ts';
import { archiveKind } from './archive-kind.ts';
import { archiveError } from './bad-archive.ts';
import { maxListed } from './limits.ts';
import { tarMembers } from './tar-members.ts';
import { tarSource } from './tar-source.ts';
import { zipMembers } from './zip-members.ts';

interface ListedEntry {
  readonly path: string;
  readonly type: 'file' | 'folder' | 'link' | 'hardlink' | 'other';
  readonly size: number;
  readonly compressed_size?: number;
  readonly modified_at?: string;
  readonly target?: string;
  readonly encrypted?: true;
}

interface ListResult {
  readonly format: 'zip' | 'tar' | 'tar.gz';
  readonly entries: readonly ListedEntry[];
  readonly total: number;
  readonly total_bytes: number;
  readonly truncated: boolean;
  readonly next_offset?: number;
  /** Number of characters U+FFFD in the listed names. */
  readonly replaced?: number;
}

interface ListParameters {
  readonly path: string;
  /** Number of entries to skip. */
  readonly offset: number;
}

/**
 * Lists the entries of an archive as declared: refuses a damaged archive, and checks nothing else. Throws NOT_FOUND,
 * EXECUTION_FAILED and OUTPUT_TOO_LARGE.
 */
export async function list({ path, offset }: ListParameters, context: FunctionContext): Promise<ListResult> {
  const { file } = await openFile(path);
  const listing = new Listing(offset, context.output.budget);
  try {
    return (await archiveKind(file)) === 'zip' ? await listZip(file, listing) : await listTar(file, listing, context);
  } catch (error) {
    throw archiveError(error, 'list', path);
  } finally {
    await file.close();
  }
}

async function listZip(file: FileHandle, listing: Listing): Promise<ListResult> {
  for await (const { path, kind, size, compressedSize, modifiedAt, isEncrypted } of zipMembers(file)) {
    const entry = { path, type: kind, size, compressed_size: compressedSize, ...timeOf(modifiedAt) };
    listing.add(isEncrypted ? { ...entry, encrypted: true } : entry);
  }
  return listing.result('zip');
}

async function listTar(file: FileHandle, listing: Listing, { progress }: FunctionContext): Promise<ListResult> {
  const report = stepProgress(progress, { step: byteStep, message: 'bytes read' });
  const { reader, isCompressed, finish } = await tarSource(file);
  try {
    for await (const { path, kind, size, modifiedAt, target } of tarMembers(reader)) {
      listing.add({ path, type: kind, size, ...timeOf(modifiedAt), ...(target === '' ? {} : { target }) });
      report(reader.position);
    }
    await finish();
    return listing.result(isCompressed ? 'tar.gz' : 'tar');
  } finally {
    await reader.close();
  }
}

class Listing {
  readonly #entries: ListedEntry[] = [];
  readonly #offset: number;
  readonly #room: OutputRoom;
  #isFull = false;
  #total = 0;
  #bytes = 0;

  constructor(offset: number, budget: number | undefined) {
    const most = Number.MAX_SAFE_INTEGER;
    const around = { format: 'tar.gz', entries: [], total: most, total_bytes: most, truncated: false, next_offset: most, replaced: most };
    this.#offset = offset;
    this.#room = new OutputRoom(budget, around);
  }

  add(entry: ListedEntry): void {
    this.#total += 1;
    this.#bytes += entry.size;
    if (this.#total <= this.#offset || this.#isFull) return;
    // The first entry is always taken, also when it is longer than the room, so that each call makes progress.
    this.#isFull = this.#entries.length === maxListed || !(this.#room.take(entry) || this.#entries.length === 0);
    if (!this.#isFull) this.#entries.push(entry);
  }

  result(format: ListResult['format']): ListResult {
    const truncated = this.#isFull;
    const next = truncated ? { next_offset: this.#offset + this.#entries.length } : {};
    // U+FFFD marks a name that was not UTF-8: no system writes this character.
    const replaced = this.#entries.reduce((sum, { path, target = '' }) => sum + `${path}${target}`.split('\uFFFD').length - 1, 0);
    const noted = replaced === 0 ? {} : { replaced };
    return { format, entries: this.#entries, total: this.#total, total_bytes: this.#bytes, truncated, ...next, ...noted };
  }
}

function timeOf(time: Date | undefined): { readonly modified_at?: string } {
  return time === undefined || Number.isNaN(time.getTime()) ? {} : { modified_at: time.toISOString() };
}
