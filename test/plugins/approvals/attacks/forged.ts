import type { ApprovalAnswer } from '../../../../kernel/index.ts';
import { type Attack, ann, given, yes } from './attack.ts';
import type { World } from './attack-world.ts';

/** Ids that an attacker sends in place of the one that it does not know. */
const ids: readonly { readonly what: string; readonly of: (id: string) => string }[] = [
  { what: 'an id of no record', of: () => 'AAAAAAAAAAA-AAAAAAAAAAAAAAAA' },
  { what: 'an empty id', of: () => '' },
  { what: 'a guessed id, one character off', of: (id) => `${id.slice(0, -1)}${id.endsWith('A') ? 'B' : 'A'}` },
  { what: 'the beginning of an id', of: (id) => id.slice(0, -1) },
  { what: 'the sortable part of an id', of: (id) => id.split('-')[0] ?? '' },
  { what: 'an id and a slash', of: (id) => `${id}/` },
  { what: 'the key of a record', of: (id) => `record/${id}` },
  { what: 'a path to a record', of: (id) => `../record/${id}` },
  { what: 'an id in capitals', of: (id) => (id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase()) },
  { what: 'an id and a null byte', of: (id) => `${id}\0` },
  { what: 'an id with half a surrogate pair', of: (id) => `${id}\ud800` },
  { what: 'an id of 100,000 characters', of: (id) => id.padEnd(100_000, 'A') },
  { what: 'the name of a member of all objects as id', of: () => '__proto__' },
];

const answers: readonly { readonly what: string; readonly says: RegExp; readonly answer: object }[] = [
  { what: 'a text for yes', says: /approve/, answer: { approve: 'true', by: ann } },
  { what: 'a number for yes', says: /approve/, answer: { approve: 1, by: ann } },
  { what: 'no yes and no no', says: /approve/, answer: { by: ann } },
  { what: 'an answer without a decider', says: /by|decide|name/, answer: { approve: true } },
  { what: 'an answer of a decider without a name', says: /name/, answer: { approve: true, by: { way: 'library', name: '' } } },
  { what: 'an answer of a decider whose name is a list', says: /name/, answer: { approve: true, by: { way: 'library', name: ['ann'] } } },
  { what: 'an empty digest', says: /digest|what was asked/, answer: { ...yes, digest: '' } },
  { what: 'a digest of zeros', says: /digest|what was asked/, answer: { ...yes, digest: '0'.repeat(64) } },
  { what: 'a digest that is no text', says: /digest|what was asked/, answer: { ...yes, digest: { length: 64 } } },
];

const digests: readonly { readonly what: string; readonly of: (digest: string) => string }[] = [
  { what: 'the beginning of the digest', of: (digest) => digest.slice(0, 12) },
  { what: 'the digest in capitals', of: (digest) => digest.toUpperCase() },
  { what: 'the digest and a space', of: (digest) => `${digest} ` },
];

/** Answers of one who does not know what a decider knows. */
export const forged: readonly Attack[] = [
  ...ids.map(
    ({ what, of }): Attack => ({
      attack: `a yes with ${what}`,
      begin: onHeld((world, { id }) => world.kernel.approvals.decide(of(id), yes)),
      says: /answer .*no such approval/,
    }),
  ),
  ...answers.map(
    ({ what, says, answer }): Attack => ({
      attack: `a yes with ${what}`,
      begin: onHeld((world, { id }) => world.kernel.approvals.decide(id, answer as ApprovalAnswer)),
      says: new RegExp(`answer .*(${says.source})`),
    }),
  ),
  ...digests.map(
    ({ what, of }): Attack => ({
      attack: `a yes with ${what}`,
      begin: onHeld((world, { id, digest }) => world.kernel.approvals.decide(id, { ...yes, digest: of(digest) })),
      says: /answer .*(digest|what was asked)/,
    }),
  ),
  {
    attack: 'a yes with the digest of the policy',
    begin: onHeld((world, { id, policy }) => world.kernel.approvals.decide(id, { ...yes, digest: policy })),
    says: /answer .*(digest|what was asked)/,
  },
  {
    attack: 'an answer with a refusal that holds for everything',
    begin: onHeld((world, { id }) => world.kernel.approvals.decide(id, { approve: false, by: ann, hold: 'all' } as never)),
    says: /answer .*hold/,
  },
];

/** An attack on a call that waits. */
export function onHeld(
  attack: (world: World, held: Awaited<ReturnType<World['hold']>>) => Promise<unknown>,
  parameters: Readonly<Record<string, unknown>> = given,
): Attack['begin'] {
  return async (world) => {
    const held = await world.hold(parameters);
    return () => attack(world, held);
  };
}
