/** A place in a statement; all count from 1, in characters as the server counts them (Unicode code points). */
export interface StatementPosition {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** The line and column of a position. Undefined when it is none. */
export function positionOf(sql: string, position: number): StatementPosition | undefined {
  if (!Number.isInteger(position) || position < 1) return undefined;
  const before = [...sql].slice(0, position - 1);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { position, line: before.filter((character) => character === '\n').length + 1, column: position - lineStart };
}
