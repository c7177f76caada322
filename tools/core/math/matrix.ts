import { ToolkitError } from '../../../kernel/index.ts';
import { type DecimalMatrix, quotient, toDecimals } from './decimal-matrix.ts';
import { type Eigenvalue, eigenvalues } from './eigenvalues.ts';
import { eliminate } from './elimination.ts';

type Operation = 'multiply' | 'inverse' | 'determinant' | 'transpose' | 'solve' | 'eigenvalues';
type Rows = readonly (readonly number[])[];

interface MatrixParameters {
  readonly operation: Operation;
  readonly a: Rows;
  /** A flat list is a single column. */
  readonly b?: readonly (number | readonly number[])[];
}

interface MatrixResult {
  readonly result: number | readonly number[] | Rows | readonly Eigenvalue[];
}

/**
 * Calculates with matrices. Throws INVALID_PARAMETERS for sizes that do not fit and for a singular matrix, EXECUTION_FAILED for a result beyond
 * the range of floating point. Takes long for large matrices of numbers with many digits.
 */
export function calculate({ operation, a, b }: MatrixParameters): MatrixResult {
  checkRows(a, 'a');
  if (operation === 'transpose' || operation === 'multiply') checkB(operation, b);
  else checkSquare(a, operation, b);
  if (operation === 'transpose') return { result: transposed(a) };
  if (operation === 'eigenvalues') return { result: eigenvalues(a) };
  if (operation === 'determinant') return { result: determinant(a) };
  if (operation === 'inverse') return { result: solve(a, identity(a.length)) };
  const right = columnsOf(b ?? []);
  const result = operation === 'solve' ? solve(a, right.rows) : multiply(a, right.rows);
  return { result: right.isFlat ? result.map(([value = 0]) => value) : result };
}

function multiply(a: Rows, b: Rows): number[][] {
  const width = a[0]?.length ?? 0;
  if (b.length !== width)
    throw badMatrix('b', `expected ${count(width, 'row')}, because a has ${count(width, 'column')}, received ${count(b.length, 'row')}`);
  const [left, right] = [toDecimals(a), toDecimals(b)];
  const columns = transposed(right.numerators);
  const denominator = left.denominator * right.denominator;
  return left.numerators.map((row) =>
    columns.map((column) =>
      inRange(
        quotient(
          row.reduce((sum, value, index) => sum + value * (column[index] ?? 0n), 0n),
          denominator,
        ),
      ),
    ),
  );
}

function determinant(a: Rows): number {
  const { numerators, denominator } = toDecimals(a);
  return inRange(quotient(eliminate(numerators, []).determinant, denominator ** BigInt(a.length)));
}

function solve(a: Rows, b: Rows): number[][] {
  if (b.length !== a.length)
    throw badMatrix('b', `expected ${count(a.length, 'row')}, as many as a has, received ${count(b.length, 'row')}`);
  const [left, right] = [toDecimals(a), toDecimals(b)];
  const { numerators, determinant: divisor } = eliminate(left.numerators, right.numerators);
  if (divisor === 0n)
    throw badMatrix(
      'a',
      'expected a regular matrix, received a singular one: its determinant is 0, so it has no inverse and no single solution',
    );
  return numerators.map((row) => row.map((value) => inRange(quotientOf(value, divisor, left, right))));
}

function quotientOf(value: bigint, divisor: bigint, left: DecimalMatrix, right: DecimalMatrix): number {
  return quotient(value * left.denominator, divisor * right.denominator);
}

function identity(size: number): number[][] {
  return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => (row === column ? 1 : 0)));
}

function transposed<T>(rows: readonly (readonly T[])[]): T[][] {
  return (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] as T));
}

function columnsOf(b: readonly (number | readonly number[])[]): { rows: Rows; isFlat: boolean } {
  const isFlat = b.every((row) => typeof row === 'number');
  const mixed = b.findIndex((row) => typeof row === 'number');
  if (!isFlat && mixed >= 0) throw badMatrix(`b[${mixed}]`, 'expected a row, as the others are, received a number');
  const rows = b.map((row) => (typeof row === 'number' ? [row] : row));
  checkRows(rows, 'b');
  return { rows, isFlat };
}

function checkRows(rows: Rows, path: string): void {
  const width = rows[0]?.length ?? 0;
  const ragged = rows.findIndex((row) => row.length !== width);
  if (ragged < 0) return;
  const received = count(rows[ragged]?.length ?? 0, 'number');
  throw badMatrix(`${path}[${ragged}]`, `expected ${count(width, 'number')}, as in the first row, received ${received}`);
}

function checkSquare(a: Rows, operation: Operation, b: unknown): void {
  checkB(operation, b);
  const width = a[0]?.length ?? 0;
  if (a.length !== width) throw badMatrix('a', `expected a square matrix for ${operation}, received ${a.length} × ${width}`);
}

function checkB(operation: Operation, b: unknown): void {
  const isNeeded = operation === 'multiply' || operation === 'solve';
  if (isNeeded && b === undefined) throw badMatrix('b', `is required for ${operation}`);
  if (!isNeeded && b !== undefined) throw badMatrix('b', `is for multiply and solve only, and ${operation} takes a alone. Leave it out`);
}

function inRange(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ToolkitError(
    'EXECUTION_FAILED',
    'A number of the result is beyond ±1.8e308, the range of 64 bit floating point. Divide the matrix by a number, and take it into account afterwards.',
  );
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}

function badMatrix(path: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}.`, { issues: [{ path, message }] });
}
