import type { FileHandle } from 'node:fs/promises';
import nodePath from 'node:path';
import { crc32 } from 'node:zlib';
import { excerpt } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../plugins/shared/control-files/blocked-files.ts';
import { strictUtf8 } from '../../../plugins/shared/text/utf8.ts';
import { openFile } from '../fs/files/open-file.ts';
import { treeProgress } from '../fs/files/step-progress.ts';
import { refuseOtherKind } from './archive-kind.ts';
import { archiveError, BadArchive } from './bad-archive.ts';
import { namesOf } from './entry-name.ts';
import { maxEntries } from './limits.ts';
import { TreeWriter, tooManyBytes, tooManyEntries } from './tree-writer.ts';
import type { Unpacked, UnpackOptions } from './unpack-options.ts';
import { type ZipMember, zipMembers } from './zip-members.ts';

/** Maximum length of a path on common systems, in bytes. */
const maxTargetBytes = 4096;

/** Extracts a zip file into an empty folder. Checks all declared entries first. Throws EXECUTION_FAILED and OUTPUT_TOO_LARGE. */
export async function unpackZip(
  { path, folder, destination, max_bytes }: UnpackOptions,
  { progress, controlFiles }: FunctionContext,
): Promise<Unpacked> {
  const { file, stats } = await openFile(path);
  try {
    await refuseOtherKind(file, 'zip');
    const total = await checkAll(file, stats.size, max_bytes);
    const held = new BlockedFiles(controlFiles);
    const isBlocked = (path: string, isLink: boolean): boolean => held.check(nodePath.join(destination, path), 'write', { isLink });
    const writer = new TreeWriter(folder, {
      maxBytes: max_bytes,
      isBlocked,
      onProgress: treeProgress(progress, { verb: 'extracted', totalBytes: total }),
    });
    for await (const member of zipMembers(file)) await extract(member, writer);
    held.refuse({ action: 'extracted' });
    await writer.finish();
    return { entries: writer.listed, total: writer.entries, bytes: writer.bytes };
  } catch (error) {
    throw archiveError(error, 'extract', path);
  } finally {
    await file.close();
  }
}

/** Checks all entries and returns the sum of their declared sizes. */
async function checkAll(file: FileHandle, fileSize: number, maxBytes: number): Promise<number> {
  let [entries, bytes, packed] = [0, 0, 0];
  for await (const member of zipMembers(file)) {
    check(member);
    entries += 1;
    bytes += member.size;
    packed += member.compressedSize;
    if (entries > maxEntries) throw tooManyEntries();
    if (bytes > maxBytes) throw tooManyBytes(maxBytes);
  }
  if (packed > fileSize) throw new BadArchive('its entries overlap, as in a zip bomb. Do not trust this archive');
  return bytes;
}

function check({ path, kind, isEncrypted, method, size }: ZipMember): void {
  namesOf(path);
  const refuse = (problem: string): never => {
    throw new BadArchive(problem, { entry: path });
  };
  if (isEncrypted) refuse('is encrypted. Ask for an archive without a password, or extract it with another program');
  if (kind === 'other') refuse('is a device, a pipe or a socket. Do not trust this archive');
  if (kind === 'link' && size > maxTargetBytes) refuse('is a symbolic link with a target that is too long');
  if (method !== 0 && method !== 8) {
    refuse(`is compressed with method ${method}, expected 0 (stored) or 8 (deflated). Extract it with another program`);
  }
}

async function extract(member: ZipMember, writer: TreeWriter): Promise<void> {
  const names = namesOf(member.path);
  if (member.kind === 'folder') return writer.addFolder(names, member);
  if (member.kind === 'file') return writer.addFile(names, member, checkedContent(member));
  const parts: Buffer[] = [];
  for await (const chunk of checkedContent(member)) parts.push(chunk);
  const target = strictUtf8(Buffer.concat(parts), { keepsMark: true });
  if (target === undefined) throw new BadArchive('is a symbolic link with a target that is not UTF-8', { entry: member.path });
  return writer.addLink(names, target);
}

/** Yields the content of a member; throws when it differs from its declaration. */
async function* checkedContent(member: ZipMember): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    for await (const chunk of await member.open()) {
      checksum = crc32(chunk as Buffer, checksum);
      yield chunk as Buffer;
    }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (!code.startsWith('Z_') && code !== '') throw error;
    throw new BadArchive(`is damaged (${excerpt(message, 100)}). Get the file again`, { entry: member.path });
  }
  if (checksum !== member.crc32)
    throw new BadArchive('is damaged: its checksum (CRC-32) is wrong. Get the file again', { entry: member.path });
}
