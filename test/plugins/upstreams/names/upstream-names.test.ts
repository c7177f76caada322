import { expect } from 'chai';
import { type NameRequest, upstreamNames } from '../../../../plugins/upstreams/names/upstream-names.ts';
import { Random } from '../../../support/random.ts';

const named = (originals: readonly unknown[], more: Partial<NameRequest> = {}): Record<string, string> =>
  Object.fromEntries(upstreamNames({ source: 'srv', originals, ...more }).names);

describe('names of an upstream', () => {
  const cases: readonly [what: string, original: string, name: string][] = [
    ['keeps what our names allow', 'get-Sum_2', 'srv_get-Sum_2'],
    ['writes any other character as "_"', 'files/read.text', 'srv_files_read_text'],
    ['writes a character outside the basic plane as one "_"', 'a😀b', 'srv_a_b'],
    ['keeps a name that begins with the prefix', 'srv_get', 'srv_srv_get'],
    ['is ordinary text for the name of a prototype', '__proto__', 'srv___proto__'],
  ];
  for (const [what, original, name] of cases)
    it(what, () => {
      expect(named([original])[original] ?? upstreamNames({ source: 'srv', originals: [original] }).names.get(original)).to.equal(name);
    });

  it('end with a hash of the original over 60 characters, and have 60 at most', () => {
    const { a, b } = Object.fromEntries(
      ['a', 'b'].map((end) => {
        const original = `${'long_name_'.repeat(9)}${end}`;
        return [end, named([original])[original] ?? ''];
      }),
    );
    expect(a)
      .to.match(/^srv_long_name_.*_[0-9a-f]{6}$/)
      .and.have.length.at.most(60);
    expect(b)
      .to.match(/^srv_long_name_/)
      .and.not.equal(a);
  });

  it('are both hashed where two would be equal', () => {
    const { 'a.b': dot, 'a/b': slash, c } = named(['a.b', 'a/b', 'c']);
    expect([dot, slash].every((name) => /^srv_a_b_[0-9a-f]{6}$/.test(name ?? ''))).to.equal(true);
    expect(dot).to.not.equal(slash);
    expect(c).to.equal('srv_c');
  });

  it('do not depend on the order of the list, and are distinct', () => {
    const random = new Random(48);
    const parts = ['a', 'b.', '/c', '_', '-', 'd'.repeat(30), '😀', ' '];
    const originals = [
      ...new Set(Array.from({ length: 300 }, () => `x${Array.from({ length: random.between(1, 4) }, () => random.oneOf(parts)).join('')}`)),
    ];
    const expected = named(originals);
    const shuffled = originals
      .map((original) => ({ original, key: random.next() }))
      .sort((one, other) => one.key - other.key)
      .map(({ original }) => original);
    expect(named(shuffled)).to.deep.equal(expected);
    expect(new Set(Object.values(expected)).size).to.equal(originals.length);
    expect(Object.values(expected).every((name) => /^[A-Za-z0-9_-]{1,60}$/.test(name))).to.equal(true);
  });

  it('stay as the lock has them, also where a new name looks the same', () => {
    const known = new Map([['a.b', 'srv_a_b']]);
    const names = named(['a/b', 'a.b'], { known });
    expect(names['a.b']).to.equal('srv_a_b');
    expect(names['a/b']).to.match(/^srv_a_b_[0-9a-f]{6}$/);
  });

  it('keep a name of the lock free while its tool is not listed', () => {
    expect(named(['a/b'], { known: new Map([['a.b', 'srv_a_b']]) })['a/b']).to.match(/^srv_a_b_[0-9a-f]{6}$/);
  });

  it('get longer hashes where a name is equal to another one with its hash', () => {
    const first = named(['a.b', 'a/b'])['a.b']?.slice('srv_'.length) ?? '';
    const names = named(['a.b', 'a/b', first]);
    expect(new Set(Object.values(names)).size).to.equal(3);
  });

  it('leave out what the configuration excludes, by the names of the upstream', () => {
    const result = upstreamNames({
      source: 'srv',
      originals: ['read.file', 'read.dir', 'write.file'],
      selection: { include: ['read.*', 'list.*'], exclude: ['*.dir'] },
    });
    expect([...result.names.keys()]).to.deep.equal(['read.file']);
    expect(result.excluded).to.deep.equal(['read.dir', 'write.file']);
    expect(result.unused).to.deep.equal(['include: "list.*"']);
  });

  it('are those of "rename" with the prefix, and another tool does not get them', () => {
    const names = named(['delete', 'remove'], { selection: { rename: { delete: 'remove' } } });
    expect(names['delete']).to.equal('srv_remove');
    expect(names['remove']).to.match(/^srv_remove_[0-9a-f]{6}$/);
  });

  const refused: readonly [what: string, request: Partial<NameRequest>, reason: RegExp][] = [
    ['a name that is no text', { originals: [3] }, /has no text as its name/],
    ['an empty name', { originals: [' '] }, /has an empty name/],
    ['a very long name', { originals: ['x'.repeat(257)] }, /has a name of 257 characters, expected at most 256/],
    ['a name that stands twice', { originals: ['a', 'b', 'a'] }, /is listed 2 times: none of them is taken/],
    [
      'a new name with other characters',
      { originals: ['a'], selection: { rename: { a: 'a b' } } },
      /is renamed to "a b": expected letters/,
    ],
    [
      'two that are renamed to one',
      { originals: ['a', 'b'], selection: { rename: { a: 'c', b: 'c' } } },
      /is renamed to "srv_c", as another one is too/,
    ],
  ];
  for (const [what, request, reason] of refused)
    it(`name ${what} with the reason`, () => {
      const { names, refused: found } = upstreamNames({ source: 'srv', originals: [], ...request });
      expect(found.length).to.be.greaterThan(0);
      for (const one of found) expect(one.reason).to.match(reason);
      for (const one of found) expect(names.has(one.original)).to.equal(false);
    });
});
