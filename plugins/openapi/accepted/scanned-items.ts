import type { ScannedItem } from '../../shared/scanner/scanned-item.ts';
import type { LoadedSource } from '../loaded-source.ts';

/** Returns what the scanner reads of a document: its tools, the schemas that they share, and its own title and description. */
export function scannedItems(
  source: string,
  { document, generated }: Pick<LoadedSource, 'document' | 'generated'>,
): readonly ScannedItem[] {
  const { title, description, tags } = document;
  const value = { title, description, tags: Object.fromEntries(tags), provider: generated.provider };
  const tools = generated.tools.map(({ definition }): ScannedItem => {
    return { type: 'tool', name: String(definition['name']), source, value: definition };
  });
  return [{ type: 'document', name: source, source, value }, ...tools];
}
