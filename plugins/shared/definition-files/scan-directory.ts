import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { type DiscoverSink, type Logger, LongWork, messageOf, type Origin } from '../../../kernel/index.ts';
import { firstNonUtf8 } from '../text/utf8.ts';
import { DefinitionFile, type FileSources } from './definition-file.ts';
import { skillFileName } from './skill-file.ts';
import { maxTextBytes, tooLong } from './text-limits.ts';

const skippedFolders = new Set(['node_modules', 'dist']);

type Unreadable = (file: string, error: unknown) => void;

interface DefinitionPath {
  readonly file: string;
  /** The same path with links resolved. */
  readonly real: string;
}

/** Kinds of files to find: all definitions, or skills only. */
type FileFilter = 'definitions' | 'skills';

export interface ScanOptions extends Pick<Origin, 'trust' | 'package' | 'isBuiltIn'>, FileSources {
  /** Real paths of files to skip; files that are read are added. */
  readonly seen?: Set<string>;
  /** Kinds of files to find. @default 'definitions' */
  readonly filter?: FileFilter;
}

/**
 * Adds every tool, provider and skill file below a directory, or one named file. A file that cannot be read becomes a problem. Throws when
 * the root itself cannot be read.
 */
export async function scanDirectory(root: string, sink: DiscoverSink, logger: Logger, options: ScanOptions): Promise<void> {
  const { seen = new Set(), filter = 'definitions', known, linkCache: forms, ...owner } = options;
  const unreadable: Unreadable = (file, error) =>
    sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file, message: `cannot be read: ${messageOf(error)}` });
  const work = new LongWork();
  const files = await unseenFiles(root, filter, seen, unreadable, work, sink);
  const found: DefinitionFile[] = [];
  const reader = new FileReader();
  for (const file of files) {
    if (work.isDue) await work.yieldToEventLoop();
    try {
      const definition = new DefinitionFile(file, reader.read(file), { ...owner, root }, { known, linkCache: forms });
      found.push(definition);
      logger.debug('definition file', { file, kind: definition.addTo(sink) });
    } catch (error) {
      unreadable(file, error);
    }
  }
  sink.onLinked(() => {
    for (const definition of found) definition.release();
  });
}

/** Reads one file after another into the same memory: each result is valid until the next `read`. */
class FileReader {
  #memory = Buffer.allocUnsafeSlow(16 * 1024);

  /** Throws for a file above the size limit, without reading it, and for a file that is not UTF-8. */
  read(file: string): Buffer {
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { size } = fstatSync(descriptor);
      if (size > maxTextBytes) throw new Error(`it ${tooLong(size)}`);
      // One byte more, to detect the end of the file.
      if (size >= this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(size + 1);
      const length = readSync(descriptor, this.#memory, 0, this.#memory.length, 0);
      const content = length === size ? this.#memory.subarray(0, length) : readFileSync(descriptor);
      const wrong = firstNonUtf8(content);
      if (wrong !== undefined)
        throw new Error(`it is not UTF-8 (byte ${wrong}). Save it as UTF-8, or move what is no definition elsewhere`);
      return content;
    } finally {
      closeSync(descriptor);
    }
  }
}

async function unseenFiles(
  root: string,
  filter: FileFilter,
  seen: Set<string>,
  unreadable: Unreadable,
  work: LongWork,
  sink: Pick<DiscoverSink, 'opened'>,
): Promise<string[]> {
  const found = await definitionFiles(root, filter, unreadable, work, sink);
  const unseen = found.filter(({ real }) => !seen.has(real) && seen.add(real));
  return unseen.map(({ file }) => file);
}

/** Finds `*.yaml`, `*.yml` and `SKILL.md` below a directory, in a stable order. Skips hidden entries, node_modules and dist. Follows links. */
async function definitionFiles(
  root: string,
  filter: FileFilter,
  unreadable: Unreadable,
  work: LongWork,
  sink: Pick<DiscoverSink, 'opened'>,
): Promise<DefinitionPath[]> {
  const found: DefinitionPath[] = [];
  const isWanted = (name: string): boolean => name === skillFileName || (filter === 'definitions' && /\.ya?ml$/.test(name));
  const visit = async (folder: string, real: string, above: readonly string[]): Promise<void> => {
    if (work.isDue) await work.yieldToEventLoop();
    const way = [...above, real];
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || skippedFolders.has(entry.name)) continue;
      const entryPath = inside(folder, entry.name);
      try {
        const target = targetOf(entry, entryPath, real);
        const isFound = target.kind === 'file' && isWanted(entry.name);
        // A link to a folder above would be followed forever.
        const isEntered = target.kind === 'folder' && !way.includes(target.real);
        if (entry.isSymbolicLink() && (isFound || isEntered)) sink.opened(target.real);
        if (isFound) found.push({ file: entryPath, real: target.real });
        if (isEntered) await visit(entryPath, target.real, way);
      } catch (error) {
        unreadable(entryPath, error);
      }
    }
  };
  // A new file in it is read at the next start, whichever link led here.
  sink.opened(root);
  const real = realpathSync.native(root);
  if (real !== root) sink.opened(real);
  if (statSync(root).isFile()) return [{ file: root, real }];
  await visit(root, real, []);
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Joins paths faster than path.join: names of entries need no normalization. */
function inside(folder: string, name: string): string {
  return folder.endsWith(path.sep) ? folder + name : folder + path.sep + name;
}

function targetOf(entry: Dirent, entryPath: string, parent: string): { kind: 'file' | 'folder' | 'other'; real: string } {
  const target = entry.isSymbolicLink() ? statSync(entryPath) : entry;
  const real = entry.isSymbolicLink() ? realpathSync.native(entryPath) : inside(parent, entry.name);
  return { kind: target.isFile() ? 'file' : target.isDirectory() ? 'folder' : 'other', real };
}
