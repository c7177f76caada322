import { expect } from 'chai';
import type { Gauge, Kernel } from '../../kernel/index.ts';

/** Returns the gauge of that name, and fails without one. */
export function gaugeOf({ gauges }: Pick<Kernel, 'gauges'>, name: string): Gauge {
  return gauges.find((gauge) => gauge.name === name) ?? expect.fail(`no gauge "${name}"`);
}

/** Returns the rows of a gauge, by the values of their labels in the order of `labels`: `{ 'get ok': 2 }`. Rows of 0 are left out. */
export async function rowsOf(kernel: Pick<Kernel, 'gauges'>, name: string): Promise<Readonly<Record<string, number>>> {
  const { labels = [], read } = gaugeOf(kernel, name);
  const rows = await read();
  if (!Array.isArray(rows)) return expect.fail(`the gauge "${name}" has no rows`);
  for (const row of rows) expect(Object.keys(row.labels)).to.have.members([...labels]);
  const texts = rows
    .filter(({ value }) => value !== 0)
    .map((row) => [labels.map((label) => row.labels[label]).join(' '), row.value] as const);
  expect(new Set(texts.map(([text]) => text)).size).to.equal(texts.length);
  return Object.fromEntries(texts);
}
