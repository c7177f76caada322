import { refuseValue } from '../../../kernel/index.ts';

/** Returns a value for use in a header, or refuses it. A line break would begin another header (RFC 9110, 5.5). */
export function requireHeaderText(text: string, name: string): string {
  if (/[\r\n\0]/.test(text)) return refuseValue(name, 'a value without line breaks, because it is part of a header');
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) return refuseValue(name, 'characters of ISO 8859-1 only, because it is part of a header');
  return text;
}
