/** Named entities that matter to words; others stay. */
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  sp: ' ',
  tab: '\t',
  newline: '\n',
  shy: '',
  zwj: '',
  zwnj: '',
};

const escapes = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));|\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi;

/** Decodes character references of HTML and escapes of JavaScript (`&#105;`, `\u0069`, `\x69`), once. */
export function decodeEscapes(text: string): string {
  if (!text.includes('&') && !text.includes('\\')) return text;
  return text.replace(escapes, (all: string, decimal?: string, hex?: string, name?: string, ...codes: readonly unknown[]) => {
    if (name !== undefined) return Object.hasOwn(entities, name.toLowerCase()) ? (entities[name.toLowerCase()] ?? all) : all;
    if (decimal !== undefined) return character(Number(decimal)) ?? all;
    const code = hex ?? codes.slice(0, 3).find((one) => typeof one === 'string');
    return character(Number.parseInt(String(code), 16)) ?? all;
  });
}

function character(code: number): string | undefined {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
