import { ToolkitError } from '../../../kernel/index.ts';
import { oneLine, openPage, type PageData } from './page-document.ts';

interface Match {
  readonly text: string;
  readonly html: string;
  readonly attribute: string | null;
}

/** A selector that cannot be read is an answer, because the thread cannot know whose parameter it is. */
export type Selected = { readonly matches: Match[]; readonly total: number } | { readonly unreadable: string };

interface SelectData extends PageData {
  readonly selector: string;
  readonly attribute?: string;
  readonly limit: number;
}

/** The elements that a CSS selector finds. Runs in a thread. Throws EXECUTION_FAILED for a page that is nested too deeply. */
export async function selectFrom({ selector, attribute, limit, ...page }: SelectData): Promise<Selected> {
  const { $ } = await openPage(page);
  try {
    const found = $(selector).toArray();
    const matches = found.slice(0, limit).map((element) => ({
      text: oneLine($(element).text()),
      html: $.html(element),
      attribute: attribute === undefined ? null : ($(element).attr(attribute) ?? null),
    }));
    return { matches, total: found.length };
  } catch (error) {
    // Out of stack: that is the page, not the selector.
    if (error instanceof RangeError)
      throw new ToolkitError('EXECUTION_FAILED', 'The page is nested too deeply to be looked into. Read it with web_fetch.');
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
