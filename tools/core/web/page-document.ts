import type { CheerioAPI } from 'cheerio';
import { parseUrl, ToolkitError } from '../../../kernel/index.ts';

/** What the functions of a page thread get. */
export interface PageData {
  readonly html: string;
  readonly url?: string;
}

/** The page for selecting, and what its relative addresses are relative to. */
export async function openPage({ html, url }: PageData): Promise<{ readonly $: CheerioAPI; readonly base: string | undefined }> {
  const { load } = await import('cheerio');
  const $ = load(html);
  const href = $('base[href]').first().attr('href')?.trim();
  const base = (href === undefined ? undefined : parseUrl(href, url)?.href) ?? url;
  return { $, base };
}

/** What is found in a page. Throws EXECUTION_FAILED for one that is nested so deeply that a library runs out of stack. */
export function withinStack<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const message = 'The page is nested too deeply to be looked into. Read it with web_fetch.';
    throw new ToolkitError('EXECUTION_FAILED', message, {}, { cause: error });
  }
}

/** An absolute address; where no base is known, the address as it is written. Undefined for one that is no address. */
export function absolute(address: string | undefined, base: string | undefined): string | undefined {
  const written = address?.trim();
  if (written === undefined || written === '') return undefined;
  return parseUrl(written, base)?.href ?? (base === undefined ? written : undefined);
}

/** Text on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
