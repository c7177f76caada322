import { expect } from 'chai';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { rejection } from '../../support/rejection.ts';
import { type PolicyOptions, policed } from './policed.ts';

interface Case {
  readonly when: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const keeper = definePlugin({ name: 'keeper', apiVersion, apply: (kernel) => kernel.maskAlso('DOOR', 'hunter2-hunter2') });

async function denies({ when, params = {} }: Case): Promise<boolean> {
  const { effectOf } = await policed({ rules: [{ when, effect: 'deny' }] });
  return (await effectOf({ tool: 'pay', parameters: params, caller: 'desk-4', origin: 'model' })) === 'deny';
}

describe('a condition that is true', () => {
  const cases: readonly Case[] = [
    { when: 'true' },
    { when: 'params.amount > 100', params: { amount: 100.5 } },
    { when: 'params.amount > 100 && params.currency == "EUR"', params: { amount: 101, currency: 'EUR' } },
    { when: 'params.amount == 100', params: { amount: 100 } },
    { when: 'params.amount in [1, 100]', params: { amount: 100 } },
    { when: 'params.amount < 0', params: { amount: -1 } },
    { when: 'params.amount * 1.5 > 3.0', params: { amount: 4 } },
    { when: 'params.note == "it\'s \\"quoted\\""', params: { note: 'it\'s "quoted"' } },
    { when: "params.note == 'it\\'s'", params: { note: "it's" } },
    { when: 'params.note == r"C:\\new"', params: { note: 'C:\\new' } },
    { when: 'params.note.contains("\\n")', params: { note: 'two\nlines' } },
    { when: 'params.note.endsWith("ü€")', params: { note: 'grün ü€' } },
    { when: 'params.note.matches("^[a-z]+$")', params: { note: 'abc' } },
    { when: 'params.note.lowerAscii() == "abc"', params: { note: 'aBC' } },
    { when: 'size(params.note) > 2', params: { note: 'abc' } },
    { when: 'has(params.note)', params: { note: '' } },
    { when: '!has(params.note)' },
    { when: '!has(params.note) || params.note == ""' },
    { when: 'has(params.note) && params.note == null', params: { note: null } },
    { when: '"note" in params', params: { note: 1 } },
    { when: 'params.meta["a b"].c == 1', params: { meta: { 'a b': { c: 1 } } } },
    { when: 'params.meta.keys.exists(k, k == "x")', params: { meta: { keys: ['x'] } } },
    { when: 'params.meta == {"a": [1, 2]}', params: { meta: { a: [1, 2] } } },
    { when: 'size(params.to) > 1', params: { to: ['a', 'b'] } },
    { when: 'params.to[0] == "a"', params: { to: ['a'] } },
    { when: 'params.to.exists(t, !t.endsWith("@example.com"))', params: { to: ['a@example.com', 'b@example.net'] } },
    { when: 'params.to.all(t, t > 1)', params: { to: [2, 3] } },
    { when: '"b" in params.to', params: { to: ['a', 'b'] } },
    { when: 'params.meta.exists(key, key == "a")', params: { meta: { a: 1 } } },
    { when: 'timestamp(params.at) > timestamp("2030-01-01T00:00:00Z")', params: { at: '2031-01-01T00:00:00Z' } },
    { when: 'timestamp(params.at) - timestamp("2030-01-01T00:00:00Z") > duration("24h")', params: { at: '2031-01-01T00:00:00Z' } },
    { when: 'timestamp(params.at).getHours() >= 22', params: { at: '2031-01-01T22:30:00Z' } },
    { when: 'params.flag', params: { flag: true } },
    { when: 'params.flag ? true : params.none', params: { flag: true } },
    { when: 'tool == "pay" && provider == "bank" && risk == "high"' },
    { when: 'caller == "desk-4" && origin == "model"' },
    { when: '"money" in tags' },
    { when: 'method == "" && host == ""' },
  ];
  for (const given of cases) {
    it(`matches: ${given.when}`, async () => {
      expect(await denies(given)).to.equal(true);
    });
  }
});

describe('a condition about an integer beyond 2^53', () => {
  const id = '7960607143101464577';
  const cases: readonly (Case & { readonly matches: boolean })[] = [
    { when: `params.id == ${id}`, params: { id }, matches: true },
    { when: `params.id in [1, ${id}]`, params: { id }, matches: true },
    { when: `params.id == ${id}`, params: { id: '7960607143101464576' }, matches: false },
    { when: 'params.id > 1000', params: { id }, matches: true },
    { when: 'params.id > 1000', params: { id: `-${id}` }, matches: false },
    { when: `${id} in params.ids.ids`, params: { ids: { ids: [1, id] } }, matches: true },
    { when: `params.note == "${id}"`, params: { note: id }, matches: true },
  ];
  for (const { when, params = {}, matches } of cases) {
    it(`${matches ? 'matches' : 'does not match'}: ${when} of ${JSON.stringify(params)}`, async () => {
      const { effectOf } = await policed({ rules: [{ when, effect: 'deny' }] });
      expect(await effectOf({ tool: 'transfer', parameters: { note: '', id: 1, ...params }, origin: 'model' })).to.equal(
        matches ? 'deny' : 'allow',
      );
    });
  }
});

describe('a condition that is false', () => {
  const cases: readonly Case[] = [
    { when: 'false' },
    { when: 'params.amount > 100', params: { amount: 100 } },
    { when: 'params.amount == "100"', params: { amount: 100 } },
    { when: 'has(params.note) && params.note == "x"' },
    { when: 'params.to.all(t, t == "a")', params: { to: ['a', 'b'] } },
    { when: 'params.to.exists(t, t == "c")', params: { to: [] } },
    { when: 'params.note.matches("^[a-z]+$")', params: { note: 'a1' } },
    { when: '"shop" == provider' },
  ];
  for (const given of cases) {
    it(`does not match: ${given.when}`, async () => {
      expect(await denies(given)).to.equal(false);
    });
  }
});

describe('a condition that cannot be evaluated', () => {
  const hugeList = Array.from({ length: 20_000 }, () => 'a');
  const cases: readonly (Case & { readonly says: string })[] = [
    { when: 'params.none > 1', says: 'No such key: none' },
    { when: 'params.meta.inner.x == 1', params: { meta: {} }, says: 'No such key: inner' },
    { when: 'params.amount > 1', params: { amount: 'many' }, says: 'no such overload' },
    { when: 'params.amount + 1 > 1', params: { amount: 1 }, says: 'no such overload' },
    { when: 'params.to[3] == "a"', params: { to: [] }, says: 'index out of bounds' },
    { when: 'params.flag', params: { flag: 'yes' }, says: 'gave a string: expected true or false' },
    { when: 'params.flag', params: { flag: 1 }, says: 'gave a number: expected true or false' },
    { when: 'timestamp(params.at) > timestamp("2030-01-01T00:00:00Z")', params: { at: 'soon' }, says: 'timestamp()' },
    { when: 'params.note.matches(params.currency)', params: { note: 'a', currency: '(' }, says: 'Invalid regular expression' },
    { when: 'params.meta.amount > 100', params: { meta: JSON.parse('{"constructor": "Map", "amount": 1}') }, says: 'Unsupported type' },
    { when: 'params.note.matches("^(a+)+$")', params: { note: `${'a'.repeat(60)}!` }, says: 'took longer than 250 ms' },
    { when: 'params.to.all(x, params.to.all(y, x == y))', params: { to: hugeList }, says: 'took longer than 250 ms' },
    { when: 'params.to.map(x, params.to.map(y, x + y)).size() == 1', params: { to: hugeList }, says: 'took longer than 250 ms' },
  ];
  for (const { when, params = {}, says } of cases) {
    const call = { tool: 'pay', parameters: params };

    it(`holds the call where it denies or asks: ${when}`, async () => {
      for (const effect of ['deny', 'ask'] as const) {
        const { effectOf, logger } = await policed({ rules: [{ name: 'limit', when, effect }] });
        expect(await effectOf(call)).to.equal(effect);
        const warnings = logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
        expect(warnings).to.have.length(1);
        expect(warnings[0]).to.include('The condition of rule "limit" ').and.to.include(says);
      }
    });

    it(`opens nothing where it allows: ${when}`, async () => {
      const { effectOf } = await policed({ rules: [{ when, effect: 'allow' }, { effect: 'deny' }] });
      expect(await effectOf(call)).to.equal('deny');
    });
  }

  it('does not hold up other rules over a large list', async () => {
    const rules = [{ when: 'params.to.exists(x, x == "b")', effect: 'deny' as const }];
    const { effectOf } = await policed({ rules });
    expect(await effectOf({ tool: 'pay', parameters: { to: hugeList } })).to.equal('allow');
    expect(await effectOf({ tool: 'pay', parameters: { to: [...hugeList, 'b'] } })).to.equal('deny');
  });

  it('is evaluated afresh after one that was stopped', async () => {
    const { effectOf } = await policed({ rules: [{ when: 'params.to.all(x, params.to.all(y, x == y))', effect: 'deny' }] });
    expect(await effectOf({ tool: 'pay', parameters: { to: hugeList } })).to.equal('deny');
    expect(await effectOf({ tool: 'pay', parameters: { to: ['a', 'b'] } })).to.equal('allow');
  });

  it('tells the log no secret of the call', async () => {
    const { kernel, logger } = await policed({ rules: [{ when: 'bool(params.note)', effect: 'deny' }] }, { plugins: [keeper()] });
    await rejection(kernel.call({ tool: 'pay', parameters: { note: 'hunter2-hunter2' } }), 'POLICY_DENIED');
    const warnings = logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings.join()).to.include('invalid string value "[secret DOOR]"').and.not.to.include('hunter2');
  });
});

