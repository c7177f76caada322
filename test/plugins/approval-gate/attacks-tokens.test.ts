import { expect } from 'chai';
import { type Plugin, ToolkitError } from '../../../kernel/index.ts';
import { policyHuman } from '../../../plugins/policy-human/index.ts';
import { type Attack, approved, keyed, plugin, refuses, strict } from './attack.ts';
import { fakeClock, type Gated, gated, tokenFor } from './gated.ts';

const changed: readonly { what: string; given: unknown }[] = [
  { what: 'one letter changed', given: { ...approved, text: 'caf\u00ea' } },
  { what: 'the same text in another Unicode normalisation', given: { ...approved, text: 'cafe\u0301' } },
  { what: 'a space more', given: { ...approved, text: 'caf\u00e9 ' } },
  { what: 'a zero-width character more', given: { ...approved, text: 'caf\u00e9\u200b' } },
  { what: 'another number', given: { ...approved, amount: 1.0000000000000002 } },
  { what: 'the sign of a number changed', given: { ...approved, amount: -1 } },
  { what: 'one more parameter', given: { ...approved, any: 'more' } },
  { what: 'one more parameter that is null', given: { ...approved, any: null } },
  { what: 'one parameter less', given: { text: approved.text, amount: 1 } },
  { what: 'a member more inside an object', given: { ...approved, to: { ...approved.to, cc: 'Eve' } } },
  { what: 'a member that is null inside an object', given: { ...approved, to: { ...approved.to, cc: null } } },
  { what: 'a member named __proto__', given: { ...approved, to: JSON.parse('{"name":"Ada","limits":[1,2],"__proto__":{"x":1}}') } },
  { what: 'a list in another order', given: { ...approved, to: { name: 'Ada', limits: [2, 1] } } },
  { what: 'a number as text', given: { ...approved, to: { name: 'Ada', limits: ['1', 2] } } },
  { what: 'a list for its text', given: { ...approved, to: { name: 'Ada', limits: '[1,2]' } } },
  { what: 'nothing at all', given: {} },
];

const tokens: readonly Attack[] = [
  ...changed.map(({ what, given }) => ({
    what: `a token with ${what}`,
    setting: strict,
    attack: async (world: Gated) => world.call(given, { approval: await tokenFor(world, approved) }),
  })),
  {
    what: 'a token a second time',
    setting: strict,
    async attack(world) {
      const approval = await tokenFor(world, approved);
      await world.call(approved, { approval });
      return world.call(approved, { approval });
    },
    rightly: 1,
  },
  {
    what: 'a token in ten calls at once',
    setting: strict,
    async attack(world) {
      const approval = await tokenFor(world, approved);
      const ends = await Promise.allSettled(Array.from({ length: 10 }, () => world.call(approved, { approval })));
      const refused = ends.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      expect(refused).to.have.length(9);
      throw refused[0]?.reason;
    },
    rightly: 1,
  },
  {
    what: 'a token a second time, when the first call failed',
    setting: { ...strict, plugins: [executing(() => Promise.reject(new ToolkitError('UPSTREAM_UNAVAILABLE', 'Down.')))] },
    async attack(world) {
      const approval = await tokenFor(world, approved);
      await world.call(approved, { approval }).catch(() => {});
      return world.call(approved, { approval });
    },
  },
  {
    what: 'a token that has expired',
    setting: strict,
    async attack(world) {
      const clock = fakeClock();
      const approval = await tokenFor(world, approved);
      clock.tick(300_000);
      return world.call(approved, { approval });
    },
  },
  {
    what: 'a used token after it has expired, with the clock set back',
    setting: strict,
    async attack(world) {
      const clock = fakeClock();
      const approval = await tokenFor(world, approved);
      await world.call(approved, { approval });
      clock.tick(300_000);
      await world.call(approved, { approval: await tokenFor(world, approved) });
      clock.setSystemTime(Date.now() - 300_000);
      return world.call(approved, { approval });
    },
    rightly: 2,
  },
  {
    what: 'the token of another caller',
    setting: strict,
    attack: async (world) => world.call(approved, { caller: 'eve', approval: await tokenFor(world, approved, { caller: 'ada' }) }),
  },
  {
    what: 'the token of another tool',
    setting: { ...strict, tools: { refund: {} } },
    async attack(world) {
      const approval = await tokenFor(world, approved);
      return world.kernel.execute('refund', approved, { origin: 'model', approval });
    },
  },
  {
    what: 'a token for an earlier definition of the tool',
    setting: { ...strict, plugins: [changing('move')] },
    async attack(world) {
      const move = (approval?: string) =>
        world.kernel.execute('move', {}, { origin: 'model', ...(approval === undefined ? {} : { approval }) });
      await move().catch(() => {});
      const approval = world.requests[0]?.token?.() ?? '';
      await world.kernel.reload();
      return move(approval);
    },
  },
  {
    what: 'the token of a server that has restarted since',
    setting: strict,
    attack: async (world) => world.call(approved, { approval: await tokenFor(await gated(strict), approved) }),
  },
  {
    what: 'the token of another key',
    setting: { gate: { mode: 'strict', key: 'a'.repeat(32) } },
    async attack(world) {
      const other = await gated({ gate: { mode: 'strict', key: 'b'.repeat(32) } });
      return world.call(approved, { approval: await tokenFor(other, approved) });
    },
  },
  {
    what: 'the nonce of one token with the signature of another',
    setting: strict,
    async attack(world) {
      const [one, other] = [await tokenFor(world, approved), await tokenFor(world, approved)];
      return world.call(approved, { approval: one.slice(0, 22) + other.slice(22) });
    },
  },
  {
    what: 'a token, where the human policy says no',
    setting: { gate: keyed, plugins: [policyHuman({ enableHITL: true, hitlMinRiskLevel: 'low', onHITL: () => false })] },
    attack: async (world) => world.call(approved, { approval: await tokenFor(await gated({ gate: keyed }), approved) }),
    code: 'APPROVAL_DENIED',
  },
];

describe('an attack with an approval token is refused:', () => refuses(tokens));

function executing(run: () => Promise<never>): Plugin {
  return plugin(({ hooks }) => hooks.execute.for('*').tapPromise('attacker', run));
}

/** A gated tool whose definition is another one after each reload. */
function changing(name: string): Plugin {
  let version = 0;
  return plugin(({ hooks }) =>
    hooks.discover.tap('attacker', (sink) => {
      version++;
      const execution = { type: 'function', handler: () => version };
      sink.addTool({ name, description: `Version ${version}.`, requires_approval: true, execution, version: `${version}.0.0` });
    }),
  );
}
