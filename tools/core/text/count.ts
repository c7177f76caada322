import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { segmentsOf } from './segments.ts';

interface Counts {
  /** Unicode code points. */
  readonly characters: number;
  readonly graphemes: number;
  readonly words: number;
  readonly lines: number;
  readonly sentences: number;
  /** In UTF-8. */
  readonly bytes: number;
}

interface CountParameters {
  readonly text: string;
}

/** UTF-16 code units that take a millisecond at most, whatever they hold; longer texts are counted in a child process. */
const quick = 1000;

/** Counts what a text is made of. */
export function count({ text }: CountParameters, { inChild }: FunctionContext): Counts | Promise<Counts> {
  return text.length <= quick ? countAll(text) : (inChild('./count.ts#countLong', { text }) as Promise<Counts>);
}

export function countLong({ text }: CountParameters, { progress }: FunctionContext): Counts {
  return countAll(text, (step, message) => progress({ progress: step, total: 3, message }));
}

/** `onStep` hears of each of the three long steps when it is done. */
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

/** Between two characters of ASCII each one is a grapheme; dividing them all would take most of the time. */
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
