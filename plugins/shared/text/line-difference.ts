/** A line of a difference between two texts. */
export interface DifferenceLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Maximum number of added and removed lines that are looked for: beyond that the whole text is replaced, because the search takes its square. */
const maxEdits = 2000;

/** Returns all lines of two texts, with those that only one of them has. An undefined text has no lines. */
export async function lineDifference(before: string | undefined, after: string): Promise<readonly DifferenceLine[]> {
  const added = linesOf(after);
  if (before === undefined) return ofKind('added', added);
  const { diffArrays } = await import('diff');
  const removed = linesOf(before);
  const changes = diffArrays([...removed], [...added], { maxEditLength: maxEdits });
  if (changes === undefined) return [...ofKind('removed', removed), ...ofKind('added', added)];
  return changes.flatMap((change) => ofKind(change.added ? 'added' : change.removed ? 'removed' : 'same', change.value));
}

function ofKind(kind: DifferenceLine['kind'], lines: readonly string[]): readonly DifferenceLine[] {
  return lines.map((text) => ({ kind, text }));
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
