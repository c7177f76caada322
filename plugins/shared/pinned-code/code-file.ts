import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CodeFile, outOfDescriptorsError } from '../../../kernel/index.ts';
import { manifestPart } from './manifest-parts.ts';

/** Pinned part of a folder: the names that Python would import from it. */
export const importableNames = 'importable names';

/** Pinned part of a folder for Python distributions: the names of requirement files in it. */
export const requirementNames = 'requirement files';
export const requirementPattern = /^requirements.*\.txt$/;

/** Pinned part of a large file in place of its content: values that every write changes, such as the change time of its inode. */
export const changeTimes = 'times of change';

/** Pinned part of a path: its real path. The same text at another real path imports other files. */
export const realPathPart = 'place without links';

/** Pins the current state of a file, or of a part of it. */
export function pin(file: string, part?: string): CodeFile {
  return { file, ...(part === undefined ? {} : { part }), sha256: stateOf(file, part) };
}

/** Pins a file with content that was just read, so that the pinned content is the content that was checked. */
export function pinContent(file: string, content: Buffer): CodeFile {
  return { file, sha256: hash('sha256', content, 'hex') };
}

/** Returns the files whose content differs from the pinned one. */
export function changedFiles(code: readonly CodeFile[]): readonly CodeFile[] {
  return code.map(({ file, part }) => pin(file, part)).filter(({ sha256 }, index) => sha256 !== code[index]?.sha256);
}

/** Returns a fingerprint that changes with every write to a file; empty when there is none. */
export function fingerprintOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function stateOf(file: string, part: string | undefined): string {
  try {
    if (part === realPathPart) return hash('sha256', realpathSync(file), 'hex');
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
    // The state is unknown then; it must not count as missing.
    const exhausted = outOfDescriptorsError(error);
    if (exhausted !== undefined) throw exhausted;
    return '';
  }
}

/** Returns importable names. A folder without `__init__` is a package too, but only when its name is found nowhere else. */
function namesIn(folder: string): readonly string[] {
  const isImportable = (name: string): boolean => /\.(?:py|pyc|so|pyd)$/.test(name);
  const isPackage = (name: string): boolean => ['py', 'pyc', 'so'].some((end) => existsSync(path.join(folder, name, `__init__.${end}`)));
  return readdirSync(folder)
    .filter((name) => isImportable(name) || (!name.includes('.') && isPackage(name)))
    .sort();
}
