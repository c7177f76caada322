import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { openFile } from '../fs/files/open-file.ts';
import { treeProgress } from '../fs/files/step-progress.ts';
import { fileContent } from './file-content.ts';
import { type Packed, type PackMember, type PackOptions, packMembers } from './pack-members.ts';

interface PackTarOptions extends PackOptions {
  readonly gzip: boolean;
}

const blockBytes = 512;

/**
 * Writes a tar archive in the POSIX format (pax); returns the number of its entries, and the paths that were left out. Throws
 * NOT_FOUND and EXECUTION_FAILED.
 */
export async function packTar({ gzip, ...options }: PackTarOptions, context: FunctionContext): Promise<Packed> {
  const { members, leftOut } = await packMembers(options, context);
  const total = members.reduce((sum, { size }) => sum + size, 0);
  const report = treeProgress(context.progress, { verb: 'packed', totalBytes: total });
  let [bytes, files] = [0, 0];
  const onFile = (): void => {
    files += 1;
    report(bytes, files);
  };
  const onBytes = (length: number): void => {
    bytes += length;
    report(bytes, files);
  };
  const archive = Readable.from(archiveOf(members, onBytes, onFile), { objectMode: false });
  const output = createWriteStream(options.staged, { flags: 'wx', flush: true });
  await (gzip ? pipeline(archive, createGzip(), output) : pipeline(archive, output));
  return { entries: members.length, leftOut };
}

async function* archiveOf(members: readonly PackMember[], onBytes: (bytes: number) => void, onFile: () => void): AsyncGenerator<Buffer> {
  for (const member of members) {
    if (member.kind !== 'file') {
      yield await headerOf(member, 0);
      continue;
    }
    onFile();
    const { file, stats } = await openFile(member.file);
    // The header comes first and declares the size.
    const header = await headerOf(member, stats.size);
    let left = stats.size;
    const content = fileContent(file, stats.size, onBytes);
    yield header;
    for await (const chunk of content) {
      left -= chunk.length;
      yield chunk;
    }
    if (left > 0) throw shortened(member.file);
    yield Buffer.alloc((blockBytes - (stats.size % blockBytes)) % blockBytes);
  }
  // End marker. Other tar programs fill up a record of 20 blocks, which no reader needs.
  yield Buffer.alloc(2 * blockBytes);
}

/** Returns the header of an entry, after an extended header where its facts do not fit. Contains no owner. */
async function headerOf({ name, kind, mode, modifiedAtMs, target }: PackMember, size: number): Promise<Buffer> {
  const { Header, Pax } = await import('tar');
  const facts = {
    path: kind === 'folder' ? `${name}/` : name,
    mode: mode & 0o777,
    size,
    mtime: new Date(Math.floor(modifiedAtMs / 1000) * 1000),
    ...(kind === 'link' && target !== undefined ? { linkpath: target } : {}),
  };
  const header = new Header({ ...facts, type: kind === 'file' ? 'File' : kind === 'folder' ? 'Directory' : 'SymbolicLink' });
  const needsPax = header.encode();
  const block = header.block ?? Buffer.alloc(0);
  return needsPax ? Buffer.concat([new Pax(facts).encode(), block]) : block;
}

function shortened(file: string): ToolkitError {
  const message = `Nothing was packed: "${excerpt(file)}" became shorter while it was read. Try again when nothing writes to it.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file });
}
