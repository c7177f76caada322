import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type DiscoverSink, type Logger, LongWork, messageOf, type Origin } from '../../../kernel/index.ts';
import { addDefinition, knownDefinition } from './definition-file.ts';
import { parseDefinition } from './definition-text.ts';
import type { KnownValues } from './manifest.ts';
import { parseSkill, skillFileName } from './skill-file.ts';
import { maxTextBytes, tooLong } from './text-limits.ts';

const skippedFolders = new Set(['node_modules', 'dist']);

/** Files that are open at the same time. */
const maxOpenFiles = 64;

type Unreadable = (file: string, error: unknown) => void;

interface DefinitionPath {
  readonly file: string;
  /** The same without links. */
  readonly real: string;
}

/** What is looked for: everything, or skills alone. */
type Wanted = 'definitions' | 'skills';

export interface ScanOptions extends Pick<Origin, 'trust' | 'package'> {
  /** Real paths of files that are passed over; those that are read are added. */
  readonly seen?: Set<string>;
  /** @default 'definitions' */
  readonly wanted?: Wanted;
  /** Texts that need not be parsed, because this program was built with them. @default none */
  readonly known?: KnownValues;
}

type Found = Pick<Origin, 'trust' | 'package' | 'root'>;

/**
 * Adds every tool, provider and skill file below a directory, or the one file that is named. What cannot be read is a problem; the rest
 * is read. Throws when the root itself cannot be read.
 */
export async function scanDirectory(root: string, sink: DiscoverSink, logger: Logger, options: ScanOptions): Promise<void> {
  const { seen = new Set(), wanted = 'definitions', known = () => undefined, ...owner } = options;
  const unreadable: Unreadable = (file, error) =>
    sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file, message: `cannot be read: ${messageOf(error)}` });
  const files = await unseenFiles(root, wanted, seen, unreadable);
  const work = new LongWork();
  for (let start = 0; start < files.length; start += maxOpenFiles) {
    const batch = files.slice(start, start + maxOpenFiles);
    const texts = await Promise.allSettled(batch.map(readDefinitionText));
    for (const [index, file] of batch.entries()) {
      if (work.isDue) await work.rest();
      const text = texts[index];
      if (text?.status !== 'fulfilled') {
        unreadable(file, text?.reason);
        continue;
      }
      try {
        addFile(text.value, file, known, { ...owner, root }, sink, logger);
      } catch (error) {
        unreadable(file, error);
      }
    }
  }
}

/** Throws for a file that is larger than any definition, without reading it, and for one of another encoding. */
async function readDefinitionText(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > maxTextBytes) throw new Error(`it ${tooLong(size)}`);
  const content = await readFile(file);
  if (!isUtf8(content)) throw new Error('it is not UTF-8. Save it as UTF-8, or move what is no definition elsewhere');
  return content.toString('utf8');
}

function addFile(text: string, file: string, known: KnownValues, owner: Found, sink: DiscoverSink, logger: Logger): void {
  const parse = isSkill(file) ? parseSkill : parseDefinition;
  const value = known(text);
  const parsed = value === undefined ? parse(text, file) : knownDefinition(value, () => parse(text, file));
  if ('problems' in parsed) {
    for (const problem of parsed.problems) sink.addProblem(problem);
    return;
  }
  const origin = { file, directory: path.dirname(file), ...owner, locate: parsed.locate };
  if (isSkill(file)) sink.addSkill(parsed.value, text, origin);
  const kind = isSkill(file) ? 'skill' : addDefinition(sink, parsed.value, origin);
  logger.debug('definition file', { file, kind });
}

function isSkill(file: string): boolean {
  return path.basename(file) === skillFileName;
}

async function unseenFiles(root: string, wanted: Wanted, seen: Set<string>, unreadable: Unreadable): Promise<string[]> {
  const found = await definitionFiles(root, wanted, unreadable);
  const unseen = found.filter(({ real }) => !seen.has(real) && seen.add(real));
  return unseen.map(({ file }) => file);
}

/** `*.yaml`, `*.yml` and `SKILL.md` below a directory in a stable order; what is hidden, node_modules and dist are skipped, links are followed. */
async function definitionFiles(root: string, wanted: Wanted, unreadable: Unreadable): Promise<DefinitionPath[]> {
  const found: DefinitionPath[] = [];
  const isWanted = (name: string): boolean => name === skillFileName || (wanted === 'definitions' && /\.ya?ml$/.test(name));
  const visit = async (folder: string, real: string, above: readonly string[]): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    const kept = entries.filter(({ name }) => !name.startsWith('.') && !skippedFolders.has(name));
    await Promise.all(kept.map((entry) => enter(entry, folder, [...above, real])));
  };
  const enter = async (entry: Dirent, folder: string, above: readonly string[]): Promise<void> => {
    const place = path.join(folder, entry.name);
    try {
      const { kind, real } = await targetOf(entry, place, above.at(-1) ?? folder);
      if (kind === 'file' && isWanted(entry.name)) found.push({ file: place, real });
      // A link to a folder above would go round for ever.
      if (kind === 'folder' && !above.includes(real)) await visit(place, real, above);
    } catch (error) {
      unreadable(place, error);
    }
  };
  const real = await realpath(root);
  if ((await stat(root)).isFile()) return [{ file: root, real }];
  await visit(root, real, []);
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

async function targetOf(entry: Dirent, place: string, parent: string): Promise<{ kind: 'file' | 'folder' | 'other'; real: string }> {
  const target = entry.isSymbolicLink() ? await stat(place) : entry;
  const real = entry.isSymbolicLink() ? await realpath(place) : path.join(parent, entry.name);
  return { kind: target.isFile() ? 'file' : target.isDirectory() ? 'folder' : 'other', real };
}
