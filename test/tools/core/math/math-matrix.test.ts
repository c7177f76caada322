import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { calculating } from './calculating.ts';

type Rows = readonly (readonly number[])[];

/** Reproducible numbers with two decimal places between -10 and 10. */
function numbers(rows: number, columns: number, seed: number): Rows {
  let state = seed;
  const next = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.round((state / 2 ** 31 - 0.5) * 2000) / 100;
  };
  return Array.from({ length: rows }, () => Array.from({ length: columns }, next));
}

/** Textbook elimination in fractions: the determinant of a, and the solution of a x = b. */
const elimination = `
from fractions import Fraction
def eliminate(a, b):
    rows = [[Fraction(str(value)) for value in left + right] for left, right in zip(a, b)]
    determinant = Fraction(1)
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k] != 0)
        if pivot != k:
            rows[k], rows[pivot] = rows[pivot], rows[k]
            determinant = -determinant
        determinant *= rows[k][k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [value - rows[i][k] * other for value, other in zip(rows[i], rows[k])]
    return float(determinant), [[float(value) for value in row[len(a):]] for row in rows]

def multiply(a, b):
    product = lambda row, column: float(sum(Fraction(str(x)) * Fraction(str(y)) for x, y in zip(row, column)))
    return [[product(row, column) for column in zip(*b)] for row in a]
`;

