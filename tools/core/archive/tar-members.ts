import type { Header } from 'tar';
import { BadArchive } from './bad-archive.ts';
import type { ByteReader } from './byte-reader.ts';
import { type PaxRecords, paxRecords } from './pax-records.ts';

export interface TarMember {
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'link' | 'hardlink' | 'other';
  /** Size of the content, in bytes. */
  readonly size: number;
  /** Target of a link. */
  readonly target: string;
  readonly mode: number | undefined;
  readonly modifiedAt: Date | undefined;
  /** Yields the content. Unread content is skipped. */
  content(): AsyncGenerator<Buffer>;
}

const blockBytes = 512;

/** Maximum size of an extended header or a long name, in bytes. */
const maxMetaBytes = 1_048_576;

/** Allowed bytes that are not content: some for every entry, and some for all, such as the end of the last record. */
const overhead = { perEntry: 8192, inAll: 16_777_216 } as const;

const kinds: Readonly<Record<string, TarMember['kind']>> = {
  File: 'file',
  OldFile: 'file',
  ContiguousFile: 'file',
  Directory: 'folder',
  GNUDumpDir: 'folder',
  SymbolicLink: 'link',
  Link: 'hardlink',
};

/**
 * Yields the entries of an uncompressed tar archive, in order. Throws BadArchive for an archive that is damaged, cut off, or
 * mostly not content.
 */
export async function* tarMembers(reader: ByteReader): AsyncGenerator<TarMember> {
  const { Header } = await import('tar');
  let [entries, contentBytes] = [0, 0];
  let global: PaxRecords = {};
  let next: PaxRecords = {};
  for (;;) {
    if (reader.position - contentBytes > overhead.inAll + overhead.perEntry * entries) throw mostlyEmpty();
    const header = await nextHeader(reader, (block) => new Header(block, 0, next, global));
    if (header === undefined) return;
    const meta = metaKind(header.type);
    if (meta !== undefined) {
      const bytes = await metaOf(reader, header);
      if (meta === 'global') global = { ...global, ...paxRecords(bytes) };
      // Own text: names, in which U+FFFD is counted and refused later
      else next = { ...next, ...(meta === 'pax' ? paxRecords(bytes) : { [meta]: bytes.toString('utf8').split('\0', 1)[0] }) };
      continue;
    }
    const member = memberOf(header, next, reader);
    const from = reader.position;
    yield member;
    const padded = Math.ceil(member.size / blockBytes) * blockBytes;
    const left = padded - (reader.position - from);
    if ((await reader.skip(left)) < left) throw cutOff();
    entries += 1;
    contentBytes += padded;
    next = {};
  }
}

/** Returns the header of the next entry; undefined at the end of the archive, which blocks of zeros mark. */
async function nextHeader(reader: ByteReader, parse: (block: Buffer) => Header): Promise<Header | undefined> {
  let zeros = 0;
  for (;;) {
    const isFirst = reader.position === 0;
    const block = await reader.take(blockBytes);
    if (block.length < blockBytes && zeros === 0) throw isFirst ? noTar() : cutOff();
    if (block.length < blockBytes) return undefined;
    if (block.every((byte) => byte === 0)) {
      zeros += 1;
      if (zeros === 2) return undefined;
      continue;
    }
    const header = parse(block);
    if (!header.cksumValid) throw isFirst ? noTar() : new BadArchive('it is damaged: the header of an entry is wrong. Get the file again');
    return header;
  }
}

function memberOf(header: Header, pax: PaxRecords, reader: ByteReader): TarMember {
  const path = pax.path ?? header.path ?? '';
  const isFolderOfOldTar = header.type === 'OldFile' && path.endsWith('/');
  const kind = isFolderOfOldTar ? 'folder' : (kinds[header.type] ?? 'other');
  // A hard link has no content here, even when its header repeats the size of the file (GNU tar reads it so too).
  const size = kind === 'hardlink' ? 0 : (pax.size ?? header.size ?? 0);
  return {
    path,
    kind,
    size,
    target: pax.linkpath ?? header.linkpath ?? '',
    mode: header.mode,
    modifiedAt: pax.mtime ?? header.mtime,
    async *content() {
      const from = reader.position;
      yield* reader.parts(size);
      if (reader.position - from < size) throw cutOff();
    },
  };
}

function metaKind(type: string): 'pax' | 'global' | 'path' | 'linkpath' | undefined {
  if (type === 'ExtendedHeader' || type === 'OldExtendedHeader') return 'pax';
  if (type === 'GlobalExtendedHeader') return 'global';
  if (type === 'NextFileHasLongPath' || type === 'OldGnuLongPath') return 'path';
  return type === 'NextFileHasLongLinkpath' ? 'linkpath' : undefined;
}

async function metaOf(reader: ByteReader, { size = 0 }: Header): Promise<Buffer> {
  if (size > maxMetaBytes) throw new BadArchive(`it has an extended header of over ${maxMetaBytes} bytes. Do not trust this archive`);
  const block = await reader.take(Math.ceil(size / blockBytes) * blockBytes);
  if (block.length < size) throw cutOff();
  return block.subarray(0, size);
}

function noTar(): BadArchive {
  return new BadArchive('it has neither the format tar, plain or compressed with gzip, nor zip');
}

function cutOff(): BadArchive {
  return new BadArchive('it is cut off: it has no end marker. Get the whole file again');
}

export function mostlyEmpty(): BadArchive {
  return new BadArchive('it holds far more padding than content, as in a decompression bomb. Do not trust this archive', {
    code: 'OUTPUT_TOO_LARGE',
  });
}
