import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { calculating } from './calculating.ts';
import { isNear } from './near.ts';

interface Regression {
  readonly slope: number;
  readonly intercept: number;
  readonly r_squared: number | null;
  readonly predictions: readonly number[];
}

type Points = readonly (readonly [number, number])[];

/** In fractions: slope, intercept, r², and the prediction for x = 12.5. */
const line = `
from fractions import Fraction
def line(points):
    xs, ys = [Fraction(x) for x, _ in points], [Fraction(y) for _, y in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    sxx, syy = sum((x - middle_x) ** 2 for x in xs), sum((y - middle_y) ** 2 for y in ys)
    sxy = sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys))
    slope = sxy / sxx
    intercept = middle_y - slope * middle_x
    return [float(value) for value in (slope, intercept, sxy * sxy / (sxx * syy), slope * Fraction(25, 2) + intercept)]
`;

const sets: Readonly<Record<string, Points>> = {
  'a rising trend': [
    [1, 2.1],
    [2, 3.9],
    [3, 6.2],
    [4, 7.8],
    [5, 10.1],
  ],
  'a falling trend': [
    [-2, 5.5],
    [0, 1.25],
    [7, -20],
    [3.5, -8],
  ],
  'two points': [
    [1, 1],
    [3, 2],
  ],
  'points in any order, some twice': [
    [5, 1],
    [1, 4],
    [5, 1],
    [3, 3],
    [1, 5],
  ],
  'times in seconds': [
    [1.7e9, 10.5],
    [1.7e9 + 60, 11],
    [1.7e9 + 120, 12.25],
    [1.7e9 + 180, 12.5],
  ],
};

describe('math_linear_regression', () => {
  const regress = calculating('math_linear_regression');

  for (const [what, points] of Object.entries(sets)) {
    it(`fits the line of exact fractions to ${what}`, async () => {
      const [slope, intercept, fit, prediction] = pythonValue('line(given)', points, line) as [number, number, number, number];
      const given = await regress<Regression>({ points, predict: [12.5] });
      expect(isNear(given.slope, slope), `slope ${given.slope} and ${slope}`).to.equal(true);
      expect(isNear(given.intercept, intercept), `intercept ${given.intercept} and ${intercept}`).to.equal(true);
      expect(given.r_squared).to.be.closeTo(fit, 1e-12);
      expect(isNear(given.predictions[0] ?? Number.NaN, prediction), `${given.predictions[0]} and ${prediction}`).to.equal(true);
    });
  }

  it('predicts as often as it is asked, in that order', async () => {
    const given = await regress<Regression>({
      points: [
        [0, 1],
        [1, 3],
      ],
      predict: [10, -1, 0.5, 10],
    });
    expect(given).to.deep.equal({ slope: 2, intercept: 1, r_squared: 1, predictions: [21, -1, 2, 21] });
    expect(
      (
        await regress<Regression>({
          points: [
            [0, 1],
            [1, 3],
          ],
        })
      ).predictions,
    ).to.deep.equal([]);
  });

  it('has no r² where y does not vary', async () => {
    const given = await regress({
      points: [
        [1, 4],
        [2, 4],
        [3, 4],
      ],
      predict: [9],
    });
    expect(given).to.deep.equal({ slope: 0, intercept: 4, r_squared: null, predictions: [4] });
  });

  it('gives 0 where x explains nothing', async () => {
    expect(
      await regress({
        points: [
          [-1, 1],
          [-1, -1],
          [1, 1],
          [1, -1],
        ],
      }),
    ).to.include({ slope: 0, intercept: 0, r_squared: 0 });
  });

  it('takes 100,000 points', async () => {
    const points = Array.from({ length: 100_000 }, (_, index) => [index, 3 * index - 7]);
    const { slope, intercept } = await regress<Regression>({ points });
    expect(slope).to.be.closeTo(3, 1e-9);
    expect(intercept).to.be.closeTo(-7, 1e-6);
  });

  it('fits a line to numbers whose squares leave the range of numbers', async () => {
    const wide = await regress<Regression>({
      points: [
        [-1e300, 2e-300],
        [0, 4e-300],
        [1e300, 6e-300],
      ],
      predict: [1e300],
    });
    expect(wide).to.include({ slope: 0, intercept: 4e-300, r_squared: 1 });
    const narrow = await regress<Regression>({
      points: [
        [1e-200, 1],
        [2e-200, 2],
      ],
    });
    expect(narrow.slope).to.be.closeTo(1e200, 1e186);
  });

  it('refuses points above one another', async () => {
    const error = await rejection(
      regress({
        points: [
          [2, 1],
          [2, 5],
          [2, 9],
        ],
      }),
      'INVALID_PARAMETERS',
    );
    expect(error.message).to.include('expected points with different x, received only x = 2').and.include('vertical');
    expect(error.details.issues).to.have.nested.property('[0].path', 'points');
  });

  const tooLarge: readonly Readonly<Record<string, unknown>>[] = [
    {
      points: [
        [0, -1.7e308],
        [1, 1.7e308],
      ],
    },
    {
      points: [
        [0, 0],
        [1, 1e300],
      ],
      predict: [1e300],
    },
    {
      points: [
        [0, 1.7e308],
        [1, 1.7e308],
        [2, 1.7e308],
      ],
    },
  ];
  for (const parameters of tooLarge) {
    it(`refuses a line beyond the range of numbers: ${JSON.stringify(parameters)}`, async () => {
      expect((await rejection(regress(parameters), 'EXECUTION_FAILED')).message).to.include('leaves the range');
    });
  }

  const refused = [
    { parameters: {}, says: 'points is required' },
    { parameters: { points: [] }, says: 'points expected' },
    { parameters: { points: [[1, 2]] }, says: 'points expected' },
    { parameters: { points: [[1, 2], [3]] }, says: 'points[1] expected' },
    {
      parameters: {
        points: [
          [1, 2],
          [3, 4, 5],
        ],
      },
      says: 'points[1] expected',
    },
    {
      parameters: {
        points: [
          [1, 2],
          ['drei', 4],
        ],
      },
      says: 'points[1][0] expected',
    },
    {
      parameters: {
        points: [
          { x: 1, y: 2 },
          { x: 2, y: 3 },
        ],
      },
      says: 'points[0] expected',
    },
    {
      parameters: {
        points: [
          [1, 2],
          [3, 4],
        ],
        predict: [null],
      },
      says: 'predict[0] expected',
    },
    { parameters: { points: new Array(100_001).fill([1, 2]) }, says: 'points expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(regress(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
