import type { ContentPart } from '../../kernel/index.ts';
import { pageUri } from './pages.ts';
import type { StoredOutput } from './stored-outputs.ts';

/** The name of the tool that reads stored outputs. */
export const getOutputName = 'toolkit_get_output';

/** The result of storing a whole output: its call id and time, or the limit that it exceeds. */
export type StorageResult = { readonly callId: string; readonly retentionMs: number } | { readonly maxBytes: number };

export interface CutNote {
  readonly output: Pick<StoredOutput, 'tool' | 'pages'>;
  /** Characters of the whole output. */
  readonly characters: number;
  readonly storage: StorageResult;
  /** True when the first page was shown; false when nothing was. */
  readonly isShown: boolean;
  /** True when the caller may call the tool that reads stored outputs. */
  readonly canGet: boolean;
  /** Pointers of the parts that were cut (RFC 6901); none for a text. */
  readonly pointers?: readonly string[];
  /** True when the output may have a cursor, or an offset, of its own. */
  readonly hasCursor: boolean;
  /** A sentence on how the output itself continues. */
  readonly continuation?: string | undefined;
  /** The definition's sentence on a cheaper call. */
  readonly cheaper?: string | undefined;
}

/** Returns the note in front of an output that was cut: how to continue, a cheaper call, and how long it is stored. */
export function cutNote(note: CutNote): string {
  const { output, characters, storage, isShown, pointers = [], hasCursor, continuation, cheaper } = note;
  const { tool, pages } = output;
  const cutText = pointers.length === 0 ? '' : `, cut at ${firstPointersText(pointers)}`;
  const length = `The output of "${tool}" has ${characters} characters${cutText}`;
  const advice = cheaper === undefined || continuation !== undefined ? '' : ` Cheaper: ${cheaper}.`;
  if ('maxBytes' in storage) {
    const notStored = `was not kept, because it takes more than ${storage.maxBytes} bytes. Ask for less.`;
    return isShown ? `${length}. Only the beginning is shown. The rest ${notStored}${advice}` : `${length}, and ${notStored}`;
  }
  const page = isShown ? `this is page 1 of ${pages.length}` : `in ${pages.length} pages`;
  const thenText = continuation === undefined ? '' : ` Then: ${continuation}`;
  const beforeText = hasCursor ? ` Do so before you follow a cursor or an offset of it.${thenText}` : '';
  return `${length}; ${page}, kept for ${minutes(storage.retentionMs)} min. ${nextCall(note, storage)}.${beforeText}${advice}`;
}

function nextCall({ canGet, isShown }: CutNote, { callId }: { readonly callId: string }): string {
  const page = isShown ? 2 : 1;
  if (!canGet) return `Go on with the resource ${pageUri(callId, page)}`;
  return `Go on with ${getOutputName} {"id":"${callId}","page":${page}}, or find lines in it, which costs less, with {"id":"${callId}","pattern":"…"}`;
}

/** Returns the first pointers: names of members can be long. */
function firstPointersText(pointers: readonly string[]): string {
  const first = pointers.filter((pointer) => pointer.length <= 60).slice(0, 3);
  if (first.length === 0) return `${pointers.length} places`;
  return `${first.map((pointer) => pointer || 'its end').join(', ')}${first.length < pointers.length ? ` and ${pointers.length - first.length} more places` : ''}`;
}

function minutes(ms: number): number {
  return Math.max(1, Math.floor(ms / 60_000));
}

/** Returns the link to the stored output; none where it was not stored. */
export function linkTo({ tool, pages }: Pick<StoredOutput, 'tool' | 'pages'>, storage: StorageResult): readonly ContentPart[] {
  if (!('callId' in storage)) return [];
  const uri = pageUri(storage.callId, 1);
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
