import { expect } from 'chai';
import { type Eigenvalue, eigenvalues } from '../../../../tools/core/math/eigenvalues.ts';
import { pythonValue } from '../../../support/python.ts';

type Rows = readonly (readonly number[])[];

const third = Math.sqrt(0.75);

const known: readonly { what: string; matrix: Rows; values: readonly Eigenvalue[] }[] = [
  { what: 'one number', matrix: [[5]], values: [5] },
  {
    what: 'zeros',
    matrix: [
      [0, 0],
      [0, 0],
    ],
    values: [0, 0],
  },
  {
    what: 'a diagonal',
    matrix: [
      [3, 0, 0],
      [0, -1, 0],
      [0, 0, 1e-20],
    ],
    values: [-1, 1e-20, 3],
  },
  {
    what: 'a triangle',
    matrix: [
      [2, 1, 0],
      [0, 2, 1],
      [0, 0, 2],
    ],
    values: [2, 2, 2],
  },
  {
    what: 'a nilpotent one',
    matrix: [
      [0, 1],
      [0, 0],
    ],
    values: [0, 0],
  },
  {
    what: 'a symmetric one',
    matrix: [
      [2, 1],
      [1, 2],
    ],
    values: [1, 3],
  },
  {
    what: 'a rotation',
    matrix: [
      [0, -1],
      [1, 0],
    ],
    values: [
      { re: 0, im: -1 },
      { re: 0, im: 1 },
    ],
  },
  {
    what: 'a spiral',
    matrix: [
      [1, -2],
      [2, 1],
    ],
    values: [
      { re: 1, im: -2 },
      { re: 1, im: 2 },
    ],
  },
  {
    what: 'a permutation of three',
    matrix: [
      [0, 0, 1],
      [1, 0, 0],
      [0, 1, 0],
    ],
    values: [{ re: -0.5, im: -third }, { re: -0.5, im: third }, 1],
  },
  {
    what: 'a permutation of four',
    matrix: [
      [0, 1, 0, 0],
      [0, 0, 1, 0],
      [0, 0, 0, 1],
      [1, 0, 0, 0],
    ],
    values: [-1, { re: 0, im: -1 }, { re: 0, im: 1 }, 1],
  },
  {
    what: 'numbers of very different size',
    matrix: [
      [1e10, 1],
      [1, 1e-10],
    ],
    values: [0, 1e10],
  },
  {
    what: 'very large numbers',
    matrix: [
      [1e300, 0],
      [1, 2e300],
    ],
    values: [1e300, 2e300],
  },
  {
    what: 'very small numbers',
    matrix: [
      [1e-320, 0],
      [0, 3e-320],
    ],
    values: [1e-320, 3e-320],
  },
];

function parts(value: Eigenvalue): [number, number] {
  return typeof value === 'number' ? [value, 0] : [value.re, value.im];
}

/** Faddeev and LeVerrier, in fractions: the coefficients from the highest power down. */
const characteristic = `
from fractions import Fraction
def characteristic(a):
    size = range(len(a))
    coefficients, m = [Fraction(1)], [[Fraction(0)] * len(a) for _ in size]
    for k in range(1, len(a) + 1):
        m = [[sum(a[i][j] * m[j][l] for j in size) + (coefficients[-1] if i == l else 0) for l in size] for i in size]
        coefficients.append(-sum(a[i][j] * m[j][i] for i in size for j in size) / Fraction(k))
    return [float(coefficient) for coefficient in coefficients]
`;

/** The coefficients of the polynomial with these zeros, from the highest power down. */
function polynomialOf(zeros: readonly Eigenvalue[]): [re: number, im: number][] {
  let made: [number, number][] = [[1, 0]];
  for (const [re, im] of zeros.map(parts)) {
    const raised: [number, number][] = [...made, [0, 0]];
    made = raised.map(([a, b], place) => {
      const [c, d] = made[place - 1] ?? [0, 0];
      return [a - (c * re - d * im), b - (c * im + d * re)];
    });
  }
  return made;
}

