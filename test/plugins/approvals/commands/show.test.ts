import { expect } from 'chai';
import { noTerminal } from '../../../support/invocation.ts';
import { rejection } from '../../../support/rejection.ts';
import { MemoryInbox, record } from './memory-inbox.ts';
import { runCommand } from './run-command.ts';

const full = record('a-1', {
  tenant: 'acme',
  count: 3,
  approvers: 2,
  isKept: false,
  once: 'order-7',
  decisions: [{ approve: true, by: { way: 'webhook', name: 'ann' }, at: Date.UTC(2026, 0, 31, 13), reason: 'fine' }],
  reasons: [
    { kind: 'gate', message: 'it needs approval' },
    {
      kind: 'activation',
      message: 'it makes callable: new tool "x"',
      shown: { makesCallable: [{ kind: 'tool', change: 'new', name: 'x', text: 'name: x\nrisk: low\n' }] },
    },
  ],
  shown: {
    description: 'Orders an item.',
    provider: 'shop',
    parameters: { item: 'anvil', note: 'one\ntwo', lines: [{ sku: 1 }] },
    identity: {
      destination: { shown: 'POST https://shop.example/orders' },
      program: { shown: '/usr/bin/order', args: ['--item', 'an anvil'] },
      content: { shown: 'commit 5f0c' },
      files: { 'notes/a.txt': { shown: 'a file of 12 bytes' } },
    },
  },
  replaces: { id: 'a-0', changed: ['its content'] },
  preview: { tool: 'shop_find', output: { stock: 4 } },
  sinceLast: {
    id: 'a-9',
    at: Date.UTC(2026, 0, 30),
    changes: [
      { path: 'lines[0].sku', from: 2, to: 1 },
      { path: 'note', to: 'one\ntwo' },
    ],
  },
  always: 'allow:\n  - tool: shop_order\n',
});

async function page(details = full, columns?: number): Promise<string> {
  const terminal = columns === undefined ? noTerminal : { ...noTerminal, columns };
  return (await runCommand(new MemoryInbox(details).plugin, 'show', ['a-1'], {}, terminal)).stdout;
}

describe('toolkit approvals show', () => {
  it('shows everything that an approver needs', async () => {
    const text = await page();
    const facts: readonly (readonly [string, string])[] = [
      ['Id', 'a-1'],
      ['Status', 'waiting'],
      ['Tool', 'shop_order'],
      ['Provider', 'shop'],
      ['Risk', 'high'],
      ['Caller', 'ada (tenant acme)'],
      ['Reason', 'it needs approval (gate)'],
      ['Destination', 'POST https://shop.example/orders'],
      ['Program', "/usr/bin/order --item 'an anvil'"],
      ['Content', 'commit 5f0c'],
      ['File', '"notes/a.txt": a file of 12 bytes'],
      ['Asked', '2026-01-31 12:00:00 UTC, by 3 equal calls'],
      ['Expires', '2026-02-01 12:00:00 UTC; no answer until then is a no'],
      ['Approvals', '1 of 2 different names, none of them the caller'],
      ['Approved', 'by ann (webhook), 2026-01-31 13:00:00 UTC: fine'],
      ['Kept', 'no: it has credentials of its own, and runs only while its client waits'],
      ['Replaces', 'a-0: since then its content changed'],
      ['Effect', 'once: order-7'],
      ['Digest', 'd'.repeat(64)],
    ];
    const lines = text.split('\n');
    for (const [word, value] of facts)
      expect(
        lines.some((line) => line.startsWith(`${word} `) && line.endsWith(value)),
        `${word}: ${value}\n${text}`,
      ).to.equal(true);
    expect(text).to.include('\nArguments\n  "item": "anvil"\n  "note": a text of 2 lines\n    | one\n    | two\n  "lines": [\n');
    expect(text).to.include('\nMakes callable\n  kind: "tool", change: "new", name: "x"\n    | name: x\n    | risk: low\n');
    expect(text).to.include('\nBefore the call, by shop_find\n  {\n    "stock": 4\n  }\n');
    expect(text).to.include(
      '\nChanges since the last approved call, a-9 of 2026-01-30 00:00:00 UTC\n  lines[0].sku\n    - 2\n    + 1\n  note\n',
    );
    expect(text).to.include('\nA rule for always: with it, equal calls run without asking\n  allow:\n    - tool: shop_order\n');
  });

  it('gives all of it as JSON', async () => {
    const { stdout } = await runCommand(new MemoryInbox(full).plugin, 'show', ['a-1'], { json: true });
    // No number: of the test.
    const json = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    expect(json).to.deep.include({
      id: 'a-1',
      created_at: '2026-01-31T12:00:00.000Z',
      ended_at: null,
      is_kept: false,
      parameters: full.shown.parameters,
      identity: full.shown.identity,
      decisions: [{ approve: true, by: { way: 'webhook', name: 'ann' }, at: '2026-01-31T13:00:00.000Z', reason: 'fine' }],
      replaces: full.replaces,
      runs_as: null,
      preview: full.preview,
      since_last: { ...full.sinceLast, at: '2026-01-30T00:00:00.000Z' },
      always: full.always,
    });
  });

  it('says that there is no earlier call, and why there is no preview', async () => {
    const text = await page(record('a-1', { preview: { tool: 'shop_find', failure: 'it timed out' } }));
    expect(text).to.match(/^Before +no approved call of this tool by this caller is known$/m);
    expect(text).to.include('There is none: it timed out');
  });

  it('cuts nothing of long arguments, at any width', async () => {
    const long = `${'word  '.repeat(2000)}end`;
    for (const columns of [undefined, 40, 120]) {
      const text = await page(record('a-1', { shown: { ...full.shown, parameters: { long } } }), columns);
      const lines = text.slice(text.indexOf('\nArguments\n') + 11).split('\n\n')[0] ?? '';
      const joined = lines
        .split('\n')
        .map((line) => line.slice(2))
        .join('');
      expect(joined).to.equal(`"long": "${long}"`);
      if (columns !== undefined) expect(Math.max(...lines.split('\n').map(({ length }) => length))).to.be.at.most(columns);
    }
  });

  it('lets no argument look like a line of the program', async () => {
    const forged = `x${' '.repeat(38)}Digest ${'f'.repeat(64)}\nRisk low\n\u001b[1A\u202e\r`;
    const shown = {
      ...full.shown,
      parameters: { forged, other: `y${' '.repeat(60)}Risk low` },
      identity: { destination: { shown: forged } },
    };
    const text = await page(record('a-1', { shown }), 40);
    const lines = text.split('\n');
    expect(lines.filter((line) => line.startsWith('Digest'))).to.have.length(1);
    expect(lines.filter((line) => line.startsWith('Risk'))).to.deep.equal(['Risk         high']);
    for (const hidden of ['\u001b', '\u202e', '\r']) expect(text).to.not.include(hidden);
  });

  it('refuses an id that there is not', async () => {
    await rejection(runCommand(new MemoryInbox().plugin, 'show', ['x-1']), 'NOT_FOUND');
  });
});