describe('a condition that is written wrongly', () => {
  const cases = [
    { when: 'params.amount >', says: 'Unexpected token: EOF (at column 16 of the condition)' },
    { when: 'true\n  && (', says: '(at line 2, column 7 of the condition)' },
    { when: 'parms.amount > 1', says: 'Unknown variable: parms (at column 1 of the condition). Variables are params, tool,' },
    { when: 'tool + 1 == "a"', says: 'no such overload: string + int (at column 1' },
    { when: 'tool', says: 'gives string: expected a condition that is true or false' },
    { when: '1 + 1', says: 'gives int: expected a condition' },
    { when: 'now() > 1', says: "found no matching overload for 'now()'" },
    { when: Array.from({ length: 300 }, () => 'true').join('||'), says: 'Exceeded maxAstNodes (500)' },
    { when: `${'('.repeat(80)}true${')'.repeat(80)}`, says: 'Exceeded maxDepth (50)' },
    { when: `params.note == "${'x'.repeat(2000)}"`, says: 'more than 2000 characters' },
  ];
  for (const { when, says } of cases) {
    it(`refuses to start: ${when.slice(0, 40)}`, async () => {
      const options: PolicyOptions = { rules: [{ effect: 'allow' }, { when, effect: 'deny' }] };
      const error = await rejection(policed(options), 'PLUGIN_INVALID');
      expect(error.message).to.include('The options of plugin "policy-rules" are wrong: rules[1].when').and.to.include(says);
    });
  }
});
