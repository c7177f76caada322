import type { ResourceContent, ResourceTemplate } from '../../kernel/index.ts';
import { keptOutputTemplate } from '../shared/kept-outputs/whole-output.ts';
import type { KeptText } from './kept-texts.ts';
import { pageText, pageUri } from './pages.ts';

/** The pages as a resource. `find` gives the text of a call to the caller who may read it. */
export function pageTemplate(
  find: (callId: string, caller: string) => KeptText | undefined | Promise<KeptText | undefined>,
): ResourceTemplate {
  return {
    uriTemplate: keptOutputTemplate,
    name: 'output-page',
    title: 'Page of a long output',
    description: 'The output of a call that was too long to be shown at once, page by page, from 1. It is kept for a while.',
    mimeType: 'text/plain',
    read(uri, { callId = '', page = '' }, { caller }) {
      const show = (kept: KeptText | undefined): ResourceContent | undefined => {
        if (page === 'whole') return kept && { uri, mimeType: 'text/plain', text: kept.text };
        const number = Number(page);
        if (kept === undefined || number > kept.ends.length) return undefined;
        return { uri, mimeType: 'text/plain', text: `${noteOf(kept, callId, number)}\n\n${pageText(kept, number)}` };
      };
      const found = /^([1-9]\d{0,8}|whole)$/.test(page) ? find(callId, caller) : undefined;
      return found instanceof Promise ? found.then(show) : show(found);
    },
  };
}

function noteOf({ tool, ends }: KeptText, callId: string, page: number): string {
  const next = page === ends.length ? 'It is the last one.' : `The next one is ${pageUri(callId, page + 1)}`;
  return `Page ${page} of ${ends.length} of the output of "${tool}". ${next}`;
}
