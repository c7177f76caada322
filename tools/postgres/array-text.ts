/** An array of texts or of arrays. */
export type TextArray = readonly (string | null | TextArray)[];

/** Parses an array in the server's text form (PostgreSQL documentation, 8.15.6). Drops explicit bounds. */
export function parseArray(text: string): TextArray {
  const tokens = text.slice(text.indexOf('{')).matchAll(/[{}]|,|"((?:[^"\\]+|\\.)*)"|(?:[^{},"\\]+|\\.)+/gs);
  const root: (string | null | TextArray)[] = [];
  const open: (string | null | TextArray)[][] = [root];
  for (const { 0: token, 1: quoted } of tokens) {
    const current = open.at(-1) ?? root;
    if (token === '{') {
      const inner: (string | null | TextArray)[] = [];
      current.push(inner);
      open.push(inner);
    } else if (token === '}') open.pop();
    else if (token !== ',') current.push(elementOf(token, quoted));
  }
  return (root[0] ?? []) as TextArray;
}

function elementOf(token: string, quoted: string | undefined): string | null {
  if (quoted === undefined && token === 'NULL') return null;
  return (quoted ?? token).replace(/\\(.)/gs, '$1');
}
