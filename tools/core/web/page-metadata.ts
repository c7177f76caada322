import type { CheerioAPI } from 'cheerio';
import { readJson } from '../../../kernel/index.ts';
import { absolute, oneLine, openPage, type PageData } from './page-document.ts';

interface Metadata {
  readonly title: string | null;
  readonly description: string | null;
  readonly canonical: string | null;
  readonly open_graph: Readonly<Record<string, string | readonly string[]>>;
  readonly twitter: Readonly<Record<string, string | readonly string[]>>;
  readonly json_ld: readonly unknown[];
}

/** Maximum depth of JSON-LD. */
const maxLevels = 100;

/** Returns the metadata of a page. Omits JSON-LD that is invalid or nested too deeply. Runs in a child process. */
export async function metadataOf(page: PageData): Promise<Metadata> {
  const { $, base } = await openPage(page);
  const title = oneLine($('head title, title').first().text());
  const description = $('meta[name="description" i]').first().attr('content');
  return {
    title: title === '' ? null : title,
    description: description === undefined ? null : oneLine(description),
    canonical: absolute($('link[rel~="canonical" i]').first().attr('href'), base) ?? null,
    open_graph: namedAfter($, 'og:'),
    twitter: namedAfter($, 'twitter:'),
    json_ld: $('script[type="application/ld+json" i]')
      .toArray()
      .flatMap((element) => parsed($(element).text())),
  };
}

/** Collects properties with a prefix: `og:title` under `title`. A repeated property becomes a list. */
function namedAfter($: CheerioAPI, prefix: string): Record<string, string | string[]> {
  const found = new Map<string, string[]>();
  for (const element of $('meta').toArray()) {
    const name = ($(element).attr('property') ?? $(element).attr('name') ?? '').toLowerCase();
    const content = $(element).attr('content');
    if (!name.startsWith(prefix) || content === undefined) continue;
    const key = name.slice(prefix.length);
    const known = found.get(key);
    if (known === undefined) found.set(key, [content]);
    else known.push(content);
  }
  // `fromEntries` is safe for names such as __proto__.
  return Object.fromEntries(Array.from(found, ([key, values]) => [key, values.length === 1 ? (values[0] ?? '') : values]));
}

function parsed(text: string): readonly unknown[] {
  try {
    const value = readJson(text.trim());
    return hasLevels(value, maxLevels) ? [value] : [];
  } catch {
    return [];
  }
}

/** Returns true when the value is nested at most `levels` deep. */
function hasLevels(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => hasLevels(member, levels - 1));
}
