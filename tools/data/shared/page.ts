export interface Page<Item> {
  readonly items: readonly Item[];
  /** The part of a result that says how it goes on. */
  readonly end: { readonly truncated: boolean; readonly next_offset?: number };
}

interface PageLimits {
  /** Items that are left out in front. */
  readonly offset: number;
  /** @default any number */
  readonly maxItems?: number;
  /** Characters of JSON that all items may have; at least one item comes, whatever it has. */
  readonly maxCharacters: number;
}

/** Makes the items of one page, in their order, and none of those behind it. */
export async function pageOf<Source, Item>(
  all: readonly Source[],
  { offset, maxItems = Number.POSITIVE_INFINITY, maxCharacters }: PageLimits,
  make: (source: Source) => Item | Promise<Item>,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let characters = 0;
  for (const source of all.slice(offset, offset + maxItems)) {
    const item = await make(source);
    characters += JSON.stringify(item).length + 1;
    if (items.length > 0 && characters > maxCharacters) break;
    items.push(item);
  }
  const next = offset + items.length;
  const truncated = next < all.length;
  return { items, end: { truncated, ...(truncated ? { next_offset: next } : {}) } };
}
