export interface Page<Item> {
  readonly items: readonly Item[];
  /** Part of the result that tells how to read on. */
  readonly end: { readonly truncated: boolean; readonly next_offset?: number };
}

interface PageLimits {
  /** Number of items to skip. */
  readonly offset: number;
  /** Maximum number of items. @default no limit */
  readonly maxItems?: number;
  /** Maximum length of all items in characters of JSON; at least one item is returned, whatever its length. */
  readonly maxCharacters: number;
}

/** Creates the items of one page, in order, and none after it. */
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
