import { expect } from 'chai';
import { given, yes } from './attack.ts';
import { attackWorld, type World } from './attack-world.ts';

/** Lets the process go on by this many steps. */
async function steps(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await Promise.resolve();
}

function effectsOf({ effects }: World, to: string): number {
  return effects.filter(({ body }) => body.includes(`"${to}"`)).length;
}

describe('approvals: calls that race', () => {
  for (const after of [true, false])
    it(`run once, when an equal call joins ${after ? 'while' : 'before'} the person says yes to the first`, async () => {
      const world = await attackWorld({ approvals: { maxWaiting: 1000 } });
      for (let n = 0; n < 150; n++) {
        const parameters = { to: `payee ${n}` };
        let joining: Promise<unknown> = Promise.resolve();
        const elicit = async () => {
          joining = after
            ? Promise.resolve()
                .then(() => steps(n % 5))
                .then(() => world.pay(parameters))
            : world.pay(parameters);
          joining.catch(() => {});
          await steps(n);
          return { action: 'accept', content: { approve: true } } as const;
        };
        await world.pay(parameters, { client: { elicit } });
        await joining.catch(() => {});
        expect(effectsOf(world, `payee ${n}`), `effects of round ${n}`).to.equal(1);
      }
    });

  it('run once, when the person at the client and another one say yes at the same time', async () => {
    const world = await attackWorld();
    for (let n = 0; n < 60; n++) {
      const parameters = { to: `payee ${n}` };
      const elicit = async () => {
        const waiting = (await world.records()).find(({ shown }) => shown.parameters['to'] === `payee ${n}`);
        const decided = world.kernel.approvals.decide(waiting?.id ?? '', yes).catch(() => {});
        await steps(n);
        decided.catch(() => {});
        return { action: 'accept', content: { approve: true } } as const;
      };
      await world.pay(parameters, { client: { elicit } });
      expect(effectsOf(world, `payee ${n}`), `effects of round ${n}`).to.equal(1);
    }
  });

  it('run once, when two processes get the approval of one at the same time', async () => {
    const first = await attackWorld();
    const second = await attackWorld({ of: first });
    for (let n = 0; n < 20; n++) {
      const parameters = { to: `payee ${n}` };
      const { id } = await first.hold(parameters);
      await second.kernel.approvals.decide(id, yes);
      await Promise.allSettled([first, second, first, second].map((process) => process.pay(parameters)));
      expect(effectsOf(first, `payee ${n}`), `effects of round ${n}`).to.equal(1);
    }
  });

  it('do not run when a no comes before the yes of the client counts', async () => {
    const world = await attackWorld();
    const elicit = async () => {
      const [waiting] = await world.records();
      await world.kernel.approvals.decide(waiting?.id ?? '', { ...yes, approve: false });
      return { action: 'accept', content: { approve: true } } as const;
    };
    await world.pay(given, { client: { elicit } }).catch(() => {});
    expect(world.effects).to.deep.equal([]);
    expect((await world.records()).map(({ status }) => status)).to.deep.equal(['refused']);
  });
});

describe('approvals: the claim of a model', () => {
  const gate = { mode: 'elicit', elicitFallback: 'flag', onApproval: () => undefined } as const;

  it('is no approver where two are needed', async () => {
    const world = await attackWorld({ gate, approvals: { approvers: 2, libraryNames: ['ann', 'ben'] } });
    const { id } = await world.hold(given);
    await world.pay(given, { approved: true }).catch(() => {});
    await world.kernel.approvals.decide(id, yes);
    await world.pay(given, { approved: true }).catch(() => {});
    expect(world.effects).to.deep.equal([]);
    expect((await world.kernel.approvals.get(id)).status).to.equal('waiting');
  });

  it('leaves no question behind where it counts, by which the call would run again', async () => {
    const world = await attackWorld({ gate });
    const { id } = await world.hold(given);
    await world.pay(given, { approved: true });
    expect(world.effects).to.have.length(1);
    await world.kernel.approvals.decide(id, yes).catch(() => {});
    await world.pay(given).catch(() => {});
    expect(world.effects).to.have.length(1);
  });
});
