import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { outputOf } from './revision.ts';

/** Entry at a name on one side of a comparison. */
export interface Side {
  readonly type: 'nothing' | 'file' | 'link' | 'submodule';
  readonly hash: string;
}

/** Name that differs. A rename is two changes. */
export interface TreeChange {
  readonly name: string;
  readonly from: Side;
  readonly to: Side;
}

/** Options that make `git diff` and `git diff-tree` print a record for every difference, for `changesOf`. */
export const listing = ['--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--no-textconv'] as const;

const types: Readonly<Record<string, Side['type']>> = { '000000': 'nothing', '120000': 'link', '160000': 'submodule' };

/**
 * Parses `:<mode> <mode> <hash> <hash> <status> NUL <name> NUL` records (git-diff, Raw output format). An unmerged file may
 * come twice.
 */
export function changesOf(raw: string): readonly TreeChange[] {
  const fields = raw.split('\0').slice(0, -1);
  return Array.from({ length: fields.length / 2 }, (_, index): TreeChange => {
    const [before = '', after = '', fromHash = '', toHash = ''] = (fields[index * 2] ?? '').slice(1).split(' ');
    const side = (mode: string, hash: string): Side => ({ type: types[mode] ?? 'file', hash });
    return { name: fields[index * 2 + 1] ?? '', from: side(before, fromHash), to: side(after, toHash) };
  });
}

/** Returns the changes from one tree to another. */
export async function changesBetween(run: RunAgain, from: string, to: string): Promise<readonly TreeChange[]> {
  return changesOf(await outputOf(run, ['diff-tree', '-r', ...listing, '--ignore-submodules=none', from, to], {}));
}
