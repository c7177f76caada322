import type { JsonObject } from '../../../kernel/index.ts';
import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import type { ServerLists } from '../server-lists.ts';

/** Returns what the scanner reads of a server: everything that it offers, under its own names. */
export function scannedItems(source: string, lists: ServerLists): readonly ScannedItem[] {
  const named = (type: ScannedItem['type'], items: readonly JsonObject[], key: string): readonly ScannedItem[] =>
    items.map((item) => ({ type, name: String(item[key]), source, value: item }));
  return [
    ...(lists.instructions === undefined
      ? []
      : [{ type: 'instructions', name: source, source, value: lists.instructions } satisfies ScannedItem]),
    ...named('tool', lists.tools, 'name'),
    ...named('prompt', lists.prompts, 'name'),
    ...named('resource', lists.resources, 'uri'),
    ...named('resource', lists.resourceTemplates, 'uriTemplate'),
  ];
}
