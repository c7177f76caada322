import { expect } from 'chai';
import { type Mount, Mounts } from '../../../plugins/sandbox-bwrap/mounts.ts';
import { rightsNotes } from '../../../plugins/sandbox-bwrap/notes.ts';

const write = (place: string): Mount => ({ path: place, kind: 'write' });
const read = (place: string): Mount => ({ path: place, kind: 'read' });
const hide = (place: string, isFolder = false): Mount => ({ path: place, kind: 'hide', isFolder });

describe('the mounts of a sandbox', () => {
  it('come from the outside in, and are closed at last', () => {
    const mounts = new Mounts([write('/r/a/b'), read('/usr'), hide('/r/a/secret', true), write('/r')]);
    expect(mounts.toArguments().join(' ')).to.equal(
      [
        '--bind /r /r --ro-bind /usr /usr --bind /r/a/b /r/a/b --perms 0000 --tmpfs /r/a/secret',
        '--remount-ro /r/a/secret --remount-ro /proc --remount-ro /dev --remount-ro /',
      ].join(' '),
    );
  });

  it('hold the folders above a wall, as far as they can be written', () => {
    const mounts = new Mounts([write('/r')]);
    mounts.addProtection(read('/r/a/b/conf'), '/r');
    mounts.addProtection(hide('/r/a/b/conf/deep/.env'), '/r');
    expect(mounts.toArguments().slice(0, -6).join(' ')).to.equal(
      '--bind /r /r --bind /r/a /r/a --bind /r/a/b /r/a/b --ro-bind /r/a/b/conf /r/a/b/conf --ro-bind /dev/null /r/a/b/conf/deep/.env',
    );
  });

  it('are the stricter of two at one place, in any order', () => {
    for (const pair of [[write('/r'), read('/r')] as const, [read('/r'), write('/r')] as const])
      expect(new Mounts(pair).innermostAt('/r/x')).to.deep.equal(read('/r'));
  });

  it('leave out what can be read anyway', () => {
    expect(new Mounts([read('/usr'), read('/usr/bin')]).toArguments()).not.to.include('/usr/bin');
  });

  it('show what is in them, and nothing else', () => {
    const mounts = new Mounts([read('/usr'), hide('/usr/private', true), { path: '/tmp', kind: 'private', maxBytes: 1, mode: '1777' }]);
    const shown = ['/usr/bin/x', '/usr/private/x', '/tmp/x', '/home'].filter((place) => mounts.isVisible(place));
    expect(shown).to.deep.equal(['/usr/bin/x']);
  });
});

describe('what is said of a program that ran into a wall', () => {
  const cases = [
    { title: 'nothing after a success', end: { exitCode: 0, text: 'Read-only file system' }, rights: {}, says: [] },
    {
      title: 'the key that opens packages',
      end: { exitCode: 1, text: 'npm error EROFS: read-only' },
      rights: {},
      says: ['writes: [packages]'],
    },
    {
      title: 'the key that opens the network',
      end: { exitCode: 6, text: 'Could not resolve host: example.org' },
      rights: {},
      says: ['network: true'],
    },
    {
      title: 'nothing where all is open',
      end: { exitCode: 1, text: 'EROFS ENOTFOUND' },
      rights: { network: true, writes: ['git', 'packages'] as const },
      says: [],
    },
  ];
  for (const { title, end, rights, says } of cases)
    it(title, () => {
      const notes = rightsNotes(end, { network: false, writes: [], ...rights });
      expect(notes).to.have.length(says.length);
      for (const [index, words] of says.entries()) expect(notes[index]).to.include(words);
    });
});
