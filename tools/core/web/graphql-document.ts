/** One token of GraphQL (October 2021, 2.1), or what stands between tokens. What does not fit is none: it is refused, not guessed at. */
const tokenPattern =
  /(?<ignored>[\uFEFF\t\n\r ,]+|#[^\n\r]*)|(?<text>"""(?:\\"""|(?!\\?""")[\s\S])*"""|"(?!"")(?:\\[^\n\r]|[^"\\\n\r])*")|(?<mark>\.\.\.|[!$&()[\]{}:=@|])|(?<name>[A-Za-z_]\w*)|(?<number>-?\d[\w.+-]*)/y;

/** Characters that end a line for some parsers and not for others: behind a comment, one would see what the other does not. */
const unclearLineEnds = /[\0\v\f\u0085\u2028\u2029]/;

const pairs: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/**
 * Why a document may do more than query; undefined for one that holds queries and fragments only. Every definition counts, whichever
 * operation is chosen to run.
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
      // A description, which newer versions allow.
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
