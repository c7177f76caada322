import type { ContentPart } from '../../kernel/index.ts';
import type { KeptText } from './kept-texts.ts';
import { pageText, pageUri } from './pages.ts';

/** What became of the whole text: kept for a time under the id of its call, or larger than all that is kept. */
export type Whole = { readonly callId: string; readonly keepMs: number } | { readonly maxBytes: number };

/** What is shown in place of a long text: its first page, a sentence about the whole, and a link to it if it was kept. */
export function preview(text: KeptText, whole: Whole): readonly ContentPart[] {
  return [{ type: 'text', text: pageText(text, 1) }, { type: 'text', text: note(text, whole) }, ...linkOf(text, whole)];
}

function note(text: KeptText, whole: Whole): string {
  const { tool, ends } = text;
  const length = `The output of "${tool}" has ${text.text.length} characters`;
  if ('maxBytes' in whole) return `${length}, of which only the first ${ends[0]} are shown. The rest was not kept, ${because(whole)}`;
  return `${length}. This was page 1 of ${ends.length}; the next one is ${pageUri(whole.callId, 2)}, kept for ${minutes(whole.keepMs)} min.`;
}

/** What is said beside the own text of a result of which only the data were cut. */
export function noteOfCut(text: KeptText, whole: Whole): readonly ContentPart[] {
  const said = `The data of "${text.tool}" were cut, because they are too long to be sent at once.`;
  return [{ type: 'text', text: `${said} ${whereabouts(text, whole)}` }, ...linkOf(text, whole)];
}

/** Where the whole text is, in a sentence. */
export function whereabouts({ text, ends }: KeptText, whole: Whole): string {
  if ('maxBytes' in whole) return `The whole has ${text.length} characters and was not kept, ${because(whole)}`;
  return `The whole has ${text.length} characters, in ${ends.length} pages from ${pageUri(whole.callId, 1)} on, kept for ${minutes(whole.keepMs)} min.`;
}

function because({ maxBytes }: { readonly maxBytes: number }): string {
  return `because it takes more than ${maxBytes} bytes. Ask for less.`;
}

function minutes(ms: number): number {
  return Math.max(1, Math.floor(ms / 60_000));
}

function linkOf(text: KeptText, whole: Whole): readonly ContentPart[] {
  return 'callId' in whole ? [link(text, whole.callId)] : [];
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
