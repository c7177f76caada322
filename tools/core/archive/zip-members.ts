import { isUtf8 } from 'node:buffer';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Entry } from 'yauzl';
import { zipReader } from './zip-reader.ts';

export interface ZipMember {
  /** Path in the archive, with `/` for `\`. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Declared size. The stream fails when the content has another size. */
  readonly size: number;
  readonly compressedSize: number;
  readonly crc32: number;
  readonly isEncrypted: boolean;
  /** Compression method (APPNOTE.TXT, 4.4.5): 0 stored, 8 deflated. */
  readonly method: number;
  /** Permission bits; undefined when the archive was made on a system without them. */
  readonly mode: number | undefined;
  readonly modifiedAt: Date;
  /** Opens the uncompressed content. */
  open(): Promise<Readable>;
}

/** Systems in `version made by` (APPNOTE.TXT, 4.4.2.2) that have Unix modes: Unix and OS X. */
const unixSystems: readonly number[] = [3, 19];

/** Flag for a name in UTF-8 instead of CP437 (APPNOTE.TXT, 4.4.4). Programs on Unix write UTF-8 without it, too. */
const utf8Flag = 0x800;

/** Yields the entries of the central directory of a zip file, in order. Throws what yauzl throws. Memory: one member. */
export async function* zipMembers(file: FileHandle): AsyncGenerator<ZipMember> {
  const { fromRandomAccessReaderPromise, getFileNameLowLevel } = await import('yauzl');
  const { size } = await file.stat();
  // Names are decoded below, so that an error can name the refused one.
  const zip = await fromRandomAccessReaderPromise(await zipReader(file), size, { autoClose: false, decodeStrings: false });
  for await (const entry of zip.eachEntry()) {
    const isUnix = unixSystems.includes(entry.versionMadeBy >> 8);
    const flags = entry.generalPurposeBitFlag | (isUnix && isUtf8(entry.fileNameRaw) ? utf8Flag : 0);
    const path = getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, false);
    const unixMode = isUnix ? entry.externalFileAttributes >>> 16 : 0;
    yield {
      path,
      kind: kindOf(path, unixMode),
      size: entry.uncompressedSize,
      compressedSize: entry.compressedSize,
      crc32: entry.crc32,
      isEncrypted: entry.isEncrypted(),
      method: entry.compressionMethod,
      mode: unixMode === 0 ? undefined : unixMode & 0o7777,
      modifiedAt: entry.getLastModDate(),
      open: () => openContent(zip, entry),
    };
  }
}

function openContent(zip: { openReadStreamPromise(entry: Entry): Promise<Readable> }, entry: Entry): Promise<Readable> {
  return zip.openReadStreamPromise(entry);
}

function kindOf(path: string, unixMode: number): ZipMember['kind'] {
  const type = unixMode & 0o170000;
  if (path.endsWith('/') || type === 0o040000) return 'folder';
  if (type === 0o120000) return 'link';
  return type === 0 || type === 0o100000 ? 'file' : 'other';
}
