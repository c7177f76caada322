import { excerpt } from '../../../kernel/index.ts';
import type { LoadedSource } from '../loaded-source.ts';

/** Returns why no operation of a document becomes a tool, without a full stop. Undefined where one does. */
export function emptyReason({ document, generated }: Pick<LoadedSource, 'document' | 'generated'>): string | undefined {
  const { tools, skipped, notes } = generated;
  if (tools.length > 0) return undefined;
  const [first] = skipped;
  const { length } = document.operations;
  if (first === undefined && length === 0) return 'the document has no operations';
  if (first !== undefined) {
    const others = skipped.length === 1 ? '' : ` (and ${skipped.length - 1} more)`;
    return `no operation can be used: ${excerpt(`${first.reason}: ${first.detail}`.replace(/\.$/, ''))}${others}`;
  }
  const unmatched = notes.find((note) => /^"(include|exclude)\./.test(note));
  const why = unmatched === undefined ? '' : `: ${excerpt(unmatched.replace(/[.?]$/, ''))}`;
  return `"include" and "exclude" choose none of its ${length} ${length === 1 ? 'operation' : 'operations'}${why}`;
}
