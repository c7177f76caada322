import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { toolRuleTester } from '../../../../plugins/toolkit/testing.ts';

/** A key of somebody else: at least one call, and not for a tool that only reads. */
const quota = definePlugin({
  name: 'quota',
  apiVersion,
  apply({ hooks, extend }) {
    const key = extend.definitionKey('quota', Type.Object({ calls: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }), {
      on: 'both',
      check: (_value, { definition }) =>
        definition.risk === 'low' ? [{ path: 'quota', pointer: '/quota', message: 'is for tools that change something' }] : [],
    });
    hooks.beforeExecute.tap('quota', (call) => void key.of(call.tool));
  },
});

const tool = (more: string): string => `name: pay\ndescription: Pays.\nexecution: { type: command, command: pay }\n${more}`;

describe('toolRuleTester', () => {
  it('is content where each case is as it is told', () =>
    toolRuleTester({
      plugins: [quota()],
      valid: [tool('quota: { calls: 2 }\n'), { definition: tool(''), provider: 'provider: { name: bank }\nquota: { calls: 1 }\n' }],
      invalid: [
        { definition: tool('quota: { calls: 0 }\n'), problems: ['4:10 quota.calls: expected to be >= 1'] },
        { definition: tool('risk: low\nquota: { calls: 1 }\n'), problems: ['5:1 quota: is for tools that change something'] },
        { definition: tool('quota: { call: 1 }\n'), problems: ['4:1 quota.calls: is required', '4:10 quota.call: is not known here.'] },
        { definition: tool(''), provider: 'provider: { name: bank }\nquota: {}\n', problems: ['2:1 quota.calls: is required'] },
        { definition: tool('quota: [\n'), problems: ['is not valid YAML'] },
      ],
    }));

  const failing: readonly (readonly [string, Partial<Parameters<typeof toolRuleTester>[0]>, RegExp])[] = [
    [
      'a valid one has a problem',
      { valid: [tool('quota: 1\n')] },
      /^valid\[0\]: expected no problem, received "4:1 quota: expected object/,
    ],
    [
      'a valid one has a warning',
      { valid: [tool('colour: red\n')] },
      /^valid\[0\]: expected no problem, received "4:1 colour: is not known/,
    ],
    [
      'an invalid one has no problem',
      { invalid: [{ definition: tool(''), problems: ['quota'] }] },
      /^invalid\[0\]: expected "quota", received no problem\nname: pay/,
    ],
    [
      'it has another problem',
      { invalid: [{ definition: tool('quota: 1\n'), problems: ['is required'] }] },
      /^invalid\[0\]: expected "is required", received "4:1 quota/,
    ],
    [
      'it has more problems than that',
      { invalid: [{ definition: tool('quota: 1\nrisk: big\n'), problems: ['4:1 quota'] }] },
      /^invalid\[0\]: expected "4:1 quota", received "4:1 quota: [^"]*.*", "5:1 risk/,
    ],
    ['it names none', { invalid: [{ definition: tool(''), problems: [] }] }, /^invalid\[0\]: says no problem that is expected$/],
  ];
  for (const [what, cases, message] of failing)
    it(`fails where ${what}`, async () => {
      const error = await toolRuleTester({ plugins: [quota()], valid: [], invalid: [], ...cases }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.match(message);
    });

  it('tells of all cases that fail, not of the first', async () => {
    const bad = tool('quota: 1\n');
    const error = await toolRuleTester({ plugins: [quota()], valid: [bad, bad], invalid: [] }).catch((reason: Error) => reason);
    expect((error as Error).message)
      .to.include('valid[0]')
      .and.to.include('valid[1]');
  });
});
