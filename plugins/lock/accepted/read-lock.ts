import { readSection } from '../../shared/lock/lock-file.ts';
import { type LockedDigests, type LockedSection, lockedSections } from '../items/lock-item.ts';
import { digestsSection } from './locked-entries.ts';

/** The entries of this plugin's sections, by name. */
export type LockedEntries = Readonly<Record<LockedSection, ReadonlyMap<string, LockedDigests>>>;

/** Reads the entries. Empty without a lock. Throws CONFIG_INVALID for a lock that cannot be understood. */
export async function readLock(folder: string): Promise<LockedEntries> {
  const read = async (section: LockedSection) => [section, await readSection(folder, digestsSection(section))] as const;
  return Object.fromEntries(await Promise.all(lockedSections.map(read))) as unknown as LockedEntries;
}
