import type { JsonObject } from '../../../kernel/index.ts';
import { type ListItemName, listKinds } from '../accepted/merge-lists.ts';
import { itemDigest } from '../define/item-digest.ts';
import type { ServerLists } from '../server-lists.ts';

/** One difference between what was accepted of a server and what it offers. */
export interface ListDifference extends ListItemName {
  readonly change: 'new' | 'changed' | 'gone';
  /** The changed members, such as `inputSchema.properties.path.type`. */
  readonly members: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
}

/** Compares the accepted lists of a server with others. `before`: undefined when nothing was accepted. */
export function compareLists(before: ServerLists | undefined, after: ServerLists): readonly ListDifference[] {
  const differences: ListDifference[] = [];
  for (const [list, kind, key] of listKinds) {
    const old = byKey(before?.[list] ?? [], key);
    const present = byKey(after[list], key);
    for (const [name, item] of present) {
      const was = old.get(name);
      if (was === undefined) differences.push({ change: 'new', kind, name, members: [] });
      else if (itemDigest(was) !== itemDigest(item))
        differences.push({ change: 'changed', kind, name, members: differingMembers(was, item) });
    }
    for (const name of old.keys()) if (!present.has(name)) differences.push({ change: 'gone', kind, name, members: [] });
  }
  if (before !== undefined && before.instructions !== after.instructions) {
    const members = [{ path: 'instructions', before: before.instructions, after: after.instructions }];
    differences.push({ change: 'changed', kind: 'instructions', name: 'instructions', members });
  }
  return differences;
}

function byKey(items: readonly JsonObject[], key: string): ReadonlyMap<string, JsonObject> {
  return new Map(items.map((item) => [String(item[key]), item]));
}

function differingMembers(before: unknown, after: unknown, path = ''): ListDifference['members'] {
  if (itemDigest(before ?? null) === itemDigest(after ?? null)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differingMembers(before[name], after[name], path === '' ? name : `${path}.${name}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
