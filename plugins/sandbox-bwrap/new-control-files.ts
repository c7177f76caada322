import path from 'node:path';
import { ControlFiles } from '../../kernel/index.ts';
import type { FoundFile } from './file-tree.ts';

/** Rules without the files that the service itself makes and replaces while it runs. */
const rulesWithoutOwnFiles = new WeakMap<ControlFiles, ControlFiles>();

/** Returns the absolute paths of new control files, and of new folders that cannot be listed. Of nested ones, only the outermost. */
export function findNewControlFiles(
  before: readonly FoundFile[],
  after: readonly FoundFile[],
  controlFiles: ControlFiles,
): readonly string[] {
  const known = new Set(before.map((file) => file.path));
  const rules = withoutOwnFiles(controlFiles);
  const isClosing = ({ kind, path: entryPath }: FoundFile): boolean =>
    kind === 'closed folder' || (kind === 'control file' && rules.find(entryPath, 'write') !== undefined);
  const entryPaths = after.filter((file) => !known.has(file.path) && isClosing(file)).map((file) => file.path);
  return entryPaths.filter((entryPath) => !entryPaths.some((other) => other !== entryPath && entryPath.startsWith(`${other}${path.sep}`)));
}

/**
 * Leaves out stores, keys and rotated trails, which the service itself makes while programs run: rules of a path that say
 * `read: false`, or that match many files.
 */
function withoutOwnFiles(controlFiles: ControlFiles): ControlFiles {
  const known = rulesWithoutOwnFiles.get(controlFiles);
  if (known !== undefined) return known;
  const made = new ControlFiles(
    controlFiles.rules.filter(({ pattern, read }) => !path.isAbsolute(pattern) || (read && !pattern.includes('*'))),
  );
  rulesWithoutOwnFiles.set(controlFiles, made);
  return made;
}
