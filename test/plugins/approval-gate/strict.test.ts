import { expect } from 'chai';
import type { GateRequest } from '../../../plugins/approval-gate/index.ts';
import { rejection } from '../../support/rejection.ts';
import { fakeClock, gated, person, tokenFor, yes } from './gated.ts';

const gate = { mode: 'strict' } as const;
const given = { text: 'rent', to: { name: 'Ada', city: 'Ulm' }, amount: 900 };

describe('the approval gate in strict mode', () => {
  it('runs a call that the host approves while it waits', async () => {
    const { call, ran, ends } = await gated({ gate, answer: async () => true });
    await call(given);
    expect(ran).to.deep.equal([given]);
    expect(ends[0]?.approvals).to.deep.equal([{ approved: true, by: 'onApproval', kind: 'gate' }]);
  });

  it('holds a call that is not decided yet, and tells the model how to go on', async () => {
    const { call, ran } = await gated({ gate });
    const error = await rejection(call(given), 'APPROVAL_REQUIRED');
    expect(error.message).to.include('make the same call again with the argument _toolkit_approved: "<token>"');
    expect(ran).to.deep.equal([]);
  });

  it('runs the same call once with the token that the person gave', async () => {
    const world = await gated({ gate });
    const approval = await tokenFor(world, given);
    await world.call(given, { approval });
    expect(world.ran).to.deep.equal([given]);
    expect(world.requests).to.have.length(1);
    expect(world.ends.at(-1)?.approvals).to.deep.equal([{ approved: true, by: 'token', kind: 'gate' }]);
  });

  const same: readonly { what: string; approved: unknown; called: unknown }[] = [
    { what: 'the order of keys', approved: { to: { a: 1, b: 2 }, text: 'x' }, called: { text: 'x', to: { b: 2, a: 1 } } },
    { what: '1.0 for 1', approved: JSON.parse('{"amount":1}'), called: JSON.parse('{"amount":1.0}') },
    { what: '1e2 for 100', approved: JSON.parse('{"amount":100}'), called: JSON.parse('{"amount":1e2}') },
    { what: '-0 for 0, which are one number in canonical JSON', approved: { amount: 0 }, called: { amount: -0 } },
    { what: 'an escape for its character', approved: JSON.parse('{"text":"\\u0041"}'), called: { text: 'A' } },
    { what: 'null for an optional parameter that was not given', approved: { amount: 1 }, called: { amount: 1, text: null } },
  ];
  for (const { what, approved, called } of same) {
    it(`takes ${what} for the same call`, async () => {
      const world = await gated({ gate });
      await world.call(called, { approval: await tokenFor(world, approved) });
      expect(world.ran).to.have.length(1);
    });
  }

  it('shows the parameters without secrets, and binds the token to them with secrets', async () => {
    const world = await gated({ gate });
    const approval = await tokenFor(world, { text: 'value-of-pay-token' });
    expect(world.requests[0]?.parameters).to.deep.equal({ text: '[secret PAY_TOKEN]' });
    await rejection(world.call({ text: '[secret PAY_TOKEN]' }, { approval }), 'APPROVAL_REQUIRED');
    await world.call({ text: 'value-of-pay-token' }, { approval });
    expect(world.ran).to.have.length(1);
  });

  it('asks the person at the client when the host has not decided', async () => {
    const { call, ran, requests } = await gated({ gate });
    const { client, questions } = person(yes);
    await call({}, { client });
    expect([requests.length, questions.length, ran.length]).to.deep.equal([1, 1, 1]);
  });

  it('does not ask the client what the host has decided', async () => {
    const { call, ran } = await gated({ gate, answer: () => false });
    const { client, questions } = person(yes);
    await rejection(call({}, { client }), 'APPROVAL_DENIED');
    expect([questions.length, ran.length]).to.deep.equal([0, 0]);
  });

  it('does not ask the host again for a token that it refuses', async () => {
    const { call, requests } = await gated({ gate, answer: () => true });
    await rejection(call({}, { approval: 'no token' }), 'APPROVAL_REQUIRED');
    expect(requests).to.deep.equal([]);
  });

  for (const { says, spoil } of [
    { says: 'is not one', spoil: (token: string) => token.slice(1) },
    { says: 'is not for this call', spoil: (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` },
  ]) {
    it(`says that a token ${says}, and does not repeat it`, async () => {
      const world = await gated({ gate });
      const approval = spoil(await tokenFor(world, given));
      const error = await rejection(world.call(given, { approval }), 'APPROVAL_REQUIRED');
      expect(error.message).to.include(says);
      expect(JSON.stringify(error)).to.not.include(approval);
    });
  }

  it('lets a token live 5 minutes from the moment when it is handed out', async () => {
    const clock = fakeClock();
    const world = await gated({ gate });
    await rejection(world.call(given), 'APPROVAL_REQUIRED');
    clock.tick(3_600_000);
    const approval = world.requests[0]?.token?.() ?? '';
    clock.tick(299_999);
    await world.call(given, { approval });
    expect(world.ran).to.have.length(1);
  });

  it('takes ttlMs in place of the 5 minutes', async () => {
    const clock = fakeClock();
    const world = await gated({ gate: { ...gate, ttlMs: 1000 } });
    const approval = await tokenFor(world, given);
    clock.tick(1000);
    expect((await rejection(world.call(given, { approval }), 'APPROVAL_REQUIRED')).message).to.include('has expired');
  });

  it('takes the token of another process that has the same key', async () => {
    const key = 'a key of thirty-two bytes or more';
    const [one, other] = [await gated({ gate: { ...gate, key } }), await gated({ gate: { ...gate, key } })];
    await other.call(given, { approval: await tokenFor(one, given) });
    expect([one.ran.length, other.ran.length]).to.deep.equal([0, 1]);
  });

  it('refuses parameters that have no canonical form, before anybody is asked', async () => {
    const { call, requests } = await gated({ gate, answer: () => true });
    const error = await rejection(call({ text: '\ud800' }), 'INVALID_PARAMETERS');
    expect(error.message).to.include('no canonical form (RFC 8785)');
    expect(requests).to.deep.equal([]);
  });
});

describe('one request to the host is one approval', () => {
  it('whose token is the same each time', async () => {
    const world = await gated({ gate });
    const token = await tokenFor(world, given);
    expect(world.requests[0]?.token?.()).to.equal(token);
  });

  it('whose token does not show when the request is written as JSON', async () => {
    const world = await gated({ gate });
    const token = await tokenFor(world, given);
    expect(JSON.stringify(world.requests)).to.not.include(token).and.not.include('token');
  });

  for (const answer of [true, false]) {
    it(`whose token ends with the answer ${answer}`, async () => {
      let token = '';
      const handOut = (request: GateRequest): boolean => {
        token = request.token?.() ?? '';
        return answer;
      };
      const world = await gated({ gate, answer: handOut });
      await world.call(given).catch(() => {});
      await rejection(world.call(given, { approval: token }), 'APPROVAL_REQUIRED');
      expect(world.ran).to.have.length(answer ? 1 : 0);
      expect(() => world.requests[0]?.token?.()).to.throw('it was answered');
    });
  }

  it('whose yes comes too late when its token was used', async () => {
    const use = async (request: GateRequest): Promise<boolean> => {
      await world.call(given, { approval: request.token?.() ?? '' });
      return true;
    };
    const world = await gated({ gate, answer: use });
    const error = await rejection(world.call(given), 'APPROVAL_DENIED');
    expect(error.message).to.include('the approval token of this request is used already');
    expect(world.ran).to.have.length(1);
  });

  it('whose token outlives a call that ends without an answer', async () => {
    const own = new AbortController();
    const leave = (): boolean => {
      own.abort();
      return true;
    };
    const world = await gated({ gate, answer: leave });
    await rejection(world.call(given, { signal: own.signal }), 'ABORTED');
    await world.call(given, { approval: world.requests[0]?.token?.() ?? '' });
    expect(world.ran).to.have.length(1);
  });
});
