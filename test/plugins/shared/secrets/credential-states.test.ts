import { expect } from 'chai';
import { type CredentialNeed, Secret, type Tool } from '../../../../kernel/index.ts';
import { credentialStates } from '../../../../plugins/shared/secrets/credential-states.ts';

const need = (name: string, more: Partial<CredentialNeed> = {}): CredentialNeed => ({
  name,
  secret: `SHOP_${name}`,
  required: true,
  isSecret: true,
  ...more,
});

describe('which credentials of a tool are missing', () => {
  const derived = need('HOST', { deriveFrom: { parameter: 'URL', pattern: '//(.*)' } });
  const values: Readonly<Record<string, string>> = { A: 'a', B: 'b', URL: 'http://shop' };
  const cases: readonly {
    readonly title: string;
    readonly credentials: readonly CredentialNeed[];
    readonly known?: readonly string[];
    readonly given?: Readonly<Record<string, string>>;
    readonly missing: readonly string[];
  }[] = [
    { title: 'none where there are none', credentials: [], missing: [] },
    { title: 'those that nobody has', credentials: [need('A'), need('B')], known: ['A'], missing: ['B'] },
    { title: 'not those given with the call', credentials: [need('A'), need('B')], given: { A: 'a' }, missing: ['B'] },
    { title: 'not those that a tool can do without', credentials: [need('A', { required: false })], missing: [] },
    {
      title: 'not those that another takes the place of',
      credentials: [need('A', { unless: 'B' }), need('B', { required: false })],
      known: ['B'],
      missing: [],
    },
    {
      title: 'one that nothing takes the place of',
      credentials: [need('A', { unless: 'B' }), need('B', { required: false })],
      missing: ['A'],
    },
    { title: 'not those that another holds', credentials: [derived, need('URL')], given: { URL: 'http://shop' }, missing: [] },
    { title: 'not those that a stored one holds', credentials: [derived, need('URL')], known: ['URL'], missing: [] },
    {
      title: 'those that the other does not hold after all',
      credentials: [derived, need('URL')],
      given: { URL: 'shop' },
      missing: ['HOST'],
    },
    { title: 'also what would hold another', credentials: [derived, need('URL')], missing: ['HOST', 'URL'] },
  ];
  for (const { title, credentials, known = [], given = {}, missing } of cases) {
    it(`are ${title}`, () => {
      const stored = new Map(known.map((name) => [`SHOP_${name}`, new Secret(name, values[name] ?? '')]));
      const kernel = {
        resolverOf: (secret: string) => (stored.has(secret) ? 'vault' : undefined),
        secret: (name: string) => stored.get(name),
      };
      const states = credentialStates({ credentials } as Tool, kernel, new Map(Object.entries(given)));
      expect(states.filter(({ isMissing }) => isMissing).map(({ name }) => name)).to.deep.equal(missing);
    });
  }
});
