/** A number as its text, so that digits beyond 2^53 count. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Reads JSON (RFC 8259) with numbers as `NumberText`. Throws a SyntaxError. */
export function readExactJson(text: string): unknown {
  // A number outside of a string becomes an object that no text can be mistaken for.
  const mark = 'number text of the decoder';
  let marked = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[^"\d-]+|./gs))
    marked += /^-?\d/.test(token) ? `{${JSON.stringify(mark)}:"${token}"}` : token;
  // Own text: numbers are texts here.
  return JSON.parse(marked, (_, value: unknown) => {
    const isNumber = typeof value === 'object' && value !== null && Object.hasOwn(value, mark);
    return isNumber ? new NumberText((value as Record<string, string>)[mark] ?? '') : value;
  });
}
