import { expect } from 'chai';
import type { CallRequest } from '../../../../kernel/index.ts';
import { rejection } from '../../../support/rejection.ts';
import { source } from '../../mcp/support/client.ts';
import { given, yes } from './attack.ts';
import { attackWorld, type World } from './attack-world.ts';

/** Makes calls of different arguments, all at once. */
async function flood({ pay }: World, count: number, more: Partial<CallRequest> = {}): Promise<readonly unknown[]> {
  const calls = Array.from({ length: count }, (_, n) => pay({ to: `payee ${n}` }, more));
  return (await Promise.allSettled(calls)).map((end) => (end.status === 'rejected' ? (end.reason as { code: unknown }).code : 'ran'));
}

describe('approvals: a flood of questions', () => {
  it('stops its own caller alone', async () => {
    const world = await attackWorld();
    const ends = await flood(world, 150, { caller: 'eve' });
    expect(ends.filter((end) => end === 'APPROVAL_REQUIRED')).to.have.length(100);
    expect(ends.filter((end) => end === 'RATE_LIMITED')).to.have.length(50);
    const held = await world.hold(given);
    await world.kernel.approvals.decide(held.id, yes);
    await world.pay(given);
    expect(world.effects).to.have.length(1);
    await rejection(world.pay(given, { caller: 'eve', tenant: 'eve' }), 'RATE_LIMITED');
    expect((await world.records()).filter(({ caller }) => caller === 'eve')).to.have.length(100);
  });

  it('of two processes counts together', async () => {
    const first = await attackWorld({ approvals: { maxWaiting: 10 } });
    const second = await attackWorld({ of: first, approvals: { maxWaiting: 10 } });
    await Promise.all([flood(first, 20), flood(second, 30)]);
    expect(await first.records()).to.have.length(10);
  });

  it('of equal calls is one question, whatever the order of their keys', async () => {
    const world = await attackWorld();
    const held = await world.hold(given);
    const turned = { data: { second: [1, 2], first: 1 }, amount: 1, to: 'Ada' };
    for (let n = 0; n < 50; n++) await rejection(world.pay(n % 2 === 0 ? turned : given), 'APPROVAL_REQUIRED');
    const records = await world.records();
    expect(records.map(({ id, count }) => [id, count])).to.deep.equal([[held.id, 51]]);
    await world.kernel.approvals.decide(held.id, yes);
    await world.pay(turned);
    expect(world.effects).to.have.length(1);
  });

  it('of answers with a guessed id is told apart, and stops nobody', async () => {
    const world = await attackWorld();
    const held = await world.hold(given);
    const guesses = Array.from({ length: 200 }, (_, n) => `${held.id.slice(0, -4)}${n.toString(16).padStart(4, '0')}`);
    const ends = await Promise.allSettled(guesses.filter((id) => id !== held.id).map((id) => world.kernel.approvals.decide(id, yes)));
    expect(ends.filter(({ status }) => status === 'fulfilled')).to.deep.equal([]);
    expect((await world.kernel.approvals.get(held.id)).status).to.equal('waiting');
    await world.kernel.approvals.decide(held.id, yes);
    await world.pay(given);
    expect(world.effects).to.have.length(1);
  });
});

describe('approvals: a tool', () => {
  it('reaches nothing that approves', async () => {
    const seen: unknown[] = [];
    const look = {
      name: 'look',
      description: 'Looks.',
      execution: { type: 'function', handler: (_: unknown, context: unknown) => seen.push(context) },
    };
    const world = await attackWorld({ plugins: [source((sink) => sink.addTool(look))] });
    await world.hold(given);
    await world.pay({}, { tool: 'look' });
    const [context] = seen;
    expect(context).to.be.an('object');
    const names = namesIn(context);
    expect(names).to.include('tools');
    for (const name of ['approvals', 'decide', 'decideMany', 'erase', 'approve', 'kernel', 'answer', 'inbox'])
      expect(names).to.not.include(name);
    expect([...world.kernel.registry.tools.keys()].filter((name) => /approv/.test(name))).to.deep.equal([]);
  });
});

/** Returns the names of all members that can be reached, own and inherited, to a depth of six. */
function namesIn(value: unknown, depth = 6, seen = new Set<unknown>()): ReadonlySet<string> {
  const names = new Set<string>();
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || depth === 0 || seen.has(value)) return names;
  seen.add(value);
  for (
    let level: object | null = value;
    level !== null && level !== Object.prototype && level !== Function.prototype;
    level = Object.getPrototypeOf(level)
  )
    for (const name of Object.getOwnPropertyNames(level)) {
      names.add(name);
      for (const inner of namesIn(memberNamed(value, name), depth - 1, seen)) names.add(inner);
    }
  return names;
}

function memberNamed(holder: object, name: string): unknown {
  try {
    return (holder as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
