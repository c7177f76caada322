import type { NumberField, TextField } from './field.ts';
import { isUnsafeInteger } from './parameters-text.ts';

/** Returns why a text is not accepted, as a sentence; undefined for an accepted one. */
export function textIssue(field: TextField, text: string): string | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format, pattern } = field;
  const length = [...text].length;
  if (length < minLength) return `Expected at least ${characters(minLength)}, received ${length}.`;
  if (length > maxLength) return `Expected at most ${characters(maxLength)}, received ${length}.`;
  const check = format && formats[format];
  if (check !== undefined && !check.matches(text)) return `Expected ${check.expected}.`;
  if (pattern !== undefined && matchesPattern(pattern, text) === false)
    return `Expected ${field.patternDescription ?? `a text that matches the pattern ${pattern}`}.`;
  return undefined;
}

/** The value that a text of a number field stands for, or the reason why it stands for none. */
export type ReadNumber = { readonly value: number | string } | { readonly issue: string };

/** Reads a number. An integer that JavaScript would round stays a text of its digits where the tool takes one, and is refused elsewhere. */
export function readNumber(field: NumberField, typed: string): ReadNumber {
  const text = typed.trim();
  const isDigits = /^-?(?:0|[1-9]\d*)$/.test(text);
  if (!isDigits && (field.isInteger || !/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)))
    return { issue: `Expected ${field.isInteger ? 'an integer such as 3' : 'a number such as 3 or 0.5'}.` };
  if (isDigits && isUnsafeInteger(text)) {
    if (!field.takesDigits && field.isInteger)
      return { issue: 'Expected an integer from −9007199254740991 to 9007199254740991: this tool would round a larger one.' };
    if (text.length > 400) return { issue: 'Expected at most 400 digits.' };
    if (field.takesDigits) {
      const issue = limitIssue(field, BigInt(text));
      return issue === undefined ? { value: text } : { issue };
    }
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return { issue: 'Expected a number of at most 1.7e308.' };
  const issue = limitIssue(field, value);
  return issue === undefined ? { value } : { issue };
}

function limitIssue({ minimum, maximum, above, below, multipleOf }: NumberField, value: number | bigint): string | undefined {
  if (minimum !== undefined && value < minimum) return `Expected at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Expected at most ${maximum}.`;
  if (above !== undefined && value <= above) return `Expected more than ${above}.`;
  if (below !== undefined && value >= below) return `Expected less than ${below}.`;
  if (multipleOf !== undefined && multipleOf > 0 && typeof value === 'number') {
    const parts = value / multipleOf;
    if (Math.abs(parts - Math.round(parts)) > 1e-9 * Math.max(1, Math.abs(parts))) return `Expected a multiple of ${multipleOf}.`;
  }
  return undefined;
}

interface FormatCheck {
  readonly expected: string;
  matches(text: string): boolean;
}

const formats: Readonly<Record<NonNullable<TextField['format']>, FormatCheck>> = {
  date: { expected: 'a date such as 2026-03-31', matches: isDate },
  'date-time': {
    expected: 'a date and time with its zone, such as 2026-03-31T09:30:00Z',
    matches: (text) => {
      const [, date, time] = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/.exec(text) ?? [];
      return date !== undefined && isDate(date) && /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)$/.test(time ?? '');
    },
  },
  uri: {
    expected: 'a whole address with its beginning, such as https:',
    matches: (text) => /^[A-Za-z][A-Za-z\d+.-]*:[^\s<>"{}|\\^`]+$/.test(text),
  },
  email: { expected: 'an address such as ann@example.com', matches: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
};

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12 || day < 1) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= (month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/**
 * Returns the result of a pattern of JSON Schema; undefined where it is not tried, because it is invalid or could take long: it is text of a
 * stranger, and the page has one thread. The server checks such a text.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const plain = pattern.replace(/\\./gs, '_').replace(/\[[^\]]*\]/g, '_');
  const canBacktrack = /\)[*+?{]|\(\?[=!<]/.test(plain) || /\\[1-9k]/.test(pattern) || (plain.match(/[*+]|,\}/g) ?? []).length > 2;
  if (canBacktrack || pattern.length > 300 || text.length > 300) return undefined;
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return undefined;
  }
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}
