import { readdir } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { formatProblem, messageOf } from '../../../kernel/index.ts';
import { parseDefinition, withLineFeeds } from '../../shared/definition-files/definition-text.ts';
import { definitionChanges } from '../../shared/definition-files/earlier-form/definition-changes.ts';
import { notUtf8, strictUtf8 } from '../../shared/text/utf8.ts';
import { migrateText } from './migrate-text.ts';

/** A definition file with its text before and after the migration. */
export interface MigratedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export interface Migration {
  readonly changed: readonly MigratedFile[];
  /** Number of files that need no change. */
  readonly unchanged: number;
  /** For each file or folder that cannot be read, lines that say why. */
  readonly broken: readonly (readonly string[])[];
}

/** Migrates all definition files of the folder, or a single file. Writes nothing. */
export async function migrateFolder(root: string): Promise<Migration> {
  const { glob } = await import('tinyglobby');
  const changed: MigratedFile[] = [];
  const broken: (readonly string[])[] = [];
  const unreadableFolders: (readonly string[])[] = [];
  const files = /\.ya?ml$/.test(root)
    ? [path.resolve(root)]
    : await glob('**/*.{yaml,yml}', {
        cwd: path.resolve(root),
        absolute: true,
        followSymbolicLinks: false,
        fs: { readdir: reportingReaddir((folder, error) => unreadableFolders.push([`${folder}: cannot be read: ${messageOf(error)}`])) },
        ignore: ['**/{node_modules,dist}/**'],
      });
  for (const file of files.sort()) {
    try {
      const bytes = await readFile(file);
      const written = strictUtf8(bytes, { keepsMark: true });
      if (written === undefined) throw new Error(notUtf8(bytes));
      const before = withLineFeeds(written);
      const parsed = parseDefinition(before, file);
      if ('problems' in parsed) {
        broken.push(parsed.problems.map((problem) => formatProblem({ ...problem, plugin: 'tool-files' })));
        continue;
      }
      const changes = definitionChanges(parsed.value);
      if (changes.length > 0) changed.push({ file, before, after: await migrateText(before, changes) });
    } catch (error) {
      broken.push([`${file}: cannot be read: ${messageOf(error)}`]);
    }
  }
  return { changed, broken: [...unreadableFolders, ...broken], unchanged: files.length - changed.length - broken.length };
}

/** A `readdir` for tinyglobby that reports errors: tinyglobby itself skips a folder that it cannot read. */
function reportingReaddir(report: (folder: string, error: Error) => void): typeof readdir {
  const list = (
    folder: string,
    options: { withFileTypes: true },
    done: (...given: Parameters<Parameters<typeof readdir>[2]>) => void,
  ): void =>
    readdir(folder, options, (error, entries) => {
      if (error !== null) report(folder, error);
      done(error, entries as never);
    });
  return list as unknown as typeof readdir;
}
