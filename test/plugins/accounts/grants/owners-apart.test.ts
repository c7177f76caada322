import { expect } from 'chai';
import { ToolkitError } from '../../../../kernel/index.ts';
import { MemoryStore } from '../../../../kernel/state/memory-store.ts';
import type { Grant, GrantOwner } from '../../../../plugins/accounts/grants/grant.ts';
import type { TokenSet } from '../../../../plugins/shared/oauth/types.ts';
import { Random } from '../../../support/random.ts';
import { ada, hourMs, newGrant, oauthError, open, tokenSet } from './grant-samples.ts';

const seeds = [1, 2, 3];
const people = 200;
const steps = 1500;
const lanes = 40;

/** People with the same names in two tenants. */
const owners: readonly GrantOwner[] = Array.from({ length: people }, (_, index) => ({
  ...ada,
  tenant: index % 2 === 0 ? '' : 'acme',
  caller: `person ${Math.floor(index / 2)}`,
}));

const nameOf = ({ tenant, caller }: GrantOwner): string => `${tenant}/${caller}`;

/** A provider that knows whose each refresh token is, and accepts each once. */
class Provider {
  readonly #people = new Map<string, string>();
  readonly #random: Random;
  #count = 0;
  now = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  issue(person: string): TokenSet {
    const refreshToken = `refresh ${++this.#count}`;
    this.#people.set(refreshToken, person);
    return tokenSet({ accessToken: `${person} ${this.#count}`, refreshToken, receivedAt: this.now });
  }

  readonly refresh = async ({ tokens: { refreshToken = '' } }: Grant): Promise<TokenSet> => {
    for (let wait = this.#random.below(8); wait > 0; wait--) await new Promise(setImmediate);
    const person = this.#people.get(refreshToken);
    if (person === undefined) throw oauthError('refused', 'invalid_grant');
    this.#people.delete(refreshToken);
    return this.issue(person);
  };
}

describe('grants of 200 people of two tenants, in three processes', () => {
  for (const seed of seeds)
    it(`give nobody the token of another one (seed ${seed})`, async () => {
      const random = new Random(seed);
      const provider = new Provider(random);
      const state = new Proxy(new MemoryStore(() => 0), {
        get: (store, name) => {
          if (name === 'isShared') return true;
          const member: unknown = Reflect.get(store, name);
          return typeof member === 'function' ? member.bind(store) : member;
        },
      });
      const processes = [1, 2, 3].map(() => open({ folder: '/nowhere', state, refresh: provider.refresh, now: () => provider.now }).grants);
      const outcomes = { live: 0, absent: 0, refused: 0 };
      const step = async (): Promise<void> => {
        const grants = random.oneOf(processes);
        const owner = random.oneOf(owners.slice(0, random.chance(0.5) ? 6 : people));
        const person = nameOf(owner);
        const { kind } = random.weighted([
          { kind: 'save', weight: 3 },
          { kind: 'delete', weight: 1 },
          { kind: 'expire', weight: 1 },
          { kind: 'list', weight: 0.2 },
          { kind: 'live', weight: 12 },
        ]);
        if (kind === 'save') await grants.save({ ...newGrant(owner), tokens: provider.issue(person) });
        else if (kind === 'delete') expectOf(await grants.delete(owner), owner);
        else if (kind === 'expire') provider.now += hourMs;
        else if (kind === 'list') for (const grant of await grants.list({ tenant: owner.tenant })) expectOf(grant, grant.owner);
        else {
          try {
            const grant = await grants.live(owner, { marginMs: 60_000, signal: new AbortController().signal });
            expectOf(grant, owner);
            outcomes[grant === undefined ? 'absent' : 'live']++;
          } catch (error) {
            expect(ToolkitError.is(error) && error.code).to.equal('AUTH_REQUIRED');
            outcomes.refused++;
          }
        }
      };
      let left = steps;
      const lane = async (): Promise<void> => {
        while (left-- > 0) await step();
      };
      await Promise.all(Array.from({ length: lanes }, lane));
      // Each refresh token is accepted once: a second use would be a refusal.
      expect(outcomes.refused).to.equal(0);
      expect(Math.min(outcomes.live, outcomes.absent)).to.be.above(0);
    });
});

function expectOf(grant: Grant | undefined, owner: GrantOwner): void {
  if (grant === undefined) return;
  expect(nameOf(grant.owner)).to.equal(nameOf(owner));
  expect(grant.tokens.accessToken.startsWith(`${nameOf(owner)} `), grant.tokens.accessToken).to.equal(true);
}
