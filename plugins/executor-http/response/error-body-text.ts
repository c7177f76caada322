import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';

/** Limit of an HTML page that is searched for text, in characters. */
const maxPageLength = 8 * 1024;

/** Keys in which services put the message, the most specific first. */
const sentenceKeys = ['message', 'error_description', 'detail', 'error', 'msg', 'title', 'errors'] as const;

/** Returns the message of an error body, from the usual keys; empty when there is none. */
export function errorBodyText(body: JsonValue): string {
  if (typeof body === 'string') return pageText(body);
  const sentence = sentenceIn(body, 3);
  return [sentence, ...fieldNotes(body).filter((note) => !sentence.includes(note))].filter((part) => part !== '').join('; ');
}

function pageText(page: string): string {
  return page
    .slice(0, maxPageLength)
    .replace(/<(style|script)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->|<[^>]+>/gi, ' ')
    .trim();
}

function sentenceIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return value.trim();
  if (depth === 0) return '';
  if (Array.isArray(value)) return sentenceIn(value[0], depth - 1);
  if (!isPlainObject(value)) return '';
  return sentenceKeys.map((key) => sentenceIn(value[key], depth - 1)).find((found) => found !== '') ?? '';
}

/**
 * Returns notes of lists such as `errors: [{field: "title", code: "missing_field"}]`, which say which parameter was wrong. An
 * entry without a field is added beside the body's message; without a message it already is the sentence.
 */
function fieldNotes(body: JsonValue): string[] {
  if (!isPlainObject(body) || !Array.isArray(body['errors'])) return [];
  const hasMessage = typeof body['message'] === 'string';
  return body['errors'].slice(0, 3).flatMap((entry: unknown) => {
    const { field, code, message }: Readonly<Record<string, unknown>> = isPlainObject(entry) ? entry : { message: entry };
    const detail = typeof message === 'string' && message !== '' ? message : code;
    if (typeof field === 'string') return typeof detail === 'string' ? [`${field}: ${detail}`] : [];
    return hasMessage && typeof message === 'string' && message !== '' ? [message] : [];
  });
}
