import type { LinkifyIt } from 'linkify-it';
import type { Span } from './span.ts';

/** Top-level domains that make a link without http:// or www. Those of countries are also endings of files (.md, .py). */
const commonEndings = 'com|org|net|edu|gov|info|biz|int|io|dev|app|eu'.split('|');

/** Finds addresses of the web and of FTP. */
export async function urlsIn(text: string): Promise<readonly Span[]> {
  const finder = await createFinder();
  // Without `//`: the text after the slashes of a comment is no link.
  finder.set({ fuzzyEmail: false, fuzzyLink: true, urlAuth: true, maxLength: 100_000 }).add('//', null).add('mailto:', null);
  const found = finder.match(text) ?? [];
  return found
    .filter(({ schema, raw }) => schema !== '' || /^www\./i.test(raw) || hasCommonEnding(raw))
    .map(({ index, lastIndex }) => ({ start: index, end: lastIndex }));
}

/** Finds e-mail addresses, without `mailto:`. */
export async function emailsIn(text: string): Promise<readonly Span[]> {
  const finder = await createFinder();
  for (const scheme of ['http:', 'https:', 'ftp:', '//']) finder.add(scheme, null);
  return (finder.match(text) ?? []).map(({ raw, index, lastIndex }) => ({
    start: index + (/^mailto:/i.exec(raw)?.[0].length ?? 0),
    end: lastIndex,
  }));
}

function hasCommonEnding(address: string): boolean {
  const [host = ''] = address.split(/[/?#:]/);
  return commonEndings.includes(host.slice(host.lastIndexOf('.') + 1).toLowerCase());
}

async function createFinder(): Promise<LinkifyIt> {
  const { LinkifyIt, REBuilder } = await import('linkify-it');
  class Rules extends REBuilder {
    /** The library's own pattern requires a space or punctuation before a scheme; Chinese and Japanese texts have none there. */
    override get_schema_search(): RegExp {
      this.cache['schema_search'] ??= new RegExp(`(^|[^a-z\\d_])(${this.get_schema_names().source})`, 'ig');
      return this.cache['schema_search'];
    }
  }
  const finder = new LinkifyIt({ rebuilder: new Rules() });
  return finder.tlds(commonEndings, true);
}
