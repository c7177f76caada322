import { expect } from 'chai';
import { pythonValue } from '../../../support/python.ts';
import { rejection } from '../../../support/rejection.ts';
import { calculating } from './calculating.ts';
import { isNear } from './near.ts';

interface Statistics {
  readonly count: number;
  readonly mode: readonly number[];
  readonly percentiles: Readonly<Record<string, number | null>>;
  readonly [figure: string]: unknown;
}

const lists: Readonly<Record<string, readonly number[]>> = {
  'whole numbers': [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5],
  'decimal numbers': [0.1, 0.2, 0.3, -0.7, 12.25, 1e-3],
  'negative numbers': [-5, -1, -3, -3],
  'two numbers': [1, 2],
  'equal numbers': [0.1, 0.1, 0.1],
  'large numbers with small differences': [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16],
  'numbers of very different size': [1e16, 1, -1e16, 1e-16, 3],
};

const figures = {
  sum: 'math.fsum(given)',
  mean: 'statistics.mean(given)',
  median: 'statistics.median(given)',
  variance: 'statistics.variance(given)',
  stddev: 'statistics.stdev(given)',
  population_variance: 'statistics.pvariance(given)',
  population_stddev: 'statistics.pstdev(given)',
  min: 'min(given)',
  max: 'max(given)',
};

describe('math_statistics', () => {
  const statistics = calculating('math_statistics');

  for (const [what, values] of Object.entries(lists)) {
    it(`gives the figures of Python for ${what}`, async () => {
      const expected = pythonValue(`[${Object.values(figures).join(', ')}]`, values, 'import math, statistics') as number[];
      const given = await statistics<Statistics>({ values });
      for (const [index, name] of Object.keys(figures).entries())
        expect(isNear(given[name] as number, expected[index] as number), `${name}: ${given[name]} and ${expected[index]}`).to.equal(true);
      expect(given.count).to.equal(values.length);
    });

    it(`gives the percentiles of Python for ${what}`, async () => {
      const percentiles = Array.from({ length: 99 }, (_, index) => index + 1);
      const expected = pythonValue('statistics.quantiles(given, n=100, method="inclusive")', values, 'import statistics') as number[];
      const given = Object.values((await statistics<Statistics>({ values, percentiles })).percentiles) as number[];
      expect(given).to.have.length(99);
      for (const [index, value] of given.entries())
        expect(isNear(value, expected[index] as number), `${value} and ${expected[index]}`).to.equal(true);
    });
  }

  it('gives the percentiles 50, 90, 95 and 99 unless it is told others', async () => {
    const values = Array.from({ length: 101 }, (_, index) => index);
    expect((await statistics<Statistics>({ values })).percentiles).to.deep.equal({ '50': 50, '90': 90, '95': 95, '99': 99 });
    const others = await statistics<Statistics>({ values, percentiles: [0, 99.9, 100] });
    expect(others.percentiles).to.deep.equal({ '0': 0, '99.9': 99.9, '100': 100 });
    expect((await statistics<Statistics>({ values, percentiles: [] })).percentiles).to.deep.equal({});
  });

  const modes: readonly { values: readonly number[]; mode: readonly number[] }[] = [
    { values: [3, 1, 3], mode: [3] },
    { values: [2, 1, 2, 1, 3], mode: [1, 2] },
    { values: [10, 9, 10, 9], mode: [9, 10] },
    { values: [3, 1, 2], mode: [] },
    { values: [7], mode: [] },
  ];
  for (const { values, mode } of modes) {
    it(`gives [${mode}] as mode of [${values}]`, async () => {
      expect((await statistics<Statistics>({ values })).mode).to.deep.equal(mode);
    });
  }

  it('has no variance of a sample of one', async () => {
    const given = await statistics<Statistics>({ values: [5] });
    expect(given).to.include({ count: 1, sum: 5, mean: 5, median: 5, variance: null, stddev: null, min: 5, max: 5 });
    expect(given).to.include({ population_variance: 0, population_stddev: 0 });
  });

  it('gives null for a figure beyond the range of numbers, and the others still', async () => {
    const given = await statistics<Statistics>({ values: [1.7e308, 1.7e308, -1], percentiles: [0, 100] });
    expect(given).to.include({ sum: null, mean: null, variance: null, population_stddev: null, min: -1, max: 1.7e308 });
    expect(given).to.deep.include({ median: 1.7e308, mode: [1.7e308], percentiles: { '0': -1, '100': 1.7e308 } });
  });

  it('takes 100,000 numbers', async () => {
    const values = Array.from({ length: 100_000 }, (_, index) => index + 1);
    expect(await statistics<Statistics>({ values })).to.include({ count: 100_000, sum: 5_000_050_000, mean: 50_000.5, max: 100_000 });
  });

  const refused: readonly { parameters: Readonly<Record<string, unknown>>; says: string }[] = [
    { parameters: {}, says: 'values is required' },
    { parameters: { values: [] }, says: 'values expected' },
    { parameters: { values: [1, '2'] }, says: 'values[1] expected' },
    { parameters: { values: [1, null] }, says: 'values[1] expected' },
    { parameters: { values: ['zwölf'] }, says: 'values[0] expected' },
    { parameters: { values: new Array(100_001).fill(1) }, says: 'values expected' },
    { parameters: { values: [1], percentiles: [101] }, says: 'percentiles[0] expected' },
    { parameters: { values: [1], percentiles: [-1] }, says: 'percentiles[0] expected' },
    { parameters: { values: [1], percentiles: new Array(101).fill(1) }, says: 'percentiles expected' },
  ];
  for (const { parameters, says } of refused) {
    it(`refuses ${JSON.stringify(parameters).slice(0, 40)}: ${says}`, async () => {
      expect((await rejection(statistics(parameters), 'INVALID_PARAMETERS')).message).to.include(says);
    });
  }
});
