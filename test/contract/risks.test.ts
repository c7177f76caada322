import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

interface Row {
  readonly risk: string;
  /** Value of `requires_approval`; absent for a tool without approval. */
  readonly gate?: unknown;
  readonly reason: string;
}

const groups = parse(readFileSync('test/contract/risks.yaml', 'utf8'), { uniqueKeys: true }) as Record<string, Record<string, Row>>;
const rows = Object.values(groups).flatMap((group) => Object.entries(group));
const table = new Map(rows);

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools = toolkit.listTools();
await toolkit.close();

describe('the table of risks', () => {
  it('has every shipped tool once, and no other', () => {
    const inOrder = (names: readonly string[]): readonly string[] => [...names].sort();
    expect(inOrder(rows.map(([name]) => name))).to.deep.equal(inOrder(tools.map(({ name }) => name)));
  });

  it('gives one reason for each', () => {
    expect(rows.filter(([, { reason }]) => typeof reason !== 'string' || reason.trim() === '').map(([name]) => name)).to.deep.equal([]);
  });

  it('gates nothing that only reads', () => {
    expect(rows.filter(([, { risk, gate }]) => risk === 'low' && gate !== undefined).map(([name]) => name)).to.deep.equal([]);
  });

  for (const { name, definition } of tools)
    it(`says of ${name} what its definition says`, () => {
      const { risk, gate = false } = table.get(name) ?? {};
      const { risk: declared, requires_approval: gated, activates } = definition as typeof definition & { activates?: unknown };
      expect({ risk: declared, gate: gated ?? (activates === undefined ? false : 'activation') }).to.deep.equal({ risk, gate });
    });
});
