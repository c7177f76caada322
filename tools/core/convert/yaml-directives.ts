import type { CST } from 'yaml';

/** Builds the error for an offset in UTF-16 code units. `problem` is the end of a sentence. */
type Refusal = (offset: number, problem: string) => Error;

/**
 * Passes on the tokens of a YAML stream. Throws the error of `refuse` for invalid directives that the library accepts: a %YAML or the handle
 * of a %TAG that comes twice for one document, and directives without a document after them (YAML 1.2.2, 6.8).
 */
export function* withCheckedDirectives(tokens: Iterable<CST.Token>, refuse: Refusal): Iterable<CST.Token> {
  const names = new Set<string>();
  let first: number | undefined;
  for (const token of tokens) {
    if (token.type === 'document') {
      names.clear();
      first = undefined;
    }
    if (token.type === 'directive') {
      first ??= token.offset;
      const name = uniqueName(token.source);
      if (name !== undefined && names.has(name)) throw refuse(token.offset, `${name} comes twice for the same document`);
      if (name !== undefined) names.add(name);
    }
    yield token;
  }
  if (first !== undefined) throw refuse(first, 'a directive needs a document behind it, which begins with "---"');
}

/** Returns the name of a directive that may come once in a document. Undefined for unknown directives. */
function uniqueName(source: string): string | undefined {
  const [directive, handle = ''] = source.trim().split(/[ \t]+/);
  if (directive === '%YAML') return directive;
  return directive === '%TAG' ? `%TAG ${handle.slice(0, 60)}` : undefined;
}
