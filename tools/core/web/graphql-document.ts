/** One token of GraphQL (October 2021, 2.1), or the text between tokens. A document with any other text is refused. */
const tokenPattern =
  /(?<ignored>[\uFEFF\t\n\r ,]+|#[^\n\r]*)|(?<text>"""(?:\\"""|(?!\\?""")[\s\S])*"""|"(?!"")(?:\\[^\n\r]|[^"\\\n\r])*")|(?<mark>\.\.\.|[!$&()[\]{}:=@|])|(?<name>[A-Za-z_]\w*)|(?<number>-?\d[\w.+-]*)/y;

/** Characters that end a line for some parsers only: a comment before one of them would hide text from the others. */
const unclearLineEnds = /[\0\v\f\u0085\u2028\u2029]/;

const pairs: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Returns the reason why a document may do more than query; undefined for a document with queries and fragments only. Every
 * definition counts, whichever operation runs.
 */
export function notOnlyQueries(document: string): string | undefined {
  if (unclearLineEnds.test(document)) return 'it has control characters, or line separators other than line feed and carriage return';
  const token = new RegExp(tokenPattern);
  const open: string[] = [];
  let isInside = false;
  for (let at = 0; at < document.length; at = token.lastIndex) {
    token.lastIndex = at;
    const { ignored, text, mark, name } = token.exec(document)?.groups ?? {};
    if (token.lastIndex <= at) return `it is no GraphQL at character ${at + 1}`;
    if (ignored !== undefined) continue;
    if (!isInside) {
      // Newer versions allow a description before a definition.
      if (text !== undefined) continue;
      if (name === 'mutation' || name === 'subscription') return `it holds a ${name}`;
      if (mark !== '{' && name !== 'query' && name !== 'fragment') return `at character ${at + 1} no query and no fragment begins`;
      isInside = true;
    }
    if (mark === undefined) continue;
    const closing = pairs[mark];
    if (closing !== undefined) open.push(closing);
    else if ('})]'.includes(mark)) {
      if (open.pop() !== mark) return `its "${mark}" at character ${at + 1} closes nothing`;
      isInside = !(mark === '}' && open.length === 0);
    }
  }
  return isInside ? 'it ends too early' : undefined;
}
