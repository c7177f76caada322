/** Returns an extended regular expression (POSIX) that matches a literal text in upper and lower case. */
export function caseInsensitivePattern(text: string): string {
  return [...text].map(ofCharacter).join('');
}

function ofCharacter(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  // Alternatives, not brackets: in brackets a letter of several bytes needs a known encoding.
  if (lower !== upper) return `(${lower}|${upper})`;
  return /[\\^$.|?*+()[\]{}]/.test(character) ? `\\${character}` : character;
}
