import { expect } from 'chai';
import type { ParameterChange } from '../../../../kernel/index.ts';
import { parameterChanges } from '../../../../plugins/approvals/details/parameter-changes.ts';

type Parameters = Readonly<Record<string, unknown>>;

describe('the changes between the parameters of two calls', () => {
  const cases: readonly { readonly what: string; from: Parameters; to: Parameters; changes: readonly ParameterChange[] }[] = [
    {
      what: 'are none for equal ones, with members in another order',
      from: { a: 1, b: { c: [1], d: 2 } },
      to: { b: { d: 2, c: [1] }, a: 1 },
      changes: [],
    },
    { what: 'name a changed value', from: { to: 'ann' }, to: { to: 'bob' }, changes: [{ path: 'to', from: 'ann', to: 'bob' }] },
    {
      what: 'name a member of an item',
      from: { items: [{ name: 'a', n: 1 }] },
      to: { items: [{ name: 'b', n: 1 }] },
      changes: [{ path: 'items[0].name', from: 'a', to: 'b' }],
    },
    { what: 'have no "from" for an added one', from: {}, to: { cc: 'eve' }, changes: [{ path: 'cc', to: 'eve' }] },
    { what: 'have no "to" for a removed one', from: { cc: 'eve' }, to: {}, changes: [{ path: 'cc', from: 'eve' }] },
    { what: 'name added items', from: { to: ['a'] }, to: { to: ['a', 'b'] }, changes: [{ path: 'to[1]', to: 'b' }] },
    {
      what: 'are one for a value of another kind',
      from: { x: { a: 1 } },
      to: { x: [1] },
      changes: [{ path: 'x', from: { a: 1 }, to: [1] }],
    },
    { what: 'tell null from an absent member', from: { x: null }, to: {}, changes: [{ path: 'x', from: null }] },
    { what: 'tell a number from its text', from: { x: 1 }, to: { x: '1' }, changes: [{ path: 'x', from: 1, to: '1' }] },
    {
      what: 'quote a name that looks like a path',
      from: { 'a.b': 1, a: { b: 1 }, '': 1 },
      to: { 'a.b': 2, a: { b: 1 }, '': 2 },
      changes: [
        { path: '["a.b"]', from: 1, to: 2 },
        { path: '[""]', from: 1, to: 2 },
      ],
    },
    // Own text: JSON is the only way to write such a member.
    {
      what: 'see a member named __proto__',
      from: JSON.parse('{"__proto__": 1}') as Parameters,
      to: {},
      changes: [{ path: '__proto__', from: 1 }],
    },
    { what: 'take no inherited member for one of the call', from: {}, to: { toString: 'x' }, changes: [{ path: 'toString', to: 'x' }] },
  ];
  for (const { what, from, to, changes } of cases)
    it(what, () => {
      expect(parameterChanges(from, to)).to.deep.equal(changes);
    });

  it('are at most fifty, and the last entry says how many more there are', () => {
    const many = (value: number): Parameters => ({ items: Array.from({ length: 53 }, () => value) });
    const changes = parameterChanges(many(1), many(2));
    expect(changes).to.have.length(51);
    expect(changes.slice(49)).to.deep.equal([{ path: 'items[49]', from: 1, to: 2 }, { path: '(3 more changes)' }]);
  });

  it('are found in parameters that are nested very deeply', () => {
    const deep = (value: number): Parameters => {
      let nested: Parameters = { value };
      for (let depth = 0; depth < 1000; depth++) nested = { nested };
      return nested;
    };
    expect(parameterChanges(deep(1), deep(1))).to.deep.equal([]);
    expect(parameterChanges(deep(1), deep(2))).to.have.length(1);
  });
});
