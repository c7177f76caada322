import type { CheerioAPI } from 'cheerio';
import { parseUrl, ToolkitError } from '../../../kernel/index.ts';

/** Data for functions that parse a page in a child process. */
export interface PageData {
  readonly html: string;
  readonly url?: string;
}

/** Parses the page, and returns the base of its relative addresses. */
export async function openPage({ html, url }: PageData): Promise<{ readonly $: CheerioAPI; readonly base: string | undefined }> {
  const { load } = await import('cheerio');
  const $ = load(html);
  const href = $('base[href]').first().attr('href')?.trim();
  const base = (href === undefined ? undefined : parseUrl(href, url)?.href) ?? url;
  return { $, base };
}

/** Runs a search in a page. Throws EXECUTION_FAILED for a page that is nested so deeply that a library runs out of stack. */
export function withinStack<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'The page is nested too deeply to be parsed. Read it with web_fetch.';
    throw new ToolkitError('EXECUTION_FAILED', message, {}, { cause: error });
  }
}

/** Returns an absolute address; the address as written when no base is known. Undefined for an invalid address. */
export function absolute(address: string | undefined, base: string | undefined): string | undefined {
  const written = address?.trim();
  if (written === undefined || written === '') return undefined;
  return parseUrl(written, base)?.href ?? (base === undefined ? written : undefined);
}

/** Joins the text to one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
