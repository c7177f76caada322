import { changeSection } from '../../shared/lock/lock-file.ts';
import type { Difference } from '../compare/compare.ts';
import { lockedSections } from '../items/lock-item.ts';
import { removeAcceptedItem, writeAcceptedItem } from './accepted-item.ts';
import { digestsSection } from './locked-entries.ts';

/** Takes these differences over: entries and the definitions beside them. Creates the lock where there is none. */
export async function writeDifferences(folder: string, differences: readonly Difference[]): Promise<void> {
  for (const section of lockedSections) {
    const own = differences.filter((difference) => difference.section === section);
    if (own.length === 0) continue;
    await changeSection(folder, digestsSection(section), async (entries) => {
      const changed = new Map(entries);
      for (const difference of own) {
        const { name } = difference;
        if (difference.change === 'removed') {
          await removeAcceptedItem(folder, section, name);
          changed.delete(name);
        } else {
          const { digest, code } = difference.item;
          await writeAcceptedItem(folder, difference.item);
          changed.set(name, code === undefined ? { digest } : { digest, code });
        }
      }
      return changed;
    });
  }
}
