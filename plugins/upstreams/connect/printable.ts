/** Replaces control and format characters, such as those of a terminal, by blanks. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
