import { expect } from 'chai';
import { policyHuman } from '../../../plugins/policy-human/index.ts';
import { type Attack, approved, elicit, fallback, refuses, strict } from './attack.ts';
import { type Gated, person, tokenFor, yes } from './gated.ts';

const flags: readonly Attack[] = [
  { what: 'the flag in elicit mode', setting: elicit, attack: ({ call }) => call({}, { approved: true }) },
  { what: 'the flag in strict mode', setting: strict, attack: ({ call }) => call({}, { approved: true }) },
  {
    what: 'the flag beside a no of the person',
    setting: fallback,
    attack: ({ call }) => call({}, { approved: true, ...person({ action: 'decline' }) }),
    code: 'APPROVAL_DENIED',
  },
  { what: 'a token in flag mode', setting: { gate: {} }, attack: ({ call }) => call({}, { approval: 'A'.repeat(72) }) },
  { what: 'a token in elicit mode', setting: elicit, attack: ({ call }) => call({}, { approval: 'A'.repeat(72) }) },
  ...[true, 1, 'true', {}, ['true'], Object(true)].map((flag) => ({
    what: `${JSON.stringify(flag)} (${typeof flag}) for the token`,
    setting: strict,
    attack: ({ call }: Gated) => call({}, { approval: flag as string }),
  })),
  ...['true', 1, {}, [true], Object(true)].map((flag) => ({
    what: `${JSON.stringify(flag)} (${typeof flag}) for the flag`,
    setting: { gate: {} },
    attack: ({ call }: Gated) => call({}, { approved: flag as boolean }),
  })),
];

const roundabout: readonly Attack[] = [
  {
    what: 'one approved call among many',
    setting: strict,
    async attack(world) {
      const approval = await tokenFor(world, { text: 'b' });
      const calls = ['a', 'b', 'c', 'd'].map((text) => world.call({ text }, text === 'b' ? { approval } : { approved: true }));
      const ends = await Promise.allSettled(calls);
      expect(ends.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled', 'rejected', 'rejected']);
      throw (ends[0] as PromiseRejectedResult).reason;
    },
    rightly: 1,
  },
  ...[
    { what: 'the flag', setting: { gate: {} }, more: { approved: true } },
    { what: 'a person who is asked and says no to it', setting: elicit, more: onlyOuter(), code: 'APPROVAL_DENIED' as const },
  ].map(
    ({ what, setting, more, code }): Attack => ({
      what: `a gated tool inside an approved tool, with ${what}`,
      setting: { ...setting, tools: { outer: calling('pay') } },
      attack: ({ kernel }) => kernel.execute('outer', { text: 'x' }, { origin: 'model', ...more }),
      ...(code === undefined ? {} : { code }),
    }),
  ),
  {
    what: 'the token of an outer call for the gated tool inside it',
    setting: { ...strict, tools: { outer: calling('pay') } },
    async attack({ kernel, requests }) {
      const outer = (more: object) => kernel.execute('outer', { text: 'x' }, { origin: 'model', ...more });
      await outer({}).catch(() => {});
      return outer({ approval: requests[0]?.token?.() });
    },
  },
  {
    what: 'a call of the host that the human policy holds',
    setting: { gate: {}, plugins: [policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low', onHITL: () => false })] },
    attack: ({ kernel }) => kernel.execute('pay', approved, { approved: true }),
    code: 'APPROVAL_DENIED',
  },
  {
    what: 'a yes to the gate where the human policy asks as well',
    setting: { ...elicit, plugins: [policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low' })] },
    attack: ({ call }) => call(approved, person(answersInTurn(yes, { action: 'decline' }))),
    code: 'APPROVAL_DENIED',
  },
  {
    what: 'a yes to the human policy where the gate asks as well',
    setting: { ...elicit, plugins: [policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low', onHITL: () => true })] },
    attack: ({ call }) => call(approved, { approved: true }),
  },
];

describe('an attack on the approval gate is refused:', () => refuses([...flags, ...roundabout]));

/** A gated tool that calls another one with its own parameters. */
function calling(name: string): Readonly<Record<string, unknown>> {
  type Context = { tools: { call(tool: string, parameters: unknown): Promise<{ output: unknown }> } };
  return { execution: { type: 'function', handler: async (given: unknown, { tools }: Context) => (await tools.call(name, given)).output } };
}

/** A person who approves the outer tool only. */
function onlyOuter(): ReturnType<typeof person> {
  return person(({ message }: { message: string }) => (message.includes('tool: outer') ? yes : { action: 'decline' }));
}

function answersInTurn(...inTurn: readonly unknown[]): () => unknown {
  const left = [...inTurn];
  return () => left.shift();
}
