import { excerpt } from '../errors.ts';
import { differingMembers } from '../schema/foreign-json.ts';
import type { SourceItem } from './listing.ts';
import type { PendingChange } from './source.ts';

/** Returns the change of an item since a person accepted it; `new` for an item that was never accepted. */
export function pendingChange(item: SourceItem, accepted: SourceItem | undefined, source: string): PendingChange {
  const { kind, name, definition } = item;
  if (accepted === undefined) return { source, change: 'new', kind, name, differs: [], definition };
  const own = differingMembers(accepted.definition, definition);
  return { source, change: 'changed', kind, name, differs: own.length === 0 ? ['provider'] : own, definition };
}

/** Returns a text such as `the changed tool "box_find" (description)`. */
export function describeChange({ change, kind, name, differs }: Pick<PendingChange, 'change' | 'kind' | 'name' | 'differs'>): string {
  const how = differs.length === 0 ? '' : ` (${excerpt(differs.join(', '), 100)})`;
  return `the ${change} ${kind} "${excerpt(name, 100)}"${how}`;
}
