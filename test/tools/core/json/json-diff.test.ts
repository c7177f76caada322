import { expect } from 'chai';
import { applyPatch, type Operation } from 'rfc6902';
import type { JsonValue } from '../../../../kernel/index.ts';
import { randomNumbers } from '../../../support/random.ts';
import { rejection } from '../../../support/rejection.ts';
import { inRound } from '../../../support/round.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';
import { changedJson, randomJson } from './random-json.ts';

interface Difference {
  readonly patch: readonly { readonly op: string; readonly path: string; readonly value?: JsonValue }[];
  readonly equal: boolean;
}

describe('json_diff', () => {
  const shared = sharedToolkit();

  const diff = (left: unknown, right: unknown): Promise<Difference> =>
    shared.toolkit.execute('json_diff', { left, right }) as unknown as Promise<Difference>;

  async function patched(document: unknown, patch: unknown): Promise<unknown> {
    return ((await shared.toolkit.execute('json_patch', { document, patch })) as { result: unknown }).result;
  }

  const cases: readonly { readonly left: unknown; readonly right: unknown; readonly patch: readonly object[] }[] = [
    { left: {}, right: {}, patch: [] },
    { left: { a: 1, b: [null] }, right: { b: [null], a: 1.0 }, patch: [] },
    { left: null, right: [], patch: [{ op: 'replace', path: '', value: [] }] },
    {
      left: { a: 1 },
      right: { b: 1 },
      patch: [
        { op: 'remove', path: '/a' },
        { op: 'add', path: '/b', value: 1 },
      ],
    },
    { left: { a: { b: 1, c: 2 } }, right: { a: { b: 1, c: 3 } }, patch: [{ op: 'replace', path: '/a/c', value: 3 }] },
    { left: { 'ä/ö~': 1 }, right: { 'ä/ö~': 'Grüße' }, patch: [{ op: 'replace', path: '/ä~1ö~0', value: 'Grüße' }] },
    { left: [1, 2, 3], right: [1, 3], patch: [{ op: 'remove', path: '/1' }] },
    {
      left: [1, 3],
      right: [1, 2, 3, 4],
      patch: [
        { op: 'add', path: '/1', value: 2 },
        { op: 'add', path: '/3', value: 4 },
      ],
    },
    { left: [{ id: 1, n: 'a' }, { id: 2 }], right: [{ id: 1, n: 'b' }, { id: 2 }], patch: [{ op: 'replace', path: '/0/n', value: 'b' }] },
    { left: [1, 2, 3, 4], right: [], patch: Array.from({ length: 4 }, () => ({ op: 'remove', path: '/0' })) },
    { left: { a: [] }, right: { a: {} }, patch: [{ op: 'replace', path: '/a', value: {} }] },
    { left: { toString: 1 }, right: {}, patch: [{ op: 'remove', path: '/toString' }] },
    { left: {}, right: JSON.parse('{"__proto__":{}}'), patch: [{ op: 'add', path: '/__proto__', value: {} }] },
  ];
  for (const { left, right, patch } of cases) {
    it(`finds ${JSON.stringify(patch)} between ${JSON.stringify(left)} and ${JSON.stringify(right)}`, async () => {
      expect(await diff(left, right)).to.deep.equal({ patch, equal: patch.length === 0 });
    });
  }

  it('gives patches with which json_patch makes the right value, for many pairs', async () => {
    const random = randomNumbers(6902);
    for (let pair = 0; pair < inRound({ whole: 400, short: 100 }); pair += 1) {
      const left = randomJson(random, 4);
      const right = pair % 4 === 0 ? randomJson(random, 4) : changedJson(left, random);
      const { patch, equal } = await diff(left, right);
      expect(await patched(left, patch), `pair ${pair}`).to.deep.equal(right);
      expect(equal).to.equal(JSON.stringify(left) === JSON.stringify(right) || patch.length === 0);
    }
  });

  it('gives patches that another library understands in the same way', async () => {
    const random = randomNumbers(42);
    // It takes these names for attacks and passes over them.
    const isHarmless = (value: JsonValue): boolean => !/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value));
    for (let pair = 0; pair < 100; pair += 1) {
      const left = [randomJson(random, 4)];
      const right = changedJson(left, random);
      if (!isHarmless(left) || !isHarmless(right)) continue;
      const document = { root: structuredClone(left) as unknown };
      const { patch } = await diff({ root: left }, { root: right });
      expect(applyPatch(document, patch as Operation[]).filter((error) => error !== null)).to.deep.equal([]);
      expect(document.root).to.deep.equal(right);
    }
  });

  it('finds one change in a list of 20 000, and compares lists that have nothing in common', async () => {
    const list = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Nr. ${id}` }));
    const changed = list.map((item) => (item.id === 15_000 ? { ...item, name: 'neu' } : item)).filter(({ id }) => id !== 7);
    expect((await diff(list, changed)).patch).to.deep.equal([
      { op: 'remove', path: '/7' },
      { op: 'replace', path: '/14999/name', value: 'neu' },
    ]);
    const { patch } = await diff(
      list.map(({ id }) => id),
      list.map(({ name }) => name),
    );
    expect(patch).to.have.length(20_000);
  });

  it('refuses a patch that is larger than its limit', async () => {
    const right = { a: 'x'.repeat(8_400_000) };
    await rejection(diff({}, right), 'OUTPUT_TOO_LARGE');
  });

  it('refuses to compare one value', async () => {
    await rejection(shared.toolkit.execute('json_diff', { left: 1 }), 'INVALID_PARAMETERS');
  });
});
