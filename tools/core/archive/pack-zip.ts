import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { openFile } from '../fs/files/open-file.ts';
import { treeProgress } from '../fs/files/step-progress.ts';
import { fileContent } from './file-content.ts';
import { type Packed, type PackMember, type PackOptions, packMembers, unfitName } from './pack-members.ts';

/**
 * Writes a zip file; returns the number of its entries, and the paths that were left out. Throws NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function packZip(options: PackOptions, context: FunctionContext): Promise<Packed> {
  const { ZipFile } = await import('yazl');
  const { members, leftOut } = await packMembers(options, context);
  const total = members.reduce((sum, { size }) => sum + size, 0);
  const report = treeProgress(context.progress, { verb: 'packed', totalBytes: total });
  let [bytes, files] = [0, 0];
  const onBytes = (length: number): void => {
    bytes += length;
    report(bytes, files);
  };
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  // Folders first: the library completes each at once, and a long queue of them would recurse too deeply.
  for (const member of members.filter(({ kind }) => kind === 'folder')) {
    zip.addEmptyDirectory(zipName(member), { mtime: new Date(member.modifiedAtMs), mode: 0o040000 | (member.mode & 0o777) });
  }
  for (const member of members) {
    const mtime = new Date(member.modifiedAtMs);
    if (member.kind === 'link')
      zip.addBuffer(Buffer.from(member.target ?? ''), zipName(member), { mtime, mode: 0o120777, compress: false });
    if (member.kind !== 'file') continue;
    zip.addReadStreamLazy(zipName(member), { mtime, mode: 0o100000 | (member.mode & 0o777) }, (take) => {
      files += 1;
      contentOf(member, onBytes).then(
        (content) =>
          take(
            null,
            content.on('error', (error) => output.destroy(error)),
          ),
        (error: Error) => output.destroy(error),
      );
    });
  }
  zip.end();
  await pipeline(output, createWriteStream(options.staged, { flags: 'wx', flush: true }));
  return { entries: members.length, leftOut };
}

function zipName({ name, file }: PackMember): string {
  if (name.includes('\\')) throw unfitName(file, 'a zip archive cannot hold names with a backslash');
  return name;
}

/** Opens the content: as many bytes as the file has at opening, even when it grows. */
async function contentOf({ file }: PackMember, onBytes: (bytes: number) => void): Promise<Readable> {
  const opened = await openFile(file);
  return Readable.from(fileContent(opened.file, opened.stats.size, onBytes), { objectMode: false });
}
