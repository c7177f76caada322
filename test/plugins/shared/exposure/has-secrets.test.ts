import { expect } from 'chai';
import { type CredentialNeed, Secret, type Tool } from '../../../../kernel/index.ts';
import { hasSecrets } from '../../../../plugins/shared/exposure/has-secrets.ts';

const need = (name: string, more: Partial<CredentialNeed> = {}): CredentialNeed => ({
  name,
  secret: name,
  required: true,
  isSecret: true,
  ...more,
});

const cases: readonly {
  title: string;
  needs: readonly CredentialNeed[];
  stored?: readonly string[];
  sourced?: readonly string[];
  has: boolean;
}[] = [
  { title: 'no needs', needs: [], has: true },
  { title: 'a need that no resolver has', needs: [need('A')], has: false },
  { title: 'a need that a resolver has', needs: [need('A')], stored: ['A'], has: true },
  { title: 'a need that a source may have', needs: [need('A')], sourced: ['A'], has: true },
  { title: 'one need of a source, and one that is missing', needs: [need('A'), need('B')], sourced: ['A'], has: false },
  {
    title: 'a need derived from that of a source',
    needs: [need('A'), need('B', { deriveFrom: { parameter: 'A', pattern: '-(.+)$' } })],
    sourced: ['A'],
    has: true,
  },
  {
    title: 'a need derived from a value that does not hold it',
    needs: [need('A'), need('B', { deriveFrom: { parameter: 'A', pattern: '-(.+)$' } })],
    stored: ['A'],
    has: false,
  },
  {
    title: 'alternatives, one of which is that of a source',
    needs: ['A', 'B', 'C'].map((name) => need(name, { anyOf: [['A'], ['B', 'C']] })),
    sourced: ['A'],
    has: true,
  },
];

describe('the secrets of a tool', () => {
  for (const { title, needs, stored = [], sourced = [], has } of cases)
    it(`${has ? 'are there' : 'are not there'} for ${title}`, () => {
      const kernel = {
        secret: (name: string) => (stored.includes(name) ? new Secret(name, 'value') : undefined),
        hasSource: (name: string) => sourced.includes(name),
      };
      expect(hasSecrets(kernel, { credentials: needs } as Partial<Tool> as Tool)).to.equal(has);
    });
});
