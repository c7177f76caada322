import { type LockedDigests, type LockedEntries, type LockedSection, type LockItem, lockedSections } from '../items/lock-item.ts';

/** A difference between the lock and what there is now. */
export type Difference = { readonly section: LockedSection; readonly name: string } & (
  | { readonly change: 'new'; readonly item: LockItem }
  | {
      readonly change: 'changed';
      readonly item: LockItem;
      readonly entry: LockedDigests;
      readonly parts: readonly ('definition' | 'code')[];
    }
  | { readonly change: 'removed'; readonly entry: LockedDigests }
);

/** Returns the parts of an item that differ from its entry; empty when it is equal. */
export function differingParts(item: LockedDigests, entry: LockedDigests): readonly ('definition' | 'code')[] {
  return [...(item.digest === entry.digest ? [] : (['definition'] as const)), ...(item.code === entry.code ? [] : (['code'] as const))];
}

/** Returns the differences by section and name, sorted without a locale. */
export function compareWithLock(items: readonly LockItem[], entries: LockedEntries): readonly Difference[] {
  return lockedSections.flatMap((section) => {
    const present = new Map(items.filter((item) => item.section === section).map((item) => [item.name, item]));
    const names = [...new Set([...present.keys(), ...entries[section].keys()])].sort();
    return names.flatMap((name) => differenceOf(section, name, present.get(name), entries[section].get(name)) ?? []);
  });
}

function differenceOf(
  section: LockedSection,
  name: string,
  item: LockItem | undefined,
  entry: LockedDigests | undefined,
): Difference | undefined {
  if (entry === undefined) return item === undefined ? undefined : { section, name, change: 'new', item };
  if (item === undefined) return { section, name, change: 'removed', entry };
  const parts = differingParts(item, entry);
  return parts.length === 0 ? undefined : { section, name, change: 'changed', item, entry, parts };
}