describe('math_matrix', () => {
  const matrix = calculating('math_matrix');
  const result = async (operation: string, a: unknown, b?: unknown): Promise<unknown> =>
    (await matrix<{ result: unknown }>({ operation, a, ...(b === undefined ? {} : { b }) })).result;

  for (const size of [1, 2, 3, 7, 20]) {
    it(`gives the determinant, the inverse and the solution that Python gives in fractions, for ${size} rows`, async () => {
      const [a, b] = [numbers(size, size, size), numbers(size, 2, size + 100)];
      const unit = a.map((_, row) => a.map((_unused, column) => (row === column ? 1 : 0)));
      const [[det, inverse], [, solution]] = pythonValue(
        '[eliminate(given["a"], given["unit"]), eliminate(given["a"], given["b"])]',
        { a, b, unit },
        elimination,
      ) as [[number, Rows], [number, Rows]];
      expect(await result('determinant', a)).to.equal(det);
      expect(await result('inverse', a)).to.deep.equal(inverse);
      expect(await result('solve', a, b)).to.deep.equal(solution);
    });
  }

  it('gives the product that Python gives in fractions', async () => {
    const [a, b] = [numbers(4, 3, 1), numbers(3, 5, 2)];
    expect(await result('multiply', a, b)).to.deep.equal(pythonValue('multiply(given["a"], given["b"])', { a, b }, elimination));
  });

  const cases: readonly { operation: string; a: Rows; b?: unknown; is: unknown }[] = [
    {
      operation: 'multiply',
      a: [
        [1, 2],
        [3, 4],
      ],
      b: [[5], [6]],
      is: [[17], [39]],
    },
    {
      operation: 'multiply',
      a: [
        [1, 2],
        [3, 4],
      ],
      b: [5, 6],
      is: [17, 39],
    },
    { operation: 'multiply', a: [[0.1, 0.2]], b: [1, 1], is: [0.3] },
    {
      operation: 'multiply',
      a: [[1], [2]],
      b: [[3, 4]],
      is: [
        [3, 4],
        [6, 8],
      ],
    },
    {
      operation: 'transpose',
      a: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      is: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
    },
    { operation: 'transpose', a: [[-1.5]], is: [[-1.5]] },
    {
      operation: 'determinant',
      a: [
        [1, 2],
        [3, 4],
      ],
      is: -2,
    },
    {
      operation: 'determinant',
      a: [
        [0, 1],
        [1, 0],
      ],
      is: -1,
    },
    {
      operation: 'determinant',
      a: [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
      is: 0,
    },
    {
      operation: 'determinant',
      a: [
        [1e-200, 0],
        [0, 1e200],
      ],
      is: 1,
    },
    {
      operation: 'determinant',
      a: [
        [1e-200, 0],
        [0, 1e-200],
      ],
      is: 0,
    },
    {
      operation: 'inverse',
      a: [
        [1, 2],
        [3, 4],
      ],
      is: [
        [-2, 1],
        [1.5, -0.5],
      ],
    },
    {
      operation: 'inverse',
      a: [
        [0, 2],
        [4, 0],
      ],
      is: [
        [0, 0.25],
        [0.5, 0],
      ],
    },
    {
      operation: 'inverse',
      a: [
        [1e-20, 0],
        [0, 1],
      ],
      is: [
        [1e20, 0],
        [0, 1],
      ],
    },
    {
      operation: 'solve',
      a: [
        [2, 1],
        [1, 3],
      ],
      b: [
        [3, 1],
        [5, 0],
      ],
      is: [
        [0.8, 0.6],
        [1.4, -0.2],
      ],
    },
    { operation: 'solve', a: [[3]], b: [1], is: [1 / 3] },
    {
      operation: 'solve',
      a: [
        [0.1, 0.2],
        [0.3, 0.7],
      ],
      b: [0.5, 1.7],
      is: [1, 2],
    },
  ];
  for (const { operation, a, b, is } of cases) {
    it(`gives ${JSON.stringify(is)} for ${operation} of ${JSON.stringify(a)}${b === undefined ? '' : ` and ${JSON.stringify(b)}`}`, async () => {
      expect(await result(operation, a, b)).to.deep.equal(is);
    });
  }

  const mistakes: readonly { parameters: Readonly<Record<string, unknown>>; path: string; says: string }[] = [
    {
      parameters: {
        operation: 'inverse',
        a: [
          [1, 2],
          [2, 4],
        ],
      },
      path: 'a',
      says: 'received a singular one: its determinant is 0',
    },
    {
      parameters: {
        operation: 'inverse',
        a: [
          [0.1, 0.2],
          [0.3, 0.6],
        ],
      },
      path: 'a',
      says: 'singular',
    },
    {
      parameters: {
        operation: 'solve',
        a: [
          [1, 1],
          [1, 1],
        ],
        b: [1, 2],
      },
      path: 'a',
      says: 'no single solution',
    },
    { parameters: { operation: 'inverse', a: [[0]] }, path: 'a', says: 'singular' },
    {
      parameters: {
        operation: 'inverse',
        a: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      path: 'a',
      says: 'expected a square matrix for inverse, received 2 × 3',
    },
    {
      parameters: { operation: 'eigenvalues', a: [[1], [2]] },
      path: 'a',
      says: 'expected a square matrix for eigenvalues, received 2 × 1',
    },
    {
      parameters: { operation: 'determinant', a: [[1, 2], [3]] },
      path: 'a[1]',
      says: 'expected 2 numbers, as in the first row, received 1 number',
    },
    { parameters: { operation: 'multiply', a: [[1, 2]], b: [[1, 2], [3]] }, path: 'b[1]', says: 'expected 2 numbers' },
    {
      parameters: { operation: 'multiply', a: [[1, 2]], b: [[1], 2] },
      path: 'b[1]',
      says: 'expected a row, as the others are, received a number',
    },
    {
      parameters: { operation: 'multiply', a: [[1, 2]], b: [[1, 2]] },
      path: 'b',
      says: 'expected 2 rows, because a has 2 columns, received 1 row',
    },
    { parameters: { operation: 'solve', a: [[1]], b: [1, 2] }, path: 'b', says: 'expected 1 row, as many as a has, received 2 rows' },
    { parameters: { operation: 'multiply', a: [[1, 2]] }, path: 'b', says: 'is required for multiply' },
    { parameters: { operation: 'solve', a: [[1]] }, path: 'b', says: 'is required for solve' },
    { parameters: { operation: 'transpose', a: [[1]], b: [1] }, path: 'b', says: 'transpose takes a alone. Leave it out' },
  ];
  for (const { parameters, path, says } of mistakes) {
    it(`says what is wrong with ${JSON.stringify(parameters)}`, async () => {
      const error = await rejection(matrix(parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`Parameter "${path}"`).and.include(says);
      expect(error.details.issues).to.have.nested.property('[0].path', path);
    });
  }

  it('refuses a result beyond the range of numbers', async () => {
    for (const parameters of [
      {
        operation: 'determinant',
        a: [
          [1e200, 0],
          [0, 1e200],
        ],
      },
      { operation: 'multiply', a: [[1e200]], b: [[1e200]] },
      { operation: 'inverse', a: [[5e-324]] },
      {
        operation: 'eigenvalues',
        a: [
          [1.7e308, 1.7e308],
          [1.7e308, 1.7e308],
        ],
      },
    ]) {
      expect((await rejection(matrix(parameters), 'EXECUTION_FAILED')).message, parameters.operation).to.include('beyond ±1.8e308');
    }
  });

  it('stops a calculation that takes too long', async () => {
    const a = numbers(64, 64, 5).map((row, index) => row.map((value) => value * 10 ** ((index % 7) * 80 - 240)));
    await stopsAlone(['math'], 'math_matrix', {
      harmless: { operation: 'inverse', a: [[1]] },
      endless: { operation: 'inverse', a: a.map((row) => [...row]) },
      meanwhile: async () => expect(await result('determinant', [[2]])).to.equal(2),
    });
  });

  const refused = [
    { parameters: { a: [[1]] }, says: 'operation is required' },
    { parameters: { operation: 'inverse' }, says: 'a is required' },
    { parameters: { operation: 'rank', a: [[1]] }, says: 'operation expected' },
    { parameters: { operation: 'inverse', a: [] }, says: 'a expected' },
    { parameters: { operation: 'inverse', a: [[]] }, says: 'a[0] expected' },
    { parameters: { operation: 'inverse', a: [1, 2] }, says: 'a[0] expected' },
    { parameters: { operation: 'inverse', a: [['α']] }, says: 'a[0][0] expected' },
    { parameters: { operation: 'multiply', a: [[1]], b: ['1'] }, says: 'b[0] expected' },
    { parameters: { operation: 'inverse', a: new Array(65).fill([1]) }, says: 'a expected' },
    { parameters: { operation: 'transpose', a: [new Array(65).fill(1)] }, says: 'a[0] expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 50)}: ${says}`, async () => {
      expect((await rejection(matrix(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
