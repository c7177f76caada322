import { lstatSync, statfsSync } from 'node:fs';
import { ToolkitError } from '../../../kernel/index.ts';
import { isOwnedByThisAccount } from '../project/untrusted-location.ts';

/** File systems of Linux that one machine has for itself, by the type that `statfs` returns. All others are refused. */
const localTypes: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext2, ext3 or ext4'],
  [0x5846_5342, 'XFS'],
  [0x9123_683e, 'Btrfs'],
  [0x2fc1_2fc1, 'ZFS'],
  [0x0102_1994, 'tmpfs'],
  [0x8584_58f6, 'ramfs'],
  [0x794c_7630, 'overlayfs'],
  [0xf2f5_2010, 'F2FS'],
  [0xca45_1a4e, 'bcachefs'],
]);

/**
 * Throws PLUGIN_INVALID when another account can use the folder, or when it is on a file system that other machines may share: the socket of
 * another machine refuses as one of a dead process does. On macOS the kind of file system is not known, and is not checked.
 */
export function refuseForeignFolder(folder: string): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || !isOwnedByThisAccount(stats) || (stats.mode & 0o077) !== 0)
    throw refusal(`The folder ${folder} must belong to this account alone (mode 0700), and be no link. Remove it, and it is made again.`);
  if (process.platform !== 'linux') return;
  const { type } = statfsSync(folder);
  if (localTypes.has(type >>> 0)) return;
  throw refusal(
    `The folder ${folder} is on a file system (type 0x${(type >>> 0).toString(16)}) that other machines may share, where this process cannot find out whether another one lives. Put the store on a disk of this machine, or use storePostgres().`,
  );
}

function refusal(message: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', message);
}
