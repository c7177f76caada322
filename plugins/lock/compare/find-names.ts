import { excerpt, type JsonObject, type Problem } from '../../../kernel/index.ts';
import { readAcceptedItem } from '../accepted/accepted-item.ts';
import { definitionDigest } from '../items/digests.ts';
import { kindOf } from '../items/lock-item.ts';
import type { Difference } from './compare.ts';
import type { LockFinding } from './finding.ts';

/** Finds items that have an accepted content under another name. */
export async function findRenames(differences: readonly Difference[], folder: string): Promise<readonly LockFinding[]> {
  const before = new Map<string, string>();
  for (const difference of differences) {
    if (difference.change !== 'removed') continue;
    const { section, name, entry } = difference;
    const accepted = await readAcceptedItem(folder, section, name, entry);
    if (accepted !== undefined) before.set(`${section} ${contentOf(accepted.definition, name)} ${entry.code}`, name);
  }
  if (before.size === 0) return [];
  return differences.flatMap((difference): LockFinding[] => {
    if (difference.change !== 'new') return [];
    const { section, name, item } = difference;
    const former = before.get(`${section} ${contentOf(item.definition(), name)} ${item.code}`);
    if (former === undefined) return [];
    const message = `the ${kindOf[section]} "${name}" is "${excerpt(former, 100)}" under another name`;
    return [{ rule: 'renamed', names: [name, former], message, isHard: false }];
  });
}

/** Finds names that two owners give: one of them is not served. */
export function findShadows(problems: readonly Problem[]): readonly LockFinding[] {
  return problems
    .filter(({ code }) => code === 'TOOL_DUPLICATE')
    .map(({ message, tool, plugin }) => ({
      rule: 'shadowed-name',
      names: tool === undefined ? [] : [tool],
      message: excerpt(tool === undefined ? `${message} (plugin ${plugin})` : `"${tool}": ${message}`, 300),
      isHard: true,
    }));
}

/** Returns a digest of the definition with each text that is the name replaced. */
function contentOf(definition: JsonObject, name: string): string {
  return definitionDigest(replaced(definition, name) as JsonObject);
}

function replaced(value: unknown, name: string): unknown {
  if (typeof value === 'string') return value.replaceAll(name, '\0');
  if (Array.isArray(value)) return value.map((item) => replaced(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replaced(member, name)]));
}
