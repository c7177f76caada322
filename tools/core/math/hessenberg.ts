/**
 * Applies the Householder reflection that turns `vector` into a multiple of the first axis: to rows from `first` on from the left, in
 * columns from `fromColumn`, and to the columns of the same numbers from the right, in rows up to `toRow`. Changes the matrix.
 */
export function reflect(matrix: number[][], vector: readonly number[], first: number, fromColumn: number, toRow: number): void {
  const norm = Math.hypot(...vector);
  if (norm === 0) return;
  const [head = 0] = vector;
  const normal = [head + (head < 0 ? -norm : norm), ...vector.slice(1)];
  const factor = 2 / normal.reduce((sum, value) => sum + value * value, 0);
  for (let column = fromColumn; column < matrix.length; column += 1) {
    const part = factor * normal.reduce((sum, value, index) => sum + value * at(matrix, first + index, column), 0);
    for (const [index, value] of normal.entries()) add(matrix, first + index, column, -part * value);
  }
  for (let row = 0; row <= toRow; row += 1) {
    const part = factor * normal.reduce((sum, value, index) => sum + value * at(matrix, row, first + index), 0);
    for (const [index, value] of normal.entries()) add(matrix, row, first + index, -part * value);
  }
}

/** Changes a square matrix to one with the same eigenvalues that has zeros below its first subdiagonal. */
export function toHessenberg(matrix: number[][]): void {
  const size = matrix.length;
  for (let column = 0; column < size - 2; column += 1) {
    const below = matrix.slice(column + 1).map((row) => row[column] ?? 0);
    reflect(matrix, below, column + 1, column, size - 1);
    for (const row of matrix.slice(column + 2)) row[column] = 0;
  }
}

export function at(matrix: readonly (readonly number[])[], row: number, column: number): number {
  return matrix[row]?.[column] ?? 0;
}

function add(matrix: readonly number[][], row: number, column: number, value: number): void {
  const changed = matrix[row];
  if (changed !== undefined) changed[column] = (changed[column] ?? 0) + value;
}
