import { excerpt } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';

export interface LineOrder {
  readonly numeric: boolean;
  readonly ignore_case: boolean;
  /** BCP 47 language tag. @default the order of Unicode code points */
  readonly locale?: string;
}

type Compare = (left: string, right: string) => number;

/** Returns a function that compares two lines. Throws INVALID_PARAMETERS for a locale without a known order. */
export function lineComparator({ numeric, ignore_case, locale }: LineOrder): Compare {
  const compare = locale === undefined ? codePointOrder(numeric, ignore_case) : collation(locale, numeric, ignore_case);
  return numeric ? byLeadingNumber(compare) : compare;
}

function collation(locale: string, numeric: boolean, ignoreCase: boolean): Compare {
  return new Intl.Collator(supportedLocale(locale), { numeric, sensitivity: ignoreCase ? 'accent' : 'variant' }).compare;
}

function supportedLocale(locale: string): string {
  try {
    // An unknown locale would sort by the language of the machine.
    const [supported] = Intl.Collator.supportedLocalesOf(locale);
    if (supported !== undefined) return supported;
  } catch {
    // The locale is no language tag.
  }
  throw invalidParameter(
    'locale',
    `expected a language tag whose order is known, such as de, sv or zh-u-co-pinyin, received "${excerpt(locale, 60)}"`,
  );
}

function codePointOrder(numeric: boolean, ignoreCase: boolean): Compare {
  const compare = numeric ? compareDigitRuns : compareCodePoints;
  return ignoreCase ? (left, right) => compare(left.toLowerCase(), right.toLowerCase()) : compare;
}

/** Sorts lines that begin with a number first, by its value. `compare` decides about equal numbers and all other lines. */
function byLeadingNumber(compare: Compare): Compare {
  return (left, right) => {
    const [first, second] = [leadingNumber(left), leadingNumber(right)];
    if (first === second || (first === undefined && second === undefined)) return compare(left, right);
    if (first === undefined) return 1;
    return second === undefined ? -1 : first - second;
  };
}

function leadingNumber(line: string): number | undefined {
  const [, written] = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/.exec(line) ?? [];
  return written === undefined ? undefined : Number(written);
}

/** Compares code points. `<` compares UTF-16 code units, which puts emoji before some other characters. */
function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    if (left.charCodeAt(index) !== right.charCodeAt(index)) return (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
  }
  return left.length - right.length;
}

/** Compares runs of digits as numbers: file2 comes before file10. */
function compareDigitRuns(left: string, right: string): number {
  const lefts = left.match(digitRuns) ?? [];
  const rights = right.match(digitRuns) ?? [];
  for (const [index, part] of lefts.entries()) {
    const other = rights[index];
    if (other === undefined) return 1;
    const order = /^\d/.test(part) && /^\d/.test(other) ? compareWholeNumbers(part, other) : compareCodePoints(part, other);
    if (order !== 0) return order;
  }
  return lefts.length - rights.length;
}

const digitRuns = /\d+|\D+/g;

/** Compares whole numbers of any length. */
function compareWholeNumbers(left: string, right: string): number {
  const [first, second] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')];
  return first.length - second.length || compareCodePoints(first, second);
}
