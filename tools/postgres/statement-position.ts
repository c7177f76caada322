/** A position in a statement. All members count from 1, in Unicode code points, as the server counts. */
export interface StatementPosition {
  readonly position: number;
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of a position. Undefined for a position that is no positive integer. */
export function positionOf(sql: string, position: number): StatementPosition | undefined {
  if (!Number.isInteger(position) || position < 1) return undefined;
  const before = [...sql].slice(0, position - 1);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { position, line: before.filter((character) => character === '\n').length + 1, column: position - lineStart };
}
