import { closeSync, lstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';
import type { HostKeys } from '../shared/keys/host-keys.ts';
import { isOwnedByThisAccount } from '../shared/project/untrusted-location.ts';
import { LibsqlTable } from './libsql-table.ts';

/**
 * Opens the file, and creates it if missing. `isExclusive`: see `LibsqlTable`. Rejects with STATE_UNAVAILABLE when it cannot be used, or without
 * a key that other processes have.
 */
export async function openTable(
  file: string,
  keys: Pick<HostKeys, 'isPersistent'>,
  options: { readonly isExclusive?: boolean } = {},
): Promise<LibsqlTable> {
  if (!keys.isPersistent) throw unusableError(file, 'there is no key that other processes have. Set TOOLKIT_KEY');
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    // The two other files that SQLite creates get the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw unusableError(file, messageOf(error));
  }
  if (!isOwnedByThisAccount(lstatSync(file))) throw unusableError(file, 'it belongs to another account');
  return LibsqlTable.open(file, options);
}

function unusableError(file: string, why: string): ToolkitError {
  return new ToolkitError('STATE_UNAVAILABLE', `The store ${excerpt(file)} cannot be used: ${excerpt(why)}.`, { retryable: false });
}
