import type { ApprovalRecord, CallRequest } from '../../../../kernel/index.ts';
import { type Attack, given, yes } from './attack.ts';
import type { World } from './attack-world.ts';

/** An equal call of one who was not approved. */
interface Stranger {
  readonly what: string;
  readonly asks: Partial<CallRequest>;
  readonly takes: Partial<CallRequest>;
}

/** Callers and tenants whose names could be mistaken for one another. */
const strangers: readonly Stranger[] = [
  { what: 'another caller', asks: {}, takes: { caller: 'eve' } },
  { what: 'a caller of the same name of another tenant', asks: { tenant: 'shop' }, takes: { tenant: 'thief' } },
  {
    what: 'a caller of the same name whose accounts are of another tenant',
    asks: { accountTenant: 'shop' },
    takes: { accountTenant: 'thief' },
  },
  { what: 'a tenant and a caller that are joined alike', asks: { tenant: 'a', caller: 'b/c' }, takes: { tenant: 'a/b', caller: 'c' } },
  { what: 'names that end a text of JSON', asks: { tenant: 'a', caller: 'b' }, takes: { tenant: 'a","b', caller: '' } },
  { what: 'a name with the separator of lists', asks: { tenant: 'a', caller: 'b,c' }, takes: { tenant: 'a,b', caller: 'c' } },
  { what: 'a name with a null byte', asks: { tenant: 'a', caller: 'b\0c' }, takes: { tenant: 'a\0b', caller: 'c' } },
  { what: 'a name in capitals', asks: { caller: 'ada' }, takes: { caller: 'ADA' } },
  { what: 'a name in another Unicode normalisation', asks: { caller: 'zoe\u0308' }, takes: { caller: 'zo\u00eb' } },
  { what: 'a name with a zero-width character', asks: { caller: 'ada' }, takes: { caller: 'ada\u200b' } },
  { what: 'a name with a space at its end', asks: { caller: 'ada' }, takes: { caller: 'ada ' } },
  { what: 'a letter of another script', asks: { caller: 'ada' }, takes: { caller: '\u0430da' } },
  { what: 'the name of a member of all objects', asks: { caller: 'ada' }, takes: { caller: '__proto__' } },
];

/** An approved call of `asks`, which nobody has run yet. */
async function permitted(world: World, more: Partial<CallRequest>): Promise<ApprovalRecord> {
  const held = await world.hold(given, more);
  return world.kernel.approvals.decide(held.id, yes);
}

/** Answers to another question, and calls of another one. */
export const foreign: readonly Attack[] = [
  ...strangers.map(
    ({ what, asks, takes }): Attack => ({
      attack: `a call with the approval of ${what}`,
      begin: async (world) => {
        await permitted(world, asks);
        return () => world.pay(given, { ...asks, ...takes });
      },
      says: /call pay of .*: (APPROVAL_REQUIRED|INVALID_PARAMETERS)/,
    }),
  ),
  {
    attack: 'a yes with the digest of another record',
    begin: async (world) => {
      const [one, other] = [await world.hold(given), await world.hold({ ...given, amount: 1000 })];
      return () => world.kernel.approvals.decide(other.id, { ...yes, digest: one.digest });
    },
    says: /answer .*(digest|what was asked)/,
  },
  {
    attack: 'a yes with the digest of the equal record of another caller',
    begin: async (world) => {
      const [one, other] = [await world.hold(given), await world.hold(given, { caller: 'eve' })];
      return () => world.kernel.approvals.decide(other.id, { ...yes, digest: one.digest });
    },
    says: /answer .*(digest|what was asked)/,
  },
  {
    attack: 'a call of another tool with the approval of the same arguments',
    begin: async (world) => {
      await permitted(world, {});
      return () => world.pay(given, { tool: 'refund' });
    },
    says: /call refund of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a call under a name (once) with the approval of one without',
    begin: async (world) => {
      await permitted(world, {});
      return () => world.pay(given, { once: 'mine' });
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a call without a name (once) with the approval of one that has it',
    begin: async (world) => {
      await permitted(world, { once: 'mine' });
      return () => world.pay(given);
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a call with credentials of its own with the approval of one without any',
    begin: async (world) => {
      await permitted(world, { tool: 'deposit' });
      return () => world.pay(given, { tool: 'deposit', credentials: { BANK_TOKEN: 'value-of-another-token' } });
    },
    says: /call deposit of ada: APPROVAL_REQUIRED/,
    // It can run only while its client waits.
    made: 'withdrawn',
  },
];
