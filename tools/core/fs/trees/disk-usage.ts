import type { Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import nodePath from 'node:path';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { fileError } from '../files/file-error.ts';
import { inLanes } from '../files/in-lanes.ts';
import { LeftOut, type LeftOutResult } from '../files/left-out.ts';
import { entryStep, stepProgress } from '../files/step-progress.ts';
import { isRealPath, moved } from '../files/unmoved.ts';

interface DiskUsageParameters {
  readonly path: string;
  readonly depth: number;
  readonly include_git: boolean;
}

interface DiskUsageResult extends LeftOutResult, UnreadableResult {
  readonly total_bytes: number;
  readonly entries: readonly { readonly path: string; readonly bytes: number }[];
  readonly truncated: boolean;
}

/** Entries that are shown, at most. */
const maxShown = 1000;

/** Adds up the sizes of files; one with several names counts once. Throws NOT_FOUND and EXECUTION_FAILED for the folder itself. */
export async function diskUsage(parameters: DiskUsageParameters, context: FunctionContext): Promise<DiskUsageResult> {
  const { path, depth, include_git } = parameters;
  const leftOut = include_git ? undefined : new LeftOut(path);
  const survey = new Survey(path, { depth, leftOut }, context);
  try {
    const total = await survey.sizeOf(path, '', await lstat(path));
    const shown = survey.shown.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
    return {
      total_bytes: total,
      entries: shown.slice(0, maxShown),
      truncated: shown.length > maxShown,
      ...survey.unreadable.result,
      ...leftOut?.result,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    throw fileError(error, 'list', path);
  }
}

class Survey {
  readonly shown: { path: string; bytes: number }[] = [];
  readonly unreadable: Unreadable;
  /** Files with several names that were counted, by device and number. */
  readonly #counted = new Set<string>();
  readonly #depth: number;
  readonly #signal: AbortSignal;
  readonly #report: (done: number) => void;
  readonly #leftOut: LeftOut | undefined;
  #seen = 0;

  constructor(
    top: string,
    { depth, leftOut }: { readonly depth: number; readonly leftOut: LeftOut | undefined },
    { signal, progress }: FunctionContext,
  ) {
    this.unreadable = new Unreadable(top);
    this.#depth = depth;
    this.#leftOut = leftOut;
    this.#signal = signal;
    this.#report = stepProgress(progress, { step: entryStep, message: 'entries seen' });
  }

  /** `name`: relative to the surveyed folder, empty for itself. Links, pipes and devices are 0; links are not followed. */
  async sizeOf(path: string, name: string, stats: Stats): Promise<number> {
    this.#seen += 1;
    this.#report(this.#seen);
    const isFolder = stats.isDirectory();
    const bytes = isFolder ? await this.#sizeOfFolder(path, name) : this.#isNew(stats) ? stats.size : 0;
    if (name !== '' && name.split('/').length <= this.#depth) this.shown.push({ path: isFolder ? `${name}/` : name, bytes });
    return bytes;
  }

  async #sizeOfFolder(folder: string, name: string): Promise<number> {
    this.#signal.throwIfAborted();
    let bytes = 0;
    for (const [member, stats] of await this.#membersOf(folder, name === '')) {
      bytes += await this.sizeOf(nodePath.join(folder, member), name === '' ? member : `${name}/${member}`, stats);
    }
    return bytes;
  }

  async #membersOf(folder: string, isTop: boolean): Promise<Map<string, Stats>> {
    const found = new Map<string, Stats>();
    try {
      const all = (await readdir(folder)).sort();
      const names = this.#leftOut?.keep(folder, all, (name) => name) ?? all;
      await inLanes(names, 16, async (name) => {
        const path = nodePath.join(folder, name);
        const stats = await lstat(path).catch((error: unknown) => this.unreadable.add(path, error));
        if (stats) found.set(name, stats);
      });
      if (!isRealPath(folder)) throw moved(folder);
      return found;
    } catch (error) {
      if (isTop) throw error;
      this.unreadable.add(folder, error);
      return new Map();
    }
  }

  /** A file, and not one that was counted under another name. */
  #isNew(stats: Stats): boolean {
    if (!stats.isFile()) return false;
    const file = `${stats.dev}:${stats.ino}`;
    const isNew = !this.#counted.has(file);
    if (stats.nlink > 1) this.#counted.add(file);
    return isNew;
  }
}
