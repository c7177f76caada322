/** The solution of `left · x = right` in whole numbers: `numerators / determinant`. */
export interface Solution {
  readonly numerators: readonly (readonly bigint[])[];
  /** Determinant of the left side. 0 when there is no unique solution, and then there are no numerators. */
  readonly determinant: bigint;
}

/**
 * Eliminates without fractions (Bareiss, 1968). Every intermediate number is the determinant of a part of the matrix, so each division is exact
 * and numbers stay as short as possible. Takes cubic time in the size, and more with the number of digits.
 */
export function eliminate(left: readonly (readonly bigint[])[], right: readonly (readonly bigint[])[]): Solution {
  const size = left.length;
  const rows = left.map((row, index) => [...row, ...(right[index] ?? [])]);
  let previous = 1n;
  let sign = 1n;
  for (let column = 0; column < size; column += 1) {
    const found = rows.findIndex((row, index) => index >= column && row[column] !== 0n);
    if (found < 0) return { numerators: [], determinant: 0n };
    if (found !== column) {
      [rows[column], rows[found]] = [rows[found] as bigint[], rows[column] as bigint[]];
      sign = -sign;
    }
    const pivotRow = rows[column] as bigint[];
    const pivot = pivotRow[column] as bigint;
    for (const row of rows) {
      if (row === pivotRow) continue;
      const factor = row[column] as bigint;
      // The earlier elements of the column are not read again.
      for (let index = column; index < row.length; index += 1)
        row[index] = (pivot * (row[index] as bigint) - factor * (pivotRow[index] as bigint)) / previous;
    }
    previous = pivot;
  }
  return { numerators: rows.map((row) => row.slice(size).map((value) => sign * value)), determinant: sign * previous };
}
