import { ToolkitError } from '../../../kernel/index.ts';
import { oneLine, openPage, type PageData, withinStack } from './page-document.ts';

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

/** The elements that a CSS selector finds. Runs in a child process. Throws EXECUTION_FAILED for a page that is nested too deeply. */
export async function selectFrom({ selector, attribute, limit, ...page }: SelectData): Promise<Selected> {
  const { $ } = await openPage(page);
  try {
    return withinStack(() => {
      const found = $(selector).toArray();
      const matches = found.slice(0, limit).map((element) => ({
        text: oneLine($(element).text()),
        html: $.html(element),
        attribute: attribute === undefined ? null : ($(element).attr(attribute) ?? null),
      }));
      return { matches, total: found.length };
    });
  } catch (error) {
    // That is the page, not the selector.
    if (ToolkitError.is(error)) throw error;
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
