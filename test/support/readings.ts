/**
 * A text in every way in which it can be read: as it is, percent-decoded, without the escapes of JSON, and with each run of base64
 * decoded at every alignment. `depth`: how many encodings may lie on top of each other. Finds what a mask left over, however it was
 * encoded, because it decodes what there is and does not encode what is looked for.
 */
export function readings(text: string, depth = 1): string {
  if (depth === 0) return text;
  const decoded = [percentDecoded(text), percentDecoded(text.replaceAll('+', ' ')), unescaped(text), base64Decoded(text)];
  return [text, ...decoded.filter((reading) => reading !== text).map((reading) => readings(reading, depth - 1))].join('\n');
}

function percentDecoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})|\\([^u])/gi, (_, code: string | undefined, letter = '') =>
    code === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

function base64Decoded(text: string): string {
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  return runs.flatMap((run) => [0, 1, 2, 3].map((offset) => Buffer.from(run.slice(offset), 'base64').toString('utf8'))).join('\n');
}
