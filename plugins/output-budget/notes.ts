import type { ContentPart } from '../../kernel/index.ts';
import type { KeptOutput } from './kept-outputs.ts';
import { pageUri } from './pages.ts';

/** The name of the tool that reads what was kept. */
export const getOutputName = 'toolkit_get_output';

/** The fate of the whole output: kept for a time under the id of its call, or larger than all that is kept. */
export type Whole = { readonly callId: string; readonly keepMs: number } | { readonly maxBytes: number };

export interface CutNote {
  readonly output: Pick<KeptOutput, 'tool' | 'pages'>;
  /** Characters of the whole. */
  readonly characters: number;
  readonly whole: Whole;
  /** The first page was shown; false for an output of which nothing was. */
  readonly isShown: boolean;
  /** The caller may call the tool that reads on. */
  readonly canGet: boolean;
  /** The places that were cut (RFC 6901); none for a text. */
  readonly pointers?: readonly string[];
  /** The output may have a cursor, or an offset, of its own. */
  readonly hasCursor: boolean;
  /** A sentence that says how it goes on by itself. */
  readonly goingOn?: string | undefined;
  /** The definition's sentence on a call that costs less. */
  readonly cheaper?: string | undefined;
}

/** Returns what is said in front of an output that was cut: how to go on, what costs less, and for how long. */
export function cutNote(note: CutNote): string {
  const { output, characters, whole, isShown, pointers = [], hasCursor, goingOn, cheaper } = note;
  const { tool, pages } = output;
  const places = pointers.length === 0 ? '' : `, cut at ${shortened(pointers)}`;
  const length = `The output of "${tool}" has ${characters} characters${places}`;
  const advice = cheaper === undefined || goingOn !== undefined ? '' : ` Cheaper: ${cheaper}.`;
  if ('maxBytes' in whole) {
    const not = `was not kept, because it takes more than ${whole.maxBytes} bytes. Ask for less.`;
    return isShown ? `${length}. Only the beginning is shown. The rest ${not}${advice}` : `${length}, and ${not}`;
  }
  const page = isShown ? `this is page 1 of ${pages.length}` : `in ${pages.length} pages`;
  const then = goingOn === undefined ? '' : ` Then: ${goingOn}`;
  const before = hasCursor ? ` Do so before you follow a cursor or an offset of it.${then}` : '';
  return `${length}; ${page}, kept for ${minutes(whole.keepMs)} min. ${nextCall(note, whole)}.${before}${advice}`;
}

function nextCall({ canGet, isShown }: CutNote, { callId }: { readonly callId: string }): string {
  const page = isShown ? 2 : 1;
  if (!canGet) return `Go on with the resource ${pageUri(callId, page)}`;
  return `Go on with ${getOutputName} {"id":"${callId}","page":${page}}, or find lines in it, which costs less, with {"id":"${callId}","pattern":"…"}`;
}

/** The first places: names of members can be long. */
function shortened(pointers: readonly string[]): string {
  const first = pointers.filter((pointer) => pointer.length <= 60).slice(0, 3);
  if (first.length === 0) return `${pointers.length} places`;
  return `${first.map((pointer) => pointer || 'its end').join(', ')}${first.length < pointers.length ? ` and ${pointers.length - first.length} more places` : ''}`;
}

function minutes(ms: number): number {
  return Math.max(1, Math.floor(ms / 60_000));
}

/** Returns the link to what was kept; none where it was not. */
export function linkTo({ tool, pages }: Pick<KeptOutput, 'tool' | 'pages'>, whole: Whole): readonly ContentPart[] {
  if (!('callId' in whole)) return [];
  const uri = pageUri(whole.callId, 1);
  return [
    {
      type: 'resource_link',
      uri,
      name: `${tool} output`,
      description: `The whole output, in ${pages.length} pages.`,
      mimeType: 'text/plain',
    },
  ];
}
