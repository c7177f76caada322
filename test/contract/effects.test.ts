import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parse } from 'yaml';
import type { Tool } from '../../kernel/index.ts';
import { compileVerification } from '../../plugins/calls-once/answer.ts';
import { hasEffect } from '../../plugins/calls-once/effect.ts';
import type { Verify } from '../../plugins/calls-once/verify.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';

type Row = string | { readonly neither: string };

const groups = parse(readFileSync('test/contract/effects.yaml', 'utf8'), { uniqueKeys: true }) as Record<string, Record<string, Row>>;
const rows = Object.values(groups).flatMap((group) => Object.entries(group));
const table = new Map(rows);

const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
const tools: ReadonlyMap<string, Tool> = toolkit.kernel.registry.tools;
await toolkit.close();
const changing = [...tools.values()].filter(hasEffect);

const verifyOf = ({ definition }: Tool): Verify | undefined => (definition as typeof definition & { readonly verify?: Verify }).verify;

/** Returns every statement of a tool that makes a lost call of it safe. */
function safetyOf(tool: Tool): readonly string[] {
  const { annotations, definition, execution } = tool;
  const method = (execution as typeof execution & { readonly method?: string }).method ?? '';
  const repeatable = ['put', 'delete'].includes(method) ? 'idempotent method' : 'twice is like once';
  return [
    ...(annotations.idempotentHint === true ? [repeatable] : []),
    ...('idempotency' in definition ? ['idempotency header'] : []),
    ...(verifyOf(tool) === undefined ? [] : ['verify']),
  ];
}

describe('the table of effects', () => {
  it('has every shipped tool that may change something once, and no other', () => {
    const inOrder = (names: readonly string[]): readonly string[] => [...names].sort();
    expect(inOrder(rows.map(([name]) => name))).to.deep.equal(inOrder(changing.map(({ name }) => name)));
  });

  it('gives the reason where there is nothing', () => {
    const wrong = rows.filter(([, row]) => typeof row !== 'string' && (Object.keys(row).join() !== 'neither' || !row.neither?.trim()));
    expect(wrong).to.deep.equal([]);
  });

  for (const tool of changing)
    it(`says of ${tool.name} what its definition says`, () => {
      const row = table.get(tool.name);
      expect(safetyOf(tool)).to.deep.equal(typeof row === 'string' ? [row] : []);
    });

  for (const tool of changing) {
    const verify = verifyOf(tool);
    if (verify === undefined) continue;
    it(`verifies ${tool.name} with a tool of the same provider that only reads, and expressions that can be evaluated`, async () => {
      const asked = tools.get(verify.tool);
      expect(asked?.annotations.readOnlyHint).to.equal(true);
      expect(asked?.provider?.name).to.equal(tool.provider?.name);
      await compileVerification(verify);
    });
  }
});
