import { expect } from 'chai';
import type { Answer, CallClient, Question } from '../../../../kernel/index.ts';
import { type Attack, given } from './attack.ts';
import type { World } from './attack-world.ts';

const two = { approvals: { approvers: 2, libraryNames: ['ann', 'ben'] } };
const said: Answer = { action: 'accept', content: { approve: true } };

/** A client whose person says yes to everything. */
function yesSayer(): CallClient & { readonly questions: Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    elicit: async (question) => {
      questions.push(question);
      return said;
    },
  };
}

/** Names that look like another one, with which one person could count as two. */
const alike: readonly { readonly what: string; readonly names: readonly [string, string] }[] = [
  { what: 'the same name', names: ['ann', 'ann'] },
  { what: 'the same name in capitals', names: ['ann', 'Ann'] },
  { what: 'the same name and a space', names: ['ann', 'ann '] },
  { what: 'the same name and a zero-width character', names: ['ann', 'ann\u200b'] },
  { what: 'the same name in another Unicode normalisation', names: ['zo\u00eb', 'zoe\u0308'] },
  { what: 'the same name in wide letters', names: ['ann', '\uff41\uff4e\uff4e'] },
];

/** Names of the one who asks, as it could write them. */
const ofCaller = ['ada', 'Ada', 'ada ', 'a\u200bda', '\uff41da'];

async function approvedBy({ kernel }: World, id: string, way: string, name: string): Promise<void> {
  await kernel.approvals.decide(id, { approve: true, by: { way, name } });
}

/** One who approves its own call, or counts as two. */
export const own: readonly Attack[] = [
  ...alike.map(
    ({ what, names: [first, second] }): Attack => ({
      attack: `a second yes by another way, of ${what}`,
      world: two,
      begin: async (world) => {
        const { id } = await world.hold(given);
        await approvedBy(world, id, 'command line', first);
        return () => approvedBy(world, id, 'webhook', second).finally(() => world.pay(given).catch(() => {}));
      },
      says: /answer .*approve/,
    }),
  ),
  ...ofCaller.map(
    (name): Attack => ({
      attack: `a yes of the one who asks, as ${JSON.stringify(name)}`,
      world: two,
      begin: async (world) => {
        const { id } = await world.hold(given);
        return () => approvedBy(world, id, 'webhook', name);
      },
      says: /answer .*approve/,
    }),
  ),
  {
    attack: 'a yes at the own client, ten times',
    world: two,
    begin: async (world) => {
      await world.hold(given);
      const client = yesSayer();
      return async () => {
        for (let n = 0; n < 10; n++) await world.pay(given, { client }).catch(() => {});
      };
    },
    says: /(call pay of ada: APPROVAL_(REQUIRED|DENIED)[\s\S]*){10}/,
  },
  {
    attack: 'a yes at the own client beside one approver',
    world: two,
    begin: async (world) => {
      const { id } = await world.hold(given);
      await approvedBy(world, id, 'command line', 'ann');
      expect((await world.kernel.approvals.get(id)).status).to.equal('waiting');
      return () => world.pay(given, { client: yesSayer() });
    },
    says: /call pay of ada: APPROVAL_(REQUIRED|DENIED)/,
  },
];
