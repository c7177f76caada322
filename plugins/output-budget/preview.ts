import type { ContentPart } from '../../kernel/index.ts';
import type { KeptText } from './kept-texts.ts';
import { pageText, pageUri } from './pages.ts';

/** What became of the whole text: kept for a time under the id of its call, or larger than all that is kept. */
type Whole = { readonly callId: string; readonly keepMs: number } | { readonly maxBytes: number };

/** What is shown in place of a long text: its first page, a sentence about the whole, and a link to it if it was kept. */
export function preview(text: KeptText, whole: Whole): readonly ContentPart[] {
  const first: ContentPart = { type: 'text', text: pageText(text, 1) };
  if ('maxBytes' in whole) return [first, { type: 'text', text: lossNote(text, whole.maxBytes) }];
  return [first, { type: 'text', text: note(text, whole.callId, whole.keepMs) }, link(text, whole.callId)];
}

function note({ tool, text, ends }: KeptText, callId: string, keepMs: number): string {
  const minutes = Math.max(1, Math.floor(keepMs / 60_000));
  return `The output of "${tool}" has ${text.length} characters. This was page 1 of ${ends.length}; the next one is ${pageUri(callId, 2)}, kept for ${minutes} min.`;
}

function lossNote({ tool, text, ends }: KeptText, maxBytes: number): string {
  return `The output of "${tool}" has ${text.length} characters, of which only the first ${ends[0]} are shown. The rest was not kept, because it takes more than ${maxBytes} bytes. Ask for less.`;
}

function link({ tool, ends }: KeptText, callId: string): ContentPart {
  return {
    type: 'resource_link',
    uri: pageUri(callId, 1),
    name: `${tool} output`,
    description: `The whole output, in ${ends.length} pages.`,
    mimeType: 'text/plain',
  };
}
