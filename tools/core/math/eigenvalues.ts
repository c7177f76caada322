import { ToolkitError } from '../../../kernel/index.ts';
import { at, reflect, toHessenberg } from './hessenberg.ts';

/** A real eigenvalue is a number, a complex one an object. */
export type Eigenvalue = number | { readonly re: number; readonly im: number };

/** Maximum steps for one eigenvalue. Usually a few are enough. */
const maxSteps = 300;

/** Interval of steps with an exceptional shift: with the usual shifts some matrices, such as permutations, repeat themselves. */
const exceptionalShiftInterval = 10;

/**
 * Returns all eigenvalues of a square matrix, by the QR algorithm with double shifts (Francis, 1961; Golub and Van Loan, Matrix Computations,
 * 7.5). The iteration of math.js fails for many small matrices, and that of ml-matrix (6.15) does not end for skew-symmetric ones. Throws EXECUTION_FAILED when it does not converge.
 */
export function eigenvalues(rows: readonly (readonly number[])[]): Eigenvalue[] {
  const largest = Math.max(...rows.flat().map(Math.abs));
  // A power of two rounds nothing, and keeps squares in the range of numbers.
  const scale = largest === 0 ? 1 : 2 ** Math.max(-1000, Math.min(1000, Math.floor(Math.log2(largest))));
  const matrix = rows.map((row) => row.map((value) => value / scale));
  const isSymmetric = rows.every((row, index) => row.every((value, column) => value === at(rows, column, index)));
  toHessenberg(matrix);
  const found = deflate(matrix).map(([re, im]) => [re * scale, isSymmetric ? 0 : im * scale] as const);
  const ordered = found.sort(([re, im], [otherRe, otherIm]) => re - otherRe || im - otherIm);
  return ordered.map(([re, im]) => {
    const modulus = Math.hypot(re, im);
    const parts = { re: rounded(re, modulus), im: rounded(im, modulus) };
    return parts.im === 0 ? parts.re : parts;
  });
}

/** Splits off eigenvalues at the lower end until the matrix is empty. */
function deflate(matrix: number[][]): [re: number, im: number][] {
  const found: [number, number][] = [];
  let end = matrix.length - 1;
  for (let steps = 0; end >= 0; steps += 1) {
    const start = blockStart(matrix, end);
    if (start >= end - 1) {
      found.push(...(start === end ? [[at(matrix, end, end), 0] as [number, number]] : pairEigenvalues(matrix, start)));
      end = start - 1;
      steps = -1;
      continue;
    }
    if (steps === maxSteps) throw noConvergence();
    step(matrix, start, end, steps % exceptionalShiftInterval === exceptionalShiftInterval - 1);
  }
  return found;
}

/** Returns the first row of the block that ends at `end`: above it the element of the subdiagonal is 0 within rounding. */
function blockStart(matrix: number[][], end: number): number {
  for (let row = end; row > 0; row -= 1) {
    const around = Math.abs(at(matrix, row, row)) + Math.abs(at(matrix, row - 1, row - 1));
    // The matrix is scaled, so its largest element is about 1.
    if (Math.abs(at(matrix, row, row - 1)) <= Number.EPSILON * (around === 0 ? 1 : around)) return row;
  }
  return 0;
}

/** Returns the two eigenvalues of the block of two rows that begins at `start`. */
function pairEigenvalues(matrix: number[][], start: number): [number, number][] {
  const [a, b, c, d] = blockAt(matrix, start);
  const half = (a - d) / 2;
  const discriminant = half * half + b * c;
  if (discriminant < 0) return [1, -1].map((sign) => [(a + d) / 2, sign * Math.sqrt(-discriminant)]);
  // The larger one first, and the other from the product, so that no digits are lost.
  const far = half + (half < 0 ? -1 : 1) * Math.sqrt(discriminant);
  return [
    [d + far, 0],
    [far === 0 ? d : d - (b * c) / far, 0],
  ];
}

function blockAt(matrix: number[][], start: number): [a: number, b: number, c: number, d: number] {
  return [at(matrix, start, start), at(matrix, start, start + 1), at(matrix, start + 1, start), at(matrix, start + 1, start + 1)];
}

/** Does a double step on the block from `start` to `end`, with the eigenvalues of its last two rows as shifts. */
function step(matrix: number[][], start: number, end: number, isUnusual: boolean): void {
  const [a, b, c, d] = blockAt(matrix, end - 1);
  const edge = Math.abs(at(matrix, end, end - 1)) + Math.abs(at(matrix, end - 1, end - 2));
  const [sum, product] = isUnusual ? [1.5 * edge, edge * edge] : [a + d, a * d - b * c];
  const [p, q, r, s] = blockAt(matrix, start);
  let vector = [p * p + q * r - sum * p + product, r * (p + s - sum), r * at(matrix, start + 2, start + 1)];
  for (let row = start; row < end; row += 1) {
    reflect(matrix, vector, row, Math.max(start, row - 1), Math.min(row + 3, end));
    vector = [row + 1, row + 2, row + 3].filter((index) => index <= end).map((index) => at(matrix, index, row));
    // The reflection makes these elements 0 except for rounding.
    for (const index of [row + 1, row + 2]) if (row > start && index <= end) (matrix[index] as number[])[row - 1] = 0;
  }
}

/** Rounds to 14 digits, because the others are noise. For a complex number the digits of its modulus count. */
function rounded(value: number, modulus: number): number {
  if (Number.isFinite(value)) return Math.abs(value) < modulus * 1e-14 ? 0 : Number(value.toPrecision(14));
  throw new ToolkitError(
    'EXECUTION_FAILED',
    'An eigenvalue is beyond ±1.8e308, the range of 64 bit floating point. Divide the matrix by a number.',
  );
}

function noConvergence(): ToolkitError {
  return new ToolkitError(
    'EXECUTION_FAILED',
    'The eigenvalues of this matrix cannot be calculated: the iteration does not converge. Check its numbers.',
  );
}
