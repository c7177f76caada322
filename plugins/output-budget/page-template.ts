import type { ResourceContent, ResourceTemplate } from '../../kernel/index.ts';
import { storedOutputTemplate } from '../shared/kept-outputs/read-stored-output.ts';
import { pageUri, type ReadPart, readPage } from './pages.ts';
import { type StoredOutput, wholeText } from './stored-outputs.ts';

/** Finds the stored output of a call; undefined for another caller. */
export type FindOutput = (callId: string, caller: string) => StoredOutput | undefined | Promise<StoredOutput | undefined>;

/** Returns the resource template of the pages. */
export function pageTemplate(find: FindOutput): ResourceTemplate {
  return {
    uriTemplate: storedOutputTemplate,
    name: 'output-page',
    title: 'Page of a long output',
    description:
      'The output of a call that was too long to be shown at once, page by page, from 1, or `whole`. It is kept for a while, and toolkit_get_output reads it as well.',
    mimeType: 'text/plain',
    read(uri, { callId = '', page = '' }, { caller }) {
      const show = (stored: StoredOutput | undefined): ResourceContent | undefined => {
        if (stored === undefined) return undefined;
        if (page === 'whole') return { uri, mimeType: 'text/plain', text: wholeText(stored) };
        const parts = readPage(stored, Number(page));
        return (
          parts && { uri, mimeType: 'text/plain', text: `${noteOf(stored, callId, Number(page))}\n\n${parts.map(partText).join('\n\n')}` }
        );
      };
      const found = /^([1-9]\d{0,8}|whole)$/.test(page) ? find(callId, caller) : undefined;
      return found instanceof Promise ? found.then(show) : show(found);
    },
  };
}

function noteOf({ tool, pages }: StoredOutput, callId: string, page: number): string {
  const next = page === pages.length ? 'It is the last one.' : `The next one is ${pageUri(callId, page + 1)}`;
  return `Page ${page} of ${pages.length} of the output of "${tool}". ${next}`;
}

function partText({ at, from, text }: ReadPart): string {
  return at === '' ? text : `${at} from ${from}:\n${text}`;
}
