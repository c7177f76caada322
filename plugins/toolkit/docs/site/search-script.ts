import MiniSearch, { type Options } from 'minisearch';

/** Something that a search finds. */
export interface SearchEntry {
  readonly address: string;
  readonly title: string;
  /** What it is, such as `hook`. */
  readonly kind: string;
  readonly section: string;
  readonly text: string;
}

/** Characters of an entry's words that are searched, and that a hit shows. */
const mostSearched = 1000;
const mostShown = 160;

/** The index of all entries as a script, because a page that was opened as a file cannot fetch one. */
export function searchScript(entries: readonly SearchEntry[]): string {
  const options: Options = { fields: ['title', 'section', 'kind', 'text'], storeFields: ['address', 'title', 'kind', 'section', 'shown'] };
  const index = new MiniSearch(options);
  index.addAll(
    entries.map((entry, id) => ({ ...entry, id, text: entry.text.slice(0, mostSearched), shown: entry.text.slice(0, mostShown) })),
  );
  return `globalThis.siteSearch = ${JSON.stringify({ options, index })};\n`;
}
