/** Maximum length of texts in characters. Texts of a document are foreign: they are cut, and hold no control characters. */
export const textLimits = { tool: 600, parameter: 300, title: 80, tag: 40 } as const;

/**
 * Returns a text of a document in one line, without markup and control characters, with at most `max` characters: whole sentences where one
 * ends in the second half. Empty for anything but a text.
 */
export function plainText(text: unknown, max: number): string {
  if (typeof text !== 'string') return '';
  const plain = text
    .slice(0, max * 8)
    .replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/[*`#]{2,}/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\s]+/gu, ' ')
    .trim();
  if (plain.length <= max) return plain.toWellFormed();
  const cut = plain.slice(0, max);
  const end = Math.max(cut.lastIndexOf('. '), cut.lastIndexOf('! '), cut.lastIndexOf('? '));
  if (end >= max / 2) return cut.slice(0, end + 1).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' ', max - 1), max - 40)).trimEnd()}…`.toWellFormed();
}

/** Joins texts as sentences. Empty ones are left out, and one that the text before already begins with. */
export function sentences(...texts: readonly string[]): string {
  const kept: string[] = [];
  for (const text of texts) if (text !== '' && !kept.some((before) => startsAlike(before, text))) kept.push(text);
  return kept.map((text, index) => (index === kept.length - 1 || /[.!?…:]$/.test(text) ? text : `${text}.`)).join(' ');
}

function startsAlike(before: string, text: string): boolean {
  const [a, b] = [before, text].map((one) => one.toLowerCase().replace(/[.!?…]+$/, ''));
  return (a as string).startsWith(b as string);
}

/** Returns a text in which `{name}` is no placeholder of a template. */
export function literalText(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}');
}
