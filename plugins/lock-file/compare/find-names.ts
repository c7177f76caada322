import { excerpt, isPlainObject, type JsonObject, type Problem } from '../../../kernel/index.ts';
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
    if (accepted !== undefined) before.set(`${section} ${contentOf(accepted.definition)} ${entry.code}`, name);
  }
  if (before.size === 0) return [];
  return differences.flatMap((difference): LockFinding[] => {
    if (difference.change !== 'new') return [];
    const { section, name, item } = difference;
    const former = before.get(`${section} ${contentOf(item.definition())} ${item.code}`);
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

/** Returns a digest of the definition without the name of the item. */
function contentOf(definition: JsonObject): string {
  const { name: _name, definition: own, ...rest } = definition;
  if (!isPlainObject(own)) return definitionDigest(rest);
  const { name: _ownName, ...members } = own as JsonObject;
  return definitionDigest({ ...rest, definition: members });
}
