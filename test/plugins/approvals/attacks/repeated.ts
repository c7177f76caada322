import { expect } from 'chai';
import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { type Attack, ben, given, no, yes } from './attack.ts';
import { stoppedClock, type World } from './attack-world.ts';

const minute = 60_000;

/** A call that was approved and has run. */
export async function used(world: World): Promise<ApprovalRecord> {
  const held = await world.hold(given);
  await world.kernel.approvals.decide(held.id, yes);
  await world.pay(given);
  expect((await world.kernel.approvals.get(held.id)).status).to.equal('used');
  return held;
}

/** Answers that come again, and approvals that are used again. */
export const repeated: readonly Attack[] = [
  {
    attack: 'the same yes twice',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, yes);
      return () => world.kernel.approvals.decide(id, yes);
    },
    says: /answer .*is decided: ann \(command line\) approved/,
  },
  {
    attack: 'a no after a yes',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, yes);
      return () => world.kernel.approvals.decide(id, { ...no, by: ben });
    },
    says: /answer .*is decided: ann \(command line\) approved/,
  },
  {
    attack: 'a yes after a no',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, no);
      return () => world.kernel.approvals.decide(id, { ...yes, by: ben });
    },
    says: /answer .*is decided: ann \(command line\) refused/,
  },
  {
    attack: 'twenty yeses after a no, at once',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, no);
      return () => Promise.allSettled(Array.from({ length: 20 }, () => world.kernel.approvals.decide(id, { ...yes, by: ben })));
    },
    says: /(answer .*is decided[\s\S]*){20}/,
  },
  {
    attack: 'a second run of what was approved once',
    begin: async (world) => {
      await used(world);
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'twenty runs at once of what was approved once',
    begin: async (world) => {
      await used(world);
      return () => Promise.allSettled(Array.from({ length: 20 }, () => world.pay(given)));
    },
    says: /(call pay of ada: APPROVAL_REQUIRED[\s\S]*){20}/,
  },
  {
    attack: 'a second run under the name of the effect',
    begin: async (world) => {
      const { id } = await used(world);
      return () => world.pay(given, { once: id });
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a yes for what is refused for a while, as a new call',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, { ...no, hold: 'arguments' });
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_DENIED/,
  },
  {
    attack: 'other arguments of a tool that is refused for a while',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, { ...no, hold: 'tool' });
      return () => world.pay({ ...given, amount: 2 });
    },
    says: /call pay of ada: APPROVAL_DENIED/,
  },
];

/** Answers and calls that come when it is too late. */
export const late: readonly Attack[] = [
  {
    attack: 'a yes after the expiry',
    world: { approvals: { ttlMs: minute } },
    begin: async (world) => {
      const clock = stoppedClock();
      const { id } = await world.hold(given);
      clock.tick(minute);
      return () => world.kernel.approvals.decide(id, yes);
    },
    says: /answer .*nobody decided in time/,
    ends: 'expired',
  },
  {
    attack: 'a yes after the expiry, with the clock set back',
    world: { approvals: { ttlMs: minute } },
    begin: async (world) => {
      const clock = stoppedClock();
      const { id } = await world.hold(given);
      clock.tick(minute);
      await world.kernel.approvals.decide(id, yes).catch(() => {});
      clock.setSystemTime(Date.now() - minute);
      return () => world.kernel.approvals.decide(id, yes);
    },
    says: /answer .*nobody decided in time/,
  },
  {
    attack: 'a call after the expiry of its approval',
    world: { approvals: { ttlMs: minute } },
    begin: async (world) => {
      const clock = stoppedClock();
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, yes);
      clock.tick(minute);
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
    ends: 'expired',
  },
  {
    attack: 'a yes after the run',
    begin: async (world) => {
      const { id } = await used(world);
      return () => world.kernel.approvals.decide(id, { ...yes, by: ben });
    },
    says: /answer .*is decided: ann \(command line\) approved/,
  },
  {
    attack: 'a no after the run',
    begin: async (world) => {
      const { id } = await used(world);
      return () => world.kernel.approvals.decide(id, { ...no, by: ben });
    },
    says: /answer .*is decided: ann \(command line\) approved/,
  },
  {
    attack: 'a yes to records of a caller that were erased',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.erase({ caller: 'ada' }, ben);
      return () => world.kernel.approvals.decide(id, yes);
    },
    says: /answer .*no such approval/,
  },
  {
    attack: 'a call with the approval of records that were erased',
    begin: async (world) => {
      const { id } = await world.hold(given);
      await world.kernel.approvals.decide(id, yes);
      await world.kernel.approvals.erase({ caller: 'ada' }, ben);
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a yes to a call with credentials of its own that has ended',
    begin: async (world) => {
      const held = await world.hold(given, { tool: 'deposit', credentials: { BANK_TOKEN: 'value-of-the-token' } });
      expect(held.isKept).to.equal(false);
      return () => world.kernel.approvals.decide(held.id, yes);
    },
    says: /answer .*(withdrawn|ended|is decided)/,
  },
];
