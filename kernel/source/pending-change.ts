import { graphOf } from '../definition/schema/shared-schemas.ts';
import { excerpt } from '../errors.ts';
import { differingMembers, maxDiffering } from '../json/foreign-json.ts';
import type { SourceItem } from './listing.ts';
import { differingSchemas, type SharedSchemas } from './reached-schemas.ts';
import type { PendingChange } from './source.ts';

/** Changes of the withheld items of one source. They are asked for often, so each is compared once. */
export class PendingChanges {
  readonly #source: string;
  readonly #known = new WeakMap<SourceItem, { readonly accepted: SourceItem | undefined; readonly change: PendingChange }>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the change of an item since a person accepted it; `new` for an item that was never accepted. */
  of(item: SourceItem, accepted: SourceItem | undefined): PendingChange {
    const known = this.#known.get(item);
    if (known !== undefined && known.accepted === accepted) return known.change;
    const change = pendingChange(item, accepted, this.#source);
    this.#known.set(item, { accepted, change });
    return change;
  }
}

function pendingChange(item: SourceItem, accepted: SourceItem | undefined, source: string): PendingChange {
  const { kind, name, definition, digest } = item;
  if (accepted === undefined) return { source, change: 'new', kind, name, differs: [], definition, digest };
  const own = differingMembers(accepted.definition, definition);
  const names = kind === 'tool' ? differingSchemas(accepted, item, graphOf) : [];
  const differs = [...own, ...names.map((shared) => `$defs.${shared.slice(0, 60)}`)].slice(0, maxDiffering);
  const schemas = names.slice(0, maxDiffering).map((shared) => [shared, formsOf(shared, accepted.shared, item.shared)] as const);
  return {
    ...{ source, change: 'changed', kind, name, differs: differs.length === 0 ? ['provider'] : differs, definition, digest },
    accepted: accepted.definition,
    ...(schemas.length === 0 ? {} : { schemas: Object.fromEntries(schemas) }),
  };
}

function formsOf(name: string, accepted: SharedSchemas = {}, listed: SharedSchemas = {}): { accepted?: unknown; listed?: unknown } {
  return {
    ...(Object.hasOwn(accepted, name) ? { accepted: accepted[name] } : {}),
    ...(Object.hasOwn(listed, name) ? { listed: listed[name] } : {}),
  };
}

/** Returns a text such as `the changed tool "box_find" (description)`. */
export function describeChange({ change, kind, name, differs }: Pick<PendingChange, 'change' | 'kind' | 'name' | 'differs'>): string {
  const how = differs.length === 0 ? '' : ` (${excerpt(differs.join(', '), 100)})`;
  return `the ${change} ${kind} "${excerpt(name, 100)}"${how}`;
}
