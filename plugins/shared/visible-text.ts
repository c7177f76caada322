/**
 * What a reader would not see, or would see in another place or order: controls, format and bidirectional characters, fillers, what is not
 * assigned, spaces other than the space, marks beyond the third on one letter, and the beginning of an HTML tag.
 */
const hidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|(?<=\p{M}{3})\p{M}|<(?=[!/?\p{L}])/gu;

/** The text with everything that hides something written as a JSON escape (`\u202e`). Line breaks are escaped as well. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
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
