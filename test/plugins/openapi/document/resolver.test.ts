import { expect } from 'chai';
import type { Located } from '../../../../plugins/openapi/document/resolve.ts';
import { location, readValue } from '../read-value.ts';

async function resolverOf(members: object, texts: Record<string, string> = {}) {
  const value = { openapi: '3.1.0', paths: {}, ...members };
  const { opened } = await readValue(value, { texts });
  const root: Located = { value: opened.value, base: location, pointer: '' };
  return { root, resolver: opened.resolver, resolve: (reference: string, from = root) => opened.resolver.resolve(reference, from) };
}

const found = (value: unknown, pointer: string, base = location): Located => ({ value, base, pointer });

describe('a resolver', () => {
  const members = {
    components: {
      'a/b': { 'c~d': 1 },
      'e f': { g: [{ h: 2 }] },
      '%41': 3,
      schemas: {
        Pet: { $id: 'https://pets.test/pet', $anchor: 'pet', properties: { name: { type: 'string' } } },
        Alias: { $ref: '#/components/schemas/Second' },
        Second: { $ref: '#/components/schemas/Pet' },
        Odd: { properties: { $ref: { type: 'string' } } },
      },
    },
  };
  const pointers: Record<string, [reference: string, value: unknown, pointer: string]> = {
    'an escaped slash and tilde': ['#/components/a~1b/c~0d', 1, '/components/a~1b/c~0d'],
    'percent-encoding': ['#/components/e%20f/g/0/h', 2, '/components/e f/g/0/h'],
    'a percent sign that is no encoding': ['#/components/%2541', 3, '/components/%41'],
    'an anchor': ['#pet', members.components.schemas.Pet, '/components/schemas/Pet'],
    'the identifier of a schema': ['https://pets.test/pet#/properties/name', { type: 'string' }, '/components/schemas/Pet/properties/name'],
    'a chain of references': ['#/components/schemas/Alias', members.components.schemas.Pet, '/components/schemas/Pet'],
    'a way through references': [
      '#/components/schemas/Alias/properties/name',
      { type: 'string' },
      '/components/schemas/Pet/properties/name',
    ],
    'a member called $ref': [
      '#/components/schemas/Odd/properties',
      members.components.schemas.Odd.properties,
      '/components/schemas/Odd/properties',
    ],
    'the document by its own name': ['openapi.json#/components/%2541', 3, '/components/%41'],
  };
  for (const [name, [reference, value, pointer]] of Object.entries(pointers)) {
    it(`follows ${name}`, async () => {
      const { resolve } = await resolverOf(members);
      expect(resolve(reference)).to.deep.equal(found(value, pointer));
    });
  }

  const broken: Record<string, [reference: string, reason: RegExp]> = {
    'a missing member': ['#/components/schemas/Gone', /leads to nothing: there is no "Gone" in "\/components\/schemas"/],
    'an inherited member': ['#/components/toString', /there is no "toString"/],
    'the prototype': ['#/components/__proto__', /there is no "__proto__"/],
    'the length of a list': ['#/components/e f/g/length', /there is no "length"/],
    'an index beyond a list': ['#/components/e f/g/1', /there is no "1"/],
    'an unknown anchor': ['#nobody', /names an anchor that its document does not have/],
  };
  for (const [name, [reference, reason]] of Object.entries(broken)) {
    it(`gives the reason for ${name}`, async () => {
      const { resolve } = await resolverOf(members);
      expect(resolve(reference)).to.match(reason);
    });
  }

  const cycles: Record<string, object> = {
    'a reference to itself': { A: { $ref: '#/c/A' } },
    'two references to each other': { A: { $ref: '#/c/B' }, B: { $ref: '#/c/A' } },
    'a way through itself': { A: { $ref: '#/c/A/x' } },
    'a growing way': { A: { $ref: '#/c/B/x' }, B: { x: { $ref: '#/c/A/y' } } },
    'a chain of thousands': Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [at === 0 ? 'A' : at, { $ref: `#/c/${at + 1}` }])),
  };
  for (const [name, c] of Object.entries(cycles)) {
    it(`ends at ${name}`, async () => {
      const { resolve } = await resolverOf({ c });
      expect(resolve('#/c/A')).to.be.a('string');
    });
  }

  it('resolves a reference relative to the file that holds it', async () => {
    const { resolve, resolver } = await resolverOf(
      { x: { $ref: './schemas/pet.yaml#/Pet' } },
      {
        '/api/schemas/pet.yaml': 'Pet:\n  properties:\n    owner: {$ref: "../people.json#/Owner"}\n',
        '/api/people.json': '{"Owner": {"type": "string"}}',
      },
    );
    const pet = resolve('#/x') as Located;
    expect(pet).to.include({ base: '/api/schemas/pet.yaml', pointer: '/Pet' });
    expect(resolver.follow(resolver.at(pet, 'properties', 'owner') as Located)).to.deep.equal(
      found({ type: 'string' }, '/Owner', '/api/people.json'),
    );
  });

  it('gives values without references as they are', async () => {
    const { root, resolver } = await resolverOf(members);
    const pet = resolver.at(root, 'components', 'schemas', 'Pet') as Located;
    expect(resolver.follow(pet)).to.equal(pet);
    expect(resolver.at(root, 'components', 'nothing', 'x')).to.equal(undefined);
  });
});
