import type { BigIntStats } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import type { ControlFiles, IdentityPart } from '../../../kernel/index.ts';
import { programState } from '../code/file-state.ts';
import type { ReadBudget } from './read-budget.ts';
import { treeState } from './tree-state.ts';

interface IdentityOptions {
  /** `content`: the content counts. `place`: for a folder, only device and inode count. */
  readonly binds: 'content' | 'place';
  readonly controlFiles: ControlFiles;
  readonly signal: AbortSignal;
  readonly budget: ReadBudget;
}

/**
 * Describes the current state of an absolute path. A file has its content (sha256), or above 4 MiB device, inode, size and times. A folder
 * has device and inode and, when its content is bound, path, kind, size, inode and times of each entry, control files left out. A link is
 * described itself, not its target. Everything beyond the budget is counted, not compared.
 */
export async function fileIdentity(path: string, { binds, controlFiles, signal, budget }: IdentityOptions): Promise<IdentityPart> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  if (stats === undefined) return { shown: binds === 'place' ? 'no folder' : 'nothing' };
  if (stats.isSymbolicLink()) return { shown: `link to ${await readlink(path).catch(() => 'nothing')}` };
  if (stats.isFile()) return fileState(path, stats, budget);
  const own = `${stats.dev}:${stats.ino}`;
  if (!stats.isDirectory()) return { shown: 'no ordinary file', state: own };
  if (binds === 'place') return { shown: 'folder', state: own };
  const { entries, bytes, state, isWhole } = await treeState(path, { controlFiles, signal, budget });
  const held = `${isWhole ? '' : 'more than '}${entries} ${entries === 1 ? 'entry' : 'entries'}, ${bytes} bytes`;
  return { shown: `folder ${stats.ino} of ${held}`, state: `${own} ${state}` };
}

async function fileState(path: string, stats: BigIntStats, budget: ReadBudget): Promise<IdentityPart> {
  const size = Number(stats.size);
  const facts = `${stats.dev}:${stats.ino} ${stats.mtimeNs} ${stats.ctimeNs}`;
  if (size > budget.bytes) return { shown: `file of ${size} bytes`, state: facts };
  budget.bytes -= size;
  const state = await programState(path);
  const isHash = /^[0-9a-f]{64}$/.test(state);
  return { shown: `file of ${size} bytes${isHash ? `, sha256 ${state.slice(0, 12)}` : ''}`, state: isHash ? state : facts };
}

/** True when only a rename can lie between both states: a rename changes a file's change time and nothing else. */
export function isRenamed(before: IdentityPart, now: IdentityPart): boolean {
  const [old, next] = [before, now].map(({ state = '' }) => state);
  if (old === next) return before.shown === now.shown;
  const ofFile = /^(\d+:\d+ \d+) \d+$/;
  const known = ofFile.exec(old ?? '')?.[1];
  return known !== undefined && known === ofFile.exec(next ?? '')?.[1] && before.shown === now.shown;
}
