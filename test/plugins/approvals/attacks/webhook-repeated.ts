import { expect } from 'chai';
import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { type Attack, given, no, yes } from './attack.ts';
import { stoppedClock, type World, type WorldOptions } from './attack-world.ts';
import { answerTo, desk, type SentAnswer, sendAnswer } from './signed-answer.ts';
import { hooked } from './webhook-forged.ts';

const minute = 60_000;
const hookedByTwo: WorldOptions = { ...hooked, approvals: { ...hooked.approvals, approvers: 2 } };

/** Answers by webhook that come again, too late, or as those of two. */
export const webhookRepeated: readonly Attack[] = [
  repeatedBy('the same answer twice', (answer) => answer),
  repeatedBy('the same answer under another id', ({ body }) => answerTo({ id: '', digest: '' }, { body })),
  repeatedBy('another answer under the same id', ({ id }, other) => answerTo(other, { id })),
  {
    attack: 'by webhook: the same answer twenty times at once',
    world: hooked,
    begin: async (world) => {
      const held = await world.hold(given);
      const answer = answerTo(held);
      await accepted(world, answer);
      return () => Promise.all(Array.from({ length: 20 }, () => sendAnswer(world, answer)));
    },
    says: /(answer [\s\S]*){20}/,
  },
  {
    attack: 'by webhook: an answer that was taken, when the clock was set back',
    world: hooked,
    begin: async (world) => {
      const clock = stoppedClock();
      const [held, other] = [await world.hold(given), await world.hold({ ...given, amount: 2 })];
      const answer = answerTo(held);
      await accepted(world, answer);
      clock.tick(11 * minute);
      await accepted(world, answerTo(other));
      clock.setSystemTime(Date.now() - 11 * minute);
      return () => sendAnswer(world, answer);
    },
    says: /answer /,
  },
  {
    attack: 'by webhook: a yes after a no at the command line',
    world: hooked,
    begin: async (world) => {
      const held = await world.hold(given);
      await world.kernel.approvals.decide(held.id, no);
      return () => sendAnswer(world, answerTo(held));
    },
    says: /answer .*is decided: ann/,
  },
  {
    attack: 'by webhook: a yes after the expiry',
    world: { ...hooked, approvals: { ...hooked.approvals, ttlMs: minute } },
    begin: async (world) => {
      const clock = stoppedClock();
      const held = await world.hold(given);
      clock.tick(minute);
      return () => sendAnswer(world, answerTo(held));
    },
    says: /answer .*(expired|in time)/,
    ends: 'expired',
  },
  {
    attack: 'by webhook: two yeses of one webhook, where two are needed',
    world: hookedByTwo,
    begin: async (world) => {
      const held = await world.hold(given);
      await accepted(world, answerTo(held));
      return () => sendAnswer(world, answerTo(held));
    },
    says: /answer .*different approvers/,
  },
  {
    attack: 'by webhook: a yes of one whose name is that of the first approver',
    world: hookedByTwo,
    begin: async (world) => {
      const held = await world.hold(given);
      await world.kernel.approvals.decide(held.id, { ...yes, by: { way: 'command line', name: desk.name } });
      return () => sendAnswer(world, answerTo(held));
    },
    says: /answer .*different approvers/,
  },
  {
    attack: 'by webhook: a yes of one whose name is that of the caller',
    world: hookedByTwo,
    begin: async (world) => {
      const held = await world.hold(given, { caller: desk.name });
      return () => sendAnswer(world, answerTo(held));
    },
    says: /answer .*caller/,
  },
];

async function accepted(world: World, answer: SentAnswer): Promise<void> {
  const { status, body } = await sendAnswer(world, answer);
  expect(status, body).to.equal(200);
}

function repeatedBy(what: string, again: (answer: SentAnswer, other: ApprovalRecord) => SentAnswer): Attack {
  return {
    attack: `by webhook: ${what}`,
    world: hooked,
    begin: async (world) => {
      const [held, other] = [await world.hold(given), await world.hold({ ...given, amount: 2 })];
      const answer = answerTo(held);
      await accepted(world, answer);
      return () => sendAnswer(world, again(answer, other));
    },
    says: /answer /,
  };
}
