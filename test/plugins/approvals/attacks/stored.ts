import type { ApprovalRecord } from '../../../../kernel/index.ts';
import { type Attack, ann, given, no, yes } from './attack.ts';
import { attackWorld, type World } from './attack-world.ts';
import { used } from './repeated.ts';

const keyOf = ({ id }: ApprovalRecord): string => `approvals/record/${id}`;

/** Every key and value of the plugin. */
async function copyOf({ store }: World): Promise<ReadonlyMap<string, string>> {
  const entries = await store.list('approvals/', { limit: 1000 });
  return new Map(entries.map(({ key, value }) => [key, value]));
}

async function writeBack({ store }: World, entries: ReadonlyMap<string, string>): Promise<void> {
  for (const [key, value] of entries) await store.set(key, value);
}

/** Returns the text with one bit of this byte changed. */
function flipped(text: string, index: number): string {
  const bytes = Buffer.from(text, 'base64url');
  const at = index < 0 ? bytes.length + index : index;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64url');
}

/** Texts that an attacker who can write into the store puts in place of a waiting record. */
const edits: readonly { readonly what: string; readonly edit: (text: string, record: ApprovalRecord) => string }[] = [
  { what: 'a bit changed at the beginning', edit: (text) => flipped(text, 0) },
  { what: 'a bit changed in the salt', edit: (text) => flipped(text, 5) },
  { what: 'a bit changed in the middle', edit: (text) => flipped(text, 200) },
  { what: 'a bit changed at the end', edit: (text) => flipped(text, -1) },
  { what: 'its end cut off', edit: (text) => text.slice(0, -40) },
  { what: 'nothing in it', edit: () => ' ' },
  {
    what: 'the text of an approved record, not sealed',
    edit: (_, record) => JSON.stringify({ version: 1, ...record, status: 'approved' }),
  },
  {
    what: 'a decision added, not sealed',
    edit: (_, record) =>
      JSON.stringify({ version: 1, ...record, status: 'approved', decisions: [{ approve: true, by: ann, at: Date.now() }] }),
  },
];

/** Changes of a record that waits, by one who can write into the store. Records of others stay. */
export const edited: readonly Attack[] = edits.map(
  ({ what, edit }): Attack => ({
    attack: `a record with ${what}`,
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      const text = (await world.store.get(keyOf(held))) ?? '';
      return async () => {
        await world.store.set(keyOf(held), edit(text, held));
        await world.pay(given).catch(() => {});
        await world.kernel.approvals.decide(held.id, yes).catch(() => {});
        await world.pay(given);
      };
    },
    says: /call pay of ada: /,
  }),
);

/** Texts of the store that are put elsewhere, or put back. */
export const moved: readonly Attack[] = [
  {
    attack: 'an approved record of another call under the id of this one',
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      const other = await world.hold({ ...given, amount: 2 });
      await world.kernel.approvals.decide(other.id, yes);
      return async () => {
        await world.store.set(keyOf(held), (await world.store.get(keyOf(other))) ?? '');
        await world.pay(given);
      };
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'an approved record of an equal call of another caller under the id of this one',
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      const other = await world.hold(given, { caller: 'eve' });
      await world.kernel.approvals.decide(other.id, yes);
      return async () => {
        await world.store.set(keyOf(held), (await world.store.get(keyOf(other))) ?? '');
        await world.pay(given);
      };
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'the open calls of another caller in place of those of this one',
    breaks: true,
    begin: async (world) => {
      const before = await copyOf(world);
      await world.hold(given);
      const mine = [...(await copyOf(world)).keys()].find((key) => key.startsWith('approvals/caller/') && !before.has(key)) ?? '';
      const between = await copyOf(world);
      const other = await world.hold(given, { caller: 'eve' });
      await world.kernel.approvals.decide(other.id, yes);
      const theirs = [...(await copyOf(world)).keys()].find((key) => key.startsWith('approvals/caller/') && !between.has(key)) ?? '';
      return async () => {
        await world.store.set(mine, (await world.store.get(theirs)) ?? '');
        await world.pay(given);
      };
    },
    says: /call pay of ada: /,
  },
  {
    attack: 'a record that waited, put back after the no',
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      const waiting = await copyOf(world);
      await world.kernel.approvals.decide(held.id, no);
      return async () => {
        await writeBack(world, waiting);
        await world.pay(given);
      };
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'an approved record, put back after its run',
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      await world.kernel.approvals.decide(held.id, yes);
      const approved = await copyOf(world);
      await world.pay(given);
      return async () => {
        await writeBack(world, approved);
        await world.pay(given);
      };
    },
    // It gets the result of the one run.
    says: /call pay of ada: completed/,
  },
  {
    attack: 'an approved record of a host with another key',
    breaks: true,
    begin: async (world) => {
      const held = await world.hold(given);
      return async () => {
        const thief = await attackWorld({ of: world, key: 'a key of the thief, of more than 32 bytes' });
        await thief.kernel.approvals.decide(held.id, yes).catch(() => {});
        await thief
          .hold(given)
          .then(({ id }) => thief.kernel.approvals.decide(id, yes))
          .catch(() => {});
        await world.pay(given);
      };
    },
    says: /call pay of ada: APPROVAL_REQUIRED/,
  },
  {
    attack: 'a record of a run put under an id that nobody asked about',
    breaks: true,
    begin: async (world) => {
      const held = await used(world);
      const text = (await world.store.get(keyOf(held))) ?? '';
      return async () => {
        await world.store.set('approvals/record/0000000000-0000000000', text);
        await world.kernel.approvals.decide('0000000000-0000000000', yes);
      };
    },
    says: /answer 0000000000-0000000000: the record cannot be read/,
  },
];
