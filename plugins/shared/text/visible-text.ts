/**
 * Characters that a reader cannot see, or sees in another position or order: controls, format and bidirectional characters, fillers,
 * unassigned ones, spaces other than the space, and marks beyond the third on one letter.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}/gu;

const hiddenOrTag = new RegExp(`${hidden.source}|<(?=[!/?\\p{L}])`, 'gu');

/** Escapes hidden characters as JSON does (`\u202e`), line breaks too, and the beginning of HTML tags, because a client may render HTML. */
export function visibleText(text: string): string {
  return text.replace(hiddenOrTag, escaped);
}

/** Escapes hidden characters for a terminal: tags stay. */
export function terminalText(text: string): string {
  return text.replace(hidden, escaped);
}

/** Does the same for a text of several lines; line breaks stay. */
export function terminalLines(text: string): string {
  return text.split(/\r?\n/).map(terminalText).join('\n');
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Characters of the note in the middle, with a count of up to nine digits. */
const noteLength = 24;

/** Shortens a text to at most `limit` characters (48 or more): beginning and end, with the number of omitted characters between them. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - noteLength;
  const tail = Math.floor(room / 3);
  return `${text.slice(0, room - tail)} …[${text.length - room} left out]… ${text.slice(text.length - tail)}`.toWellFormed();
}
