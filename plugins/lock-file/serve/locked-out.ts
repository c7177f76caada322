import type { Kernel, Registry, WithheldItem } from '../../../kernel/index.ts';
import { differingParts } from '../compare/compare.ts';
import { kindOf, type LockedEntries, type LockItem } from '../items/lock-item.ts';
import { pluginItems } from '../items/plugin-items.ts';
import { skillItems } from '../items/skill-items.ts';
import { toolItems } from '../items/tool-items.ts';

interface LockedState {
  readonly kernel: Pick<Kernel, 'linkOptions' | 'facts'>;
  readonly entries: LockedEntries;
  readonly folder: string;
  /** Contents of code files that were read already. */
  readonly reads: Map<string, unknown>;
}

/** Returns the tools and skills that differ from their entries. Those without an entry are served. */
export async function lockedOut(registry: Registry, { kernel, entries, folder, reads }: LockedState): Promise<readonly WithheldItem[]> {
  const items = [
    ...(await toolItems(registry, kernel, folder, { isWanted: (name) => entries.tools.has(name), reads })),
    ...(await skillItems(registry, (name) => entries.skills.has(name))),
  ];
  return items.flatMap((item) => {
    const parts = partsOf(item, entries);
    if (parts.length === 0) return [];
    const kind = kindOf[item.section] as 'tool' | 'skill';
    return [{ kind, name: item.name, how: `differs from toolkit.lock (${parts.join(' and ')})`, acceptedBy: acceptedBy(item.name) }];
  });
}

/** Returns the plugins that differ from their entries, with the differing parts. */
export function changedPlugins(kernel: Kernel, entries: LockedEntries, folder: string): readonly string[] {
  if (entries.plugins.size === 0) return [];
  return pluginItems(kernel, folder, (name) => entries.plugins.has(name)).flatMap((item) => {
    const parts = partsOf(item, entries);
    return parts.length === 0 ? [] : [`"${item.name}" (${parts.join(' and ')})`];
  });
}

function partsOf(item: LockItem, entries: LockedEntries): readonly string[] {
  const entry = entries[item.section].get(item.name);
  return entry === undefined ? [] : differingParts(item, entry);
}

function acceptedBy(name: string): string {
  return `"toolkit lock --explain ${name}" shows the difference, "toolkit accept ${name}" accepts it`;
}
