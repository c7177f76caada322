import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { isOwnedByThisAccount } from '../../shared/project/untrusted-location.ts';

/**
 * Throws CONFIG_INVALID for a found configuration file that another account may have written: the file or a folder above it belongs to one, or is
 * writable by every account. The administrator could write anywhere; group permissions are ignored, because groups share projects on purpose.
 */
export function refuseForeignConfig(file: string): void {
  // Windows has no such owners.
  if (process.getuid === undefined) return;
  const real = realpathSync(file);
  const reason = describeForeignPart(file) ?? (real === file ? undefined : describeForeignPart(real));
  if (reason === undefined) return;
  throw new ToolkitError(
    'CONFIG_INVALID',
    `${file} was not loaded, because another account may have written it: ${reason}. Name the file (--config ${file}) to load it all the same, or start in a folder of yours.`,
    { file },
  );
}

/** Describes the first part of a path that other accounts control. */
function describeForeignPart(part: string): string | undefined {
  const found = lstatSync(part);
  if (!isOwnedByThisAccount(found) && found.uid !== 0) return `${part} belongs to another account`;
  // In a sticky folder, only the owner can replace an entry. A link has no permissions of its own.
  const isOpen = (found.mode & 0o002) !== 0 && !found.isSymbolicLink() && !(found.isDirectory() && (found.mode & 0o1000) !== 0);
  if (isOpen) return `every account may write to ${part}`;
  const above = path.dirname(part);
  return above === part ? undefined : describeForeignPart(above);
}
