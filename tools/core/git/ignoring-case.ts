/** An extended regular expression (POSIX) for a text as it is, in capital and small letters alike. */
export function ignoringCase(text: string): string {
  return [...text].map(ofCharacter).join('');
}

function ofCharacter(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  // Not in brackets: there a letter of several bytes is one only where git knows the encoding.
  if (lower !== upper) return `(${lower}|${upper})`;
  return /[\\^$.|?*+()[\]{}]/.test(character) ? `\\${character}` : character;
}
