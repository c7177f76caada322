import { ToolkitError } from '../../../kernel/index.ts';
import { oneLine, openPage, type PageData, withinStack } from './page-document.ts';

interface Match {
  readonly text: string;
  readonly html: string;
  readonly attribute: string | null;
}

/** An invalid selector is a result, not an error: the child process does not know the name of the parameter. */
export type Selected = { readonly matches: Match[]; readonly total: number } | { readonly unreadable: string };

interface SelectData extends PageData {
  readonly selector: string;
  readonly attribute?: string;
  readonly limit: number;
}

/**
 * Returns the elements that a CSS selector matches. Runs in a child process. Throws EXECUTION_FAILED for a page that is nested
 * too deeply.
 */
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
    // This error is about the page, not about the selector.
    if (ToolkitError.is(error)) throw error;
    return { unreadable: error instanceof Error ? error.message : String(error) };
  }
}
