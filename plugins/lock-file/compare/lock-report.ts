import type { Kernel } from '../../../kernel/index.ts';
import { readLock } from '../accepted/read-lock.ts';
import { allItems } from '../items/all-items.ts';
import type { LockItem } from '../items/lock-item.ts';
import { compareWithLock, type Difference } from './compare.ts';
import { findRenames, findShadows } from './find-names.ts';
import type { LockFinding, Scan } from './finding.ts';
import { type SourceDifference, sourceDifferences } from './source-differences.ts';
import { textScan } from './text-scan.ts';

/** The comparison of a project with its lock. */
export interface LockReport {
  readonly items: readonly LockItem[];
  readonly differences: readonly Difference[];
  readonly sources: readonly SourceDifference[];
  readonly findings: readonly LockFinding[];
}

/** Compares everything that a kernel serves with the lock. `kernel`: one without this plugin's walls. `scans`: further checks of the items. */
export async function reportLock(kernel: Kernel, folder: string, scans: readonly Scan[] = []): Promise<LockReport> {
  const items = await allItems(kernel, folder);
  const differences = compareWithLock(items, await readLock(folder)).filter((difference) => !isOfSourceThatIsDown(difference, kernel));
  const scanned = await Promise.all([textScan(kernel, differences), ...scans].map((scan) => scan(items)));
  return {
    items,
    differences,
    sources: await sourceDifferences(kernel, folder),
    findings: [...(await findRenames(differences, folder)), ...findShadows(kernel.registry.problems), ...scanned.flat()],
  };
}

/** True for an entry whose tool is missing only because its source cannot be listed. */
function isOfSourceThatIsDown({ section, name, change }: Difference, { sources }: Kernel): boolean {
  if (section !== 'tools' || change !== 'removed') return false;
  return sources.list().some((source) => source.listedAt === undefined && name.startsWith(`${source.name}_`));
}
