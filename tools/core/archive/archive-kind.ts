import type { FileHandle } from 'node:fs/promises';
import { BadArchive } from './bad-archive.ts';

type Kind = 'zip' | 'gzip' | 'bzip2' | 'xz' | 'zstd' | '7z' | 'rar' | 'other';

const signatures: readonly (readonly [Kind, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['gzip', '\x1f\x8b'],
  ['bzip2', 'BZh'],
  ['xz', '\xfd7zXZ\0'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['7z', '7z\xbc\xaf\x27\x1c'],
  ['rar', 'Rar!\x1a\x07'],
];

/** Detects the kind from the first bytes, whatever the name of the file. A tar archive has no reliable ones, and is `other`. */
export async function archiveKind(file: FileHandle): Promise<Kind> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
  const head = buffer.toString('latin1', 0, bytesRead);
  return signatures.find(([, signature]) => head.startsWith(signature))?.[0] ?? 'other';
}

/** Throws BadArchive for a file that is certainly of another kind; returns its kind. */
export async function refuseOtherKind(file: FileHandle, expected: 'zip' | 'tar'): Promise<Kind> {
  const kind = await archiveKind(file);
  if (expected === 'zip' ? kind === 'zip' || kind === 'other' : kind === 'gzip' || kind === 'other') return kind;
  if (kind === 'zip') throw new BadArchive('it is a zip archive, expected tar. Use archive_zip_extract');
  if (kind === 'gzip') throw new BadArchive('it is compressed with gzip, expected zip. If it is a tar archive, use archive_tar_extract');
  throw new BadArchive(`it is in the format ${kind}, expected ${expected === 'zip' ? 'zip' : 'tar, plain or compressed with gzip'}`);
}
