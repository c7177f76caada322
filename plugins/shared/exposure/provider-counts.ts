import type { Tool } from '../../../kernel/index.ts';
import { groupOf } from './group-of.ts';
import { providerOf } from './provider-of.ts';

/** Maximum groups named. */
const maxGroups = 40;

/**
 * Lists the providers of tools with their number of tools, largest first: `core 136 (fs 21, git 16), github 22`. Tool names begin with the
 * provider or, for a provider of several groups, with the group.
 */
export function providerCounts(tools: readonly Tool[]): string {
  const groups = new Map<string, Map<string, number>>();
  for (const tool of tools) {
    const group = groupOf(tool);
    const counts = groups.get(providerOf(tool)) ?? new Map<string, number>();
    groups.set(providerOf(tool), counts.set(group, (counts.get(group) ?? 0) + 1));
  }
  const providers = [...groups].map(([name, counts]) => ({ name, counts, total: [...counts.values()].reduce((sum, one) => sum + one, 0) }));
  return listed(
    providers.sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1)),
    ({ name, counts, total }) => `${name} ${total}${counts.size < 2 ? '' : ` (${groupCounts(counts)})`}`,
  );
}

function groupCounts(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return listed(sorted, ([name, count]) => `${name} ${count}`);
}

function listed<T>(all: readonly T[], text: (one: T) => string): string {
  const named = all.slice(0, maxGroups).map(text).join(', ');
  return all.length <= maxGroups ? named : `${named} and ${all.length - maxGroups} more`;
}
