import nodePath from 'node:path';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { BlockedFiles } from '../../../plugins/shared/control-files/blocked-files.ts';
import { openFile } from '../fs/files/open-file.ts';
import { treeProgress } from '../fs/files/step-progress.ts';
import { archiveError, BadArchive } from './bad-archive.ts';
import { namesOf } from './entry-name.ts';
import { type TarMember, tarMembers } from './tar-members.ts';
import { type TarSource, tarSource } from './tar-source.ts';
import { TreeWriter, tooManyBytes } from './tree-writer.ts';
import type { Unpacked, UnpackOptions } from './unpack-options.ts';

interface UnpackTarOptions extends UnpackOptions {
  /** Number of leading names to remove from every path. */
  readonly strip: number;
}

/** Extracts a tar archive, plain or compressed with gzip, into an empty folder. Throws EXECUTION_FAILED and OUTPUT_TOO_LARGE. */
export async function unpackTar(
  { path, folder, destination, max_bytes, strip }: UnpackTarOptions,
  { progress, controlFiles }: FunctionContext,
): Promise<Unpacked> {
  const { file } = await openFile(path);
  let source: TarSource | undefined;
  try {
    source = await tarSource(file);
    const held = new BlockedFiles(controlFiles);
    const isBlocked = (path: string, isLink: boolean): boolean => held.check(nodePath.join(destination, path), 'write', { isLink });
    const writer = new TreeWriter(folder, { maxBytes: max_bytes, isBlocked, onProgress: treeProgress(progress, { verb: 'extracted' }) });
    let declared = 0;
    for await (const member of tarMembers(source.reader)) {
      declared += member.size;
      if (declared > max_bytes) throw tooManyBytes(max_bytes);
      await extract(member, writer, strip);
    }
    await source.finish();
    held.refuse({ action: 'extracted' });
    await writer.finish();
    return { entries: writer.listed, total: writer.entries, bytes: writer.bytes };
  } catch (error) {
    throw archiveError(error, 'extract', path);
  } finally {
    await source?.reader.close();
    await file.close();
  }
}

async function extract(member: TarMember, writer: TreeWriter, strip: number): Promise<void> {
  const names = namesOf(member.path).slice(strip);
  if (member.kind === 'other') {
    throw new BadArchive('is a device, a pipe or of an unknown type. Do not trust this archive', { entry: member.path });
  }
  if (names.length === 0) return;
  if (member.kind === 'folder') return writer.addFolder(names, member);
  if (member.kind === 'link') return writer.addLink(names, member.target);
  if (member.kind === 'hardlink') return writer.addSecondName(names, namesOf(member.target).slice(strip));
  return writer.addFile(names, member, member.content());
}
