import type { Field } from './field.ts';

/** Returns what a field takes, in words: `1 to 100`, `at most 20 characters`. Empty without a limit. */
export function limitWords(field: Field): string {
  switch (field.kind) {
    case 'text':
      return [formatWords[field.format ?? ''], rangeWords(field.minLength || undefined, field.maxLength, 'character'), patternWords(field)]
        .filter(Boolean)
        .join(', ');
    case 'number': {
      const { minimum, maximum, above, below, multipleOf } = field;
      const open = [above !== undefined && `more than ${above}`, below !== undefined && `less than ${below}`].filter(Boolean).join(' and ');
      return [rangeWords(minimum, maximum), open, multipleOf !== undefined && `a multiple of ${multipleOf}`].filter(Boolean).join(', ');
    }
    case 'list':
      return [rangeWords(field.minItems || undefined, field.maxItems, 'item'), field.isUnique && 'all different']
        .filter(Boolean)
        .join(', ');
    case 'json':
      return field.types.length > 0 ? `JSON: ${field.types.join(' or ')}` : 'any JSON';
    default:
      return '';
  }
}

const formatWords: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-03-31',
  'date-time': 'a time such as 2026-03-31T09:30:00Z',
  uri: 'a whole address with its beginning, such as https:',
  email: 'an e-mail address',
};

function patternWords({
  pattern,
  patternDescription,
}: {
  readonly pattern?: string;
  readonly patternDescription?: string;
}): string | undefined {
  return patternDescription ?? (pattern === undefined ? undefined : `matches ${pattern}`);
}

function rangeWords(from: number | undefined, to: number | undefined, noun?: string): string | undefined {
  const counted = (count: number): string => (noun === undefined ? String(count) : `${count} ${noun}${count === 1 ? '' : 's'}`);
  if (from !== undefined && to !== undefined) return from === to ? `exactly ${counted(from)}` : `${from} to ${counted(to)}`;
  if (from !== undefined) return `at least ${counted(from)}`;
  return to === undefined ? undefined : `at most ${counted(to)}`;
}
