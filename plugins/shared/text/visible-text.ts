/**
 * What a reader would not see, or would see in another place or order: controls, format and bidirectional characters, fillers, what is not
 * assigned, spaces other than the space, and marks beyond the third on one letter.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const hiddenOrTag = new RegExp(`${hidden.source}|<(?=[!/?\\p{L}])`, 'gu');

/**
 * The text with everything that hides something written as a JSON escape (`\u202e`), and the beginning of an HTML tag as well: a client may
 * show it as a page. Line breaks are escaped.
 */
export function visibleText(text: string): string {
  return text.replace(hiddenOrTag, escaped);
}

/** The same for a text that only a terminal shows: tags stay as they are. */
export function terminalText(text: string): string {
  return text.replace(hidden, escaped);
}

/** The same for a text of several lines, which stay. */
export function terminalLines(text: string): string {
  return text.split(/\r?\n/).map(terminalText).join('\n');
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Room for the note in the middle, with a count of up to nine digits. */
const noteLength = 24;

/** At most `limit` characters (48 or more): the beginning and the end, and between them how much is left out. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - noteLength;
  const tail = Math.floor(room / 3);
  return `${text.slice(0, room - tail)} …[${text.length - room} left out]… ${text.slice(text.length - tail)}`.toWellFormed();
}
