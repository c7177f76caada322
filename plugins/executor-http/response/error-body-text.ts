import { isPlainObject, type JsonValue } from '../../../kernel/index.ts';

/** How much of an HTML page is searched for its words, in characters. */
const maxPage = 8 * 1024;

/** Where services put the sentence, the most telling first. */
const sentenceKeys = ['message', 'error_description', 'detail', 'error', 'msg', 'title', 'errors'] as const;

/** What an error body says, wherever services usually put it; empty when it says nothing. */
export function errorBodyText(body: JsonValue): string {
  if (typeof body === 'string') return pageWords(body);
  const sentence = sentenceIn(body, 3);
  return [sentence, ...fieldNotes(body).filter((note) => !sentence.includes(note))].filter((part) => part !== '').join('; ');
}

function pageWords(page: string): string {
  return page
    .slice(0, maxPage)
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
 * Lists such as `errors: [{field: "title", code: "missing_field"}]` say which parameter was wrong. What has no field counts beside a
 * message of the body; without one it is the sentence already.
 */
function fieldNotes(body: JsonValue): string[] {
  if (!isPlainObject(body) || !Array.isArray(body['errors'])) return [];
  const hasMessage = typeof body['message'] === 'string';
  return body['errors'].slice(0, 3).flatMap((entry: unknown) => {
    const { field, code, message }: Readonly<Record<string, unknown>> = isPlainObject(entry) ? entry : { message: entry };
    const said = typeof message === 'string' && message !== '' ? message : code;
    if (typeof field === 'string') return typeof said === 'string' ? [`${field}: ${said}`] : [];
    return hasMessage && typeof message === 'string' && message !== '' ? [message] : [];
  });
}
