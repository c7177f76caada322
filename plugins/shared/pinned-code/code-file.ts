import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CodeFile, outOfDescriptors } from '../../../kernel/index.ts';
import { manifestPart } from './manifest-parts.ts';

/** The part of a folder that counts: the names in it that Python would import from there. */
export const importableNames = 'importable names';

/** The part of a folder that counts for Python distributions: which files of this pattern are in it. */
export const requirementNames = 'requirement files';
export const requirementPattern = /^requirements.*\.txt$/;

/** In place of the content of a large file: what no write leaves as it was, the time of the last change of its inode among it. */
export const changeTimes = 'times of change';

/** The place of a file without links: where it leads elsewhere, the same text imports other files. */
export const realPlace = 'place without links';

/** Pins a file as it is now, or a part of it. */
export function pin(file: string, part?: string): CodeFile {
  return { file, ...(part === undefined ? {} : { part }), sha256: stateOf(file, part) };
}

/** Pins a file whose content was just read, so that what is pinned is what was looked at. */
export function pinContent(file: string, content: Buffer): CodeFile {
  return { file, sha256: hash('sha256', content, 'hex') };
}

/** Finds those of which another content is there now. */
export function changedFiles(code: readonly CodeFile[]): readonly CodeFile[] {
  return code.map(({ file, part }) => pin(file, part)).filter(({ sha256 }, index) => sha256 !== code[index]?.sha256);
}

/** A text that is another one after every write to a file; empty where nothing is. */
export function fingerprintOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function stateOf(file: string, part: string | undefined): string {
  try {
    if (part === realPlace) return hash('sha256', realpathSync(file), 'hex');
    if (part === importableNames) return hash('sha256', namesIn(file).join('\n'), 'hex');
    if (part === requirementNames)
      return hash(
        'sha256',
        readdirSync(file)
          .filter((name) => requirementPattern.test(name))
          .sort()
          .join('\n'),
        'hex',
      );
    if (part === changeTimes) return hash('sha256', fingerprintOf(file), 'hex');
    const content = readFileSync(file);
    // Own text: compared with itself alone
    return hash('sha256', part === undefined ? content : manifestPart(content.toString('utf8'), part), 'hex');
  } catch (error) {
    // Nothing is known of it then, least of all that it is gone.
    const exhausted = outOfDescriptors(error);
    if (exhausted !== undefined) throw exhausted;
    return '';
  }
}

/** A folder without `__init__` is a package too, but only where nothing of its name is found elsewhere. */
function namesIn(folder: string): readonly string[] {
  const isImportable = (name: string): boolean => /\.(?:py|pyc|so|pyd)$/.test(name);
  const isPackage = (name: string): boolean => ['py', 'pyc', 'so'].some((end) => existsSync(path.join(folder, name, `__init__.${end}`)));
  return readdirSync(folder)
    .filter((name) => isImportable(name) || (!name.includes('.') && isPackage(name)))
    .sort();
}