describe('eigenvalues', () => {
  for (const { what, matrix, values } of known) {
    it(`are those of ${what}`, () => {
      const found = eigenvalues(matrix);
      expect(found.map((value) => typeof value)).to.deep.equal(values.map((value) => typeof value));
      for (const [index, value] of found.entries()) {
        const [[re, im], [expectedRe, expectedIm]] = [parts(value), parts(values[index] ?? Number.NaN)];
        const size = Math.hypot(expectedRe, expectedIm) || 1e10;
        expect(Math.hypot(re - expectedRe, im - expectedIm) / size).to.be.below(1e-13);
      }
    });
  }

  it('are the zeros of the characteristic polynomial that Python calculates in fractions', () => {
    let state = 7;
    const next = (): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * 21) - 10;
    };
    const sizes = Array.from({ length: 60 }, (_, index) => (index % 10) + 2);
    const matrices = sizes.map((size) => Array.from({ length: size }, () => Array.from({ length: size }, next)));
    const polynomials = pythonValue('[characteristic(a) for a in given]', matrices, characteristic) as number[][];
    for (const [index, polynomial] of polynomials.entries()) {
      const found = eigenvalues(matrices[index] ?? []);
      const product = polynomialOf(found);
      const norm = Math.max(...found.map((value) => Math.hypot(...parts(value))));
      for (const [place, coefficient] of polynomial.entries()) {
        const [re, im] = product[place] ?? [Number.NaN, Number.NaN];
        expect(Math.hypot(re - coefficient, im) / (2 * norm) ** place, `matrix ${index}, coefficient ${place}`).to.be.below(1e-12);
      }
    }
  });

  it('of a large matrix come in pairs and add up to its trace', () => {
    const matrix = Array.from({ length: 64 }, (_, row) =>
      Array.from({ length: 64 }, (_unused, column) => ((row * 37 + column * 101 + row * column * 13) % 41) - 20),
    );
    const found = eigenvalues(matrix).map(parts);
    expect(found).to.have.length(64);
    expect(found.reduce((sum, [re]) => sum + re, 0)).to.be.closeTo(
      matrix.reduce((sum, row, index) => sum + (row[index] ?? 0), 0),
      1e-9,
    );
    expect(found.reduce((sum, [, im]) => sum + im, 0)).to.be.closeTo(0, 1e-9);
  });

  it('of a symmetric matrix are real, also where some are the same but for rounding', () => {
    // Of rank 2.
    const matrix = [
      [2.1, -0.29999999999999993, -0.9, -1.8],
      [-0.29999999999999993, 0.4, -0.30000000000000004, 0.39999999999999997],
      [-0.9, -0.30000000000000004, 0.9, 0.6000000000000001],
      [-1.8, 0.39999999999999997, 0.6000000000000001, 1.6],
    ];
    const found = eigenvalues(matrix);
    for (const [index, value] of [0, 0, 0.928376635, 4.071623365].entries())
      expect(found[index]).to.be.a('number').and.closeTo(value, 1e-8);
  });

  const skewSymmetric: readonly { matrix: Rows; re: number; im: readonly number[] }[] = [
    {
      matrix: [
        [0, 1, 2],
        [-1, 0, 3],
        [-2, -3, 0],
      ],
      re: 0,
      im: [-Math.sqrt(14), 0, Math.sqrt(14)],
    },
    {
      matrix: [
        [-2, 0, -1, 0, 0],
        [0, -2, 0, -1, 0],
        [1, 0, -2, 0, -1],
        [0, 1, 0, -2, 0],
        [0, 0, 1, 0, -2],
      ],
      re: -2,
      im: [-Math.SQRT2, -1, 0, 1, Math.SQRT2],
    },
  ];
  for (const { matrix, re, im } of skewSymmetric)
    it(`of a matrix that is skew-symmetric off its diagonal lie on a line, for ${matrix.length} rows`, () => {
      const found = eigenvalues(matrix)
        .map(parts)
        .sort(([, one], [, other]) => one - other);
      for (const [index, [foundRe, foundIm]] of found.entries())
        expect(Math.hypot(foundRe - re, foundIm - (im[index] ?? Number.NaN))).to.be.below(1e-13);
    });

  for (const factor of [1e-200, 1e200]) {
    it(`of a matrix ${factor} times as large are ${factor} times as large`, () => {
      const matrix = [
        [1, 2, 3],
        [-4, 5, 6],
        [7, -8, 9],
      ];
      const large = eigenvalues(matrix.map((row) => row.map((value) => value * factor)));
      for (const [index, value] of eigenvalues(matrix).entries()) {
        const [[re, im], [largeRe, largeIm]] = [parts(value), parts(large[index] ?? Number.NaN)];
        expect(Math.hypot(largeRe / factor - re, largeIm / factor - im)).to.be.below(1e-12);
      }
    });
  }
});
