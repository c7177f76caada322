import type { GateRequest } from '../../../../plugins/approval-gate/index.ts';
import { type Attack, given, no, yes } from './attack.ts';
import { stoppedClock, type World, type WorldOptions } from './attack-world.ts';

/** Strict mode, with the tokens that a host would hand over. */
function strict(): { readonly world: WorldOptions; readonly token: () => string } {
  const requests: GateRequest[] = [];
  return {
    world: { gate: { mode: 'strict', key: 'a key of thirty-two bytes or more', onApproval: (request) => void requests.push(request) } },
    token: () => requests.at(-1)?.token?.() ?? '',
  };
}

interface TokenAttack {
  readonly what: string;
  readonly begin: (world: World, token: () => string) => ReturnType<Attack['begin']>;
  readonly says?: RegExp;
}

const tokens: readonly TokenAttack[] = [
  {
    what: 'the id of the record as token',
    begin: async (world) => {
      const { id } = await world.hold(given);
      return () => world.pay(given, { approval: id });
    },
  },
  {
    what: 'the digest of the record as token',
    begin: async (world) => {
      const { digest } = await world.hold(given);
      return () => world.pay(given, { approval: digest });
    },
  },
  {
    what: 'a token twice',
    begin: async (world, token) => {
      await world.hold(given);
      const approval = token();
      await world.pay(given, { approval });
      return () => world.pay(given, { approval });
    },
  },
  {
    what: 'a token after a no by another way',
    begin: async (world, token) => {
      const { id } = await world.hold(given);
      const approval = token();
      await world.kernel.approvals.decide(id, no);
      return () => world.pay(given, { approval });
    },
  },
  {
    what: 'a token after the run by another way',
    begin: async (world, token) => {
      const { id } = await world.hold(given);
      const approval = token();
      await world.kernel.approvals.decide(id, yes);
      await world.pay(given);
      return () => world.pay(given, { approval });
    },
  },
  {
    what: 'a token that has expired',
    begin: async (world, token) => {
      const clock = stoppedClock();
      await world.hold(given);
      const approval = token();
      clock.tick(300_000);
      return () => world.pay(given, { approval });
    },
  },
  {
    what: 'the token of another caller',
    begin: async (world, token) => {
      await world.hold(given);
      const approval = token();
      await world.hold(given, { caller: 'eve' });
      return () => world.pay(given, { caller: 'eve', approval });
    },
    says: /call pay of eve: APPROVAL_REQUIRED/,
  },
  {
    what: 'a token for other arguments',
    begin: async (world, token) => {
      await world.hold(given);
      const approval = token();
      return () => world.pay({ ...given, amount: 2 }, { approval });
    },
  },
];

/** A model that approves for itself. */
export const ofModel: readonly Attack[] = [
  ...tokens.map(({ what, begin, says = /call pay of ada: APPROVAL_(REQUIRED|DENIED)/ }): Attack => {
    const { world, token } = strict();
    return { attack: `a call with ${what}`, world, begin: (site) => begin(site, token), says };
  }),
  {
    attack: 'a call with _toolkit_approved: true where a person is asked',
    begin: async (world) => {
      await world.hold(given);
      return () => world.pay(given, { approved: true });
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a call with _toolkit_approved among its own arguments',
    begin: async (world) => {
      await world.hold(given);
      return () => world.pay({ ...given, _toolkit_approved: true });
    },
    says: /call pay of ada: (INVALID_PARAMETERS|APPROVAL_REQUIRED)/,
  },
  {
    attack: 'a call with _toolkit_approved: true of a tool that a policy asks about',
    world: { gate: { mode: 'flag' } },
    begin: async (world) => {
      await world.hold(given, { tool: 'transfer' });
      return () => world.pay(given, { tool: 'transfer', approved: true });
    },
    says: /call transfer of ada: APPROVAL_REQUIRED/,
  },
];
