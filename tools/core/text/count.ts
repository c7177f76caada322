import { ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { StreamedText } from '../../../plugins/shared/text/streamed-text.ts';
import { segmentsOf } from './segments.ts';

interface Counts {
  /** Unicode code points. */
  readonly characters: number;
  readonly graphemes: number;
  readonly words: number;
  readonly lines: number;
  readonly sentences: number;
  /** Length in UTF-8. */
  readonly bytes: number;
}

interface CountParameters {
  readonly text: StreamedText;
}

/** Maximum UTF-16 code units to count in this process: they take at most a millisecond. A child process takes longer texts. */
const maxInlineUnits = 1000;

/** UTF-16 code units to collect from a streamed text before they are counted. */
const blockUnits = 1_000_000;
const maxLineUnits = 10_000_000;

/** Counts the parts of a text. Throws INVALID_PARAMETERS for a line of more than 10,000,000 characters in a file. */
export function count({ text }: CountParameters, { inChild, progress }: FunctionContext): Counts | Promise<Counts> {
  const countBlock = (block: string): Counts | Promise<Counts> =>
    block.length <= maxInlineUnits ? countAll(block) : (inChild('./count.ts#countLong', { text: block }) as Promise<Counts>);
  return typeof text === 'string' ? countBlock(text) : countPieces(text, countBlock, progress);
}

async function countPieces(
  pieces: AsyncIterable<string>,
  countBlock: (block: string) => Counts | Promise<Counts>,
  progress: FunctionContext['progress'],
): Promise<Counts> {
  let sum: Counts | undefined;
  const add = async (block: string): Promise<void> => {
    const counts = await countBlock(block);
    sum = sum === undefined ? counts : added(sum, counts);
    progress({ progress: sum.characters, message: 'characters counted' });
  };
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    // Cuts after a line feed: no grapheme, word or sentence continues there (UAX #29).
    const end = rest.length < blockUnits ? 0 : rest.lastIndexOf('\n') + 1;
    if (end > 0) await add(rest.slice(0, end));
    rest = rest.slice(end);
    if (rest.length > maxLineUnits) throw longLine();
  }
  if (rest !== '' || sum === undefined) await add(rest);
  return sum as Counts;
}

function added(a: Counts, b: Counts): Counts {
  return {
    characters: a.characters + b.characters,
    graphemes: a.graphemes + b.graphemes,
    words: a.words + b.words,
    lines: a.lines + b.lines,
    sentences: a.sentences + b.sentences,
    bytes: a.bytes + b.bytes,
  };
}

function longLine(): ToolkitError {
  const message = `expected lines of at most ${maxLineUnits} characters, received a longer one. Divide the file, or count a part of it`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "text_path": ${message}.`, { issues: [{ path: 'text_path', message }] });
}

export function countLong({ text }: { readonly text: string }, { progress }: FunctionContext): Counts {
  return countAll(text, (step, message) => progress({ progress: step, total: 3, message }));
}

/** Counts a whole text. Calls `onStep` after each of the three long steps. */
function countAll(text: string, onStep: (step: number, message: string) => void = () => {}): Counts {
  const graphemes = countGraphemes(text);
  onStep(1, 'graphemes');
  const words = amount(segmentsOf(text, 'word'), ({ isWordLike }) => isWordLike === true);
  onStep(2, 'words');
  const sentences = amount(segmentsOf(text, 'sentence'), ({ segment }) => /\S/.test(segment));
  onStep(3, 'sentences');
  const lineEnds = amount(text.matchAll(/\r\n|\n|\r/g));
  return {
    characters: text.length - amount(text.matchAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)),
    graphemes,
    words,
    lines: lineEnds + (text === '' || /[\r\n]$/.test(text) ? 0 : 1),
    sentences,
    bytes: Buffer.byteLength(text),
  };
}

/** Counts ASCII characters one by one: between two of them is always a border, and the segmenter would take most of the time. */
function countGraphemes(text: string): number {
  let certain = 0;
  const others = text.replace(/(?<=[ -~])[\n -~]+(?=[ -~])/g, (plain) => {
    certain += plain.length;
    return '';
  });
  return certain + amount(segmentsOf(others, 'grapheme'));
}

function amount<Item>(items: Iterable<Item>, isCounted: (item: Item) => boolean = () => true): number {
  let count = 0;
  for (const item of items) if (isCounted(item)) count += 1;
  return count;
}
