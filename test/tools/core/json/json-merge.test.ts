import { expect } from 'chai';
import type { JsonValue } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

describe('json_merge', () => {
  const shared = sharedToolkit();

  async function merge(documents: unknown, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    return ((await shared.toolkit.execute('json_merge', { documents, ...more })) as { result: unknown }).result;
  }

  const cases: readonly { readonly documents: readonly unknown[]; readonly more?: object; readonly result: unknown }[] = [
    { documents: [{ a: 1 }], result: { a: 1 } },
    { documents: [{}, {}], result: {} },
    { documents: [{ a: { x: 1, y: 2 }, b: 1 }, { a: { y: 3 } }, { c: null }], result: { a: { x: 1, y: 3 }, b: 1, c: null } },
    { documents: [{ a: { x: 1 } }, { a: { y: 3 } }], more: { strategy: 'shallow' }, result: { a: { y: 3 } } },
    { documents: [{ a: { x: 1 } }, { a: null }], result: { a: null } },
    { documents: [{ a: null }, { a: { x: 1 } }], result: { a: { x: 1 } } },
    { documents: [{ a: 1 }, [1]], result: [1] },
    { documents: [[1], 'Grüße'], result: 'Grüße' },
    { documents: [{ a: [1, 2] }, { a: [2, 3] }], result: { a: [2, 3] } },
    { documents: [{ a: [1, 2] }, { a: [2, 3] }], more: { arrays: 'concat' }, result: { a: [1, 2, 2, 3] } },
    { documents: [{ a: [1, 2, 1] }, { a: [2, 3] }], more: { arrays: 'unique' }, result: { a: [1, 2, 3] } },
    { documents: [[{ a: 1, b: [2] }], [{ b: [2], a: 1 }, { a: 2 }]], more: { arrays: 'unique' }, result: [{ a: 1, b: [2] }, { a: 2 }] },
    {
      documents: [
        ['1', 1],
        [true, 1],
      ],
      more: { arrays: 'unique' },
      result: ['1', 1, true],
    },
    { documents: [{ a: [1] }, { a: [2] }], more: { arrays: 'concat', strategy: 'shallow' }, result: { a: [2] } },
    { documents: [[1], [2]], more: { arrays: 'concat', strategy: 'shallow' }, result: [1, 2] },
  ];
  for (const { documents, more = {}, result } of cases) {
    it(`makes ${JSON.stringify(result)} out of ${JSON.stringify(documents)} with ${JSON.stringify(more)}`, async () => {
      expect(await merge(documents, { ...more })).to.deep.equal(result);
    });
  }

  /** RFC 7396, appendix A. */
  const patches: readonly (readonly [JsonValue, JsonValue, JsonValue])[] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [original, patch, result] of patches) {
    it(`merges what RFC 7396 lists: ${JSON.stringify(patch)} into ${JSON.stringify(original)}`, async () => {
      expect(await merge([original, patch], { strategy: 'merge_patch', arrays: 'concat' })).to.deep.equal(result);
    });
  }

  it('keeps the order in which names first come', async () => {
    expect(
      Object.keys(
        (await merge([
          { b: 1, a: 1 },
          { c: 1, a: 2 },
        ])) as object,
      ),
    ).to.deep.equal(['b', 'a', 'c']);
  });

  for (const strategy of ['deep', 'shallow', 'merge_patch']) {
    it(`takes __proto__ and constructor for names like any other with ${strategy}`, async () => {
      const document = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}') as object;
      const result = (await merge([{ a: 1 }, document], { strategy })) as Record<string, unknown>;
      expect(JSON.stringify(result)).to.equal(`{"a":1,${JSON.stringify(document).slice(1)}`);
    });
  }

  it('refuses a result that is larger than its limit', async () => {
    const document = (name: string): unknown => ({ [name]: 'x'.repeat(3_000_000) });
    const error = await rejection(merge([document('a'), document('b'), document('c')]), 'OUTPUT_TOO_LARGE');
    expect(error.details).to.include({ maxCharacters: 8_388_608 });
  });

  for (const documents of [[], 'text', undefined]) {
    it(`refuses ${JSON.stringify(documents)} as documents`, async () => {
      await rejection(merge(documents), 'INVALID_PARAMETERS');
    });
  }
});
