/** Tags and entities of HTML, which many documents use in texts. */
const tag =
  /<\/?(?:a|b|i|p|br|hr|ul|ol|li|em|strong|code|pre|span|div|h[1-6]|table|thead|tbody|tr|td|th|img|sup|sub|blockquote|note|tt|dl|dt|dd)\b[^<>]{0,300}>/giu;

/** Links of Markdown; the text stays. */
const link = /!?\[([^[\]]{0,200})\]\([^()\s]{0,500}(?:\s[^()]{0,200})?\)/gu;

/** Characters without a shape of their own: controls such as terminal escapes, characters that change the direction, fillers. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The same, without white space, and without the joiners of an emoji. */
const hidden =
  /(?![\t\n\r])(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)[\u200D\uFE0F])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const mark = ' [cut]';

/** Maximum UTF-16 units that are read: longer texts are cut first. */
const maxRead = 20_000;

/**
 * Returns a text of a document or server on one line, without markup and unseen characters, with at most `limit` UTF-16 units (20 or more).
 * A longer one is cut at a word and ends with "[cut]".
 */
export function foreignText(text: string, limit: number): string {
  const line = lineOf(text);
  if (line.length <= limit) return line;
  const head = line.slice(0, limit - mark.length);
  const sentence = /^.*[.!?](?=\s)/u.exec(`${head} `)?.[0] ?? '';
  const kept = sentence.length > head.length / 2 ? sentence : head.replace(/\s+\S{0,40}$/u, '');
  return `${kept.toWellFormed().trimEnd()}${mark}`;
}

/** Texts for people and models, by the names of members that have them. */
const described: ReadonlySet<string> = new Set(['title', 'description']);

/** Returns a listed item of a server whose titles and descriptions, at any depth, have no unseen characters. */
export function withoutUnseen<T>(item: T): T {
  if (Array.isArray(item)) return item.map((member: unknown) => withoutUnseen(member)) as T;
  if (typeof item !== 'object' || item === null) return item;
  const members = Object.entries(item).map(([name, member]: [string, unknown]) => [
    name,
    typeof member === 'string' && described.has(name) ? member.replaceAll(hidden, '') : withoutUnseen(member),
  ]);
  return Object.fromEntries(members) as T;
}

/** True for a text that `foreignText` returns with "[cut]". */
export function isCutText(text: string): boolean {
  return text.endsWith(mark);
}

function lineOf(text: string): string {
  const read = text.length <= maxRead ? text : text.slice(0, maxRead);
  return read
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(tag, ' ')
    .replaceAll(link, '$1')
    .replaceAll(unseen, '')
    .replaceAll(/[*`]{2,}/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
