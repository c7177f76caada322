/** The form in which a search finds a page. */
export interface SearchedPage {
  /** False when a search does not find the page. */
  readonly isSearched: boolean;
  /** Words by which a search finds the page as one entry, in place of its sections. */
  readonly words?: string;
}

/**
 * Returns the HTML of a page as the search index reads it, which makes an entry of each heading: each table row with an anchor becomes a heading,
 * so that a search finds a hook, a key or an error code by its name.
 */
export function searchedHtml(html: string, { isSearched, words }: SearchedPage): string {
  if (!isSearched) return '';
  const text = html.replaceAll('&#123;', '{');
  if (words !== undefined) {
    const title = /<h1.*?<\/h1>/s.exec(text)?.[0] ?? '';
    return `${title}\n${words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}`;
  }
  let level = 1;
  return text.replace(/<h([1-6])\b|<tr id="([^"]*)">\s*<td[^>]*>(.*?)<\/td>/g, (part, heading?: string, id?: string, name = '') => {
    if (heading !== undefined) level = Number(heading);
    if (id === undefined) return part;
    const below = Math.min(level + 1, 6);
    return `<h${below}>${name.replace(/<[^>]*>/g, '')}<a href="#${id}"></a></h${below}>`;
  });
}
