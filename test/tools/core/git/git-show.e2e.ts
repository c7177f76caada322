import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { oddNames } from './names.ts';
import { call } from './person.ts';
import { history, Repository } from './repository.ts';

interface Shown {
  readonly type: 'commit' | 'file' | 'folder';
  readonly hash: string;
  readonly commit?: Readonly<Record<string, unknown>>;
  readonly diff?: string;
  readonly files?: readonly unknown[];
  readonly content?: string | null;
  readonly size?: number;
  readonly entries?: readonly unknown[];
  readonly tag?: Readonly<Record<string, unknown>>;
}

const show = (repository: Repository, object: string, file?: string): Promise<Shown> =>
  call('git_show', repository, { object, ...(file === undefined ? {} : { path: file }) });

describe('git_show', () => {
  for (const object of ['HEAD', 'v1.0', 'side', 'HEAD~1', 'HEAD~2', 'main@{0}']) {
    it(`shows the commit ${object} as plain git does`, async () => {
      const repository = await history();
      const format = (field: string): Promise<string> => repository.git('show', '--no-patch', `--format=${field}`, object);
      const found = await show(repository, object);
      expect(found).to.include({ type: 'commit', hash: await format('%H') });
      expect(found.commit).to.deep.equal({
        hash: await format('%H'),
        author: await format('%aN'),
        email: await format('%aE'),
        date: await format('%aI'),
        subject: await format('%s'),
        body: '',
        parents: (await format('%P')).split(' ').filter((hash) => hash !== ''),
      });
      expect(found.diff).to.equal(`${await repository.git('show', '--format=', object)}\n`);
      expect(found.files).to.have.length(1);
    });
  }

  it('shows a merge against its first parent', async () => {
    const repository = await history();
    await repository.git('merge', '--quiet', '--message=Merge', 'side');
    const found = await show(repository, 'HEAD');
    expect(found.files).to.deep.equal([{ path: 'side.txt', added: 1, removed: 0 }]);
    expect(found.commit?.['parents']).to.have.length(2);
  });

  it('shows a commit that changes nothing with an empty diff', async () => {
    const repository = await history();
    await repository.git('commit', '--quiet', '--allow-empty', '--message=Empty');
    expect(await show(repository, 'HEAD')).to.deep.include({ diff: '', files: [] });
  });

  it('shows a file as it was, whatever is in it', async () => {
    const repository = await Repository.create();
    const text = 'Grüße 😀\r\n\n"{object}" \ufffd\n\n';
    await repository.commit('One', { 'src/ä b': text, empty: '' });
    await repository.commit('Two', { 'src/ä b': 'other' });
    expect(await show(repository, 'HEAD~1', 'src/ä b')).to.deep.equal({
      type: 'file',
      hash: await repository.git('rev-parse', 'HEAD~1:src/ä b'),
      size: Buffer.byteLength(text),
      content: text,
    });
    expect(await show(repository, 'HEAD', 'empty')).to.include({ content: '', size: 0 });
  });

  it('shows files with odd names, as entries of their folder and in the diff of their commit', async () => {
    const repository = await Repository.create();
    await repository.commit('One', Object.fromEntries(oddNames.map((name) => [`folder/${name}`, `${name}\n`])));
    for (const name of oddNames) expect(await show(repository, 'HEAD', `folder/${name}`), name).to.include({ content: `${name}\n` });
    const named = (await show(repository, 'HEAD', 'folder')).entries as { name: string }[];
    expect(named.map(({ name }) => name)).to.have.members(oddNames);
    const changed = (await show(repository, 'HEAD')).files as { path: string }[];
    expect(changed.map((file) => file.path)).to.have.members(oddNames.map((name) => `folder/${name}`));
  });

  const bytes: { name: string; content: Buffer }[] = [
    { name: 'null bytes', content: Buffer.from('a\0b') },
    { name: 'bytes that are no UTF-8', content: Buffer.from('Grüße', 'latin1') },
    { name: 'a character that is cut off', content: Buffer.from('😀').subarray(0, 3) },
  ];
  for (const { name, content } of bytes) {
    it(`gives no content for a file with ${name}`, async () => {
      const repository = await Repository.create();
      await writeFile(path.join(repository.folder, 'file'), content);
      await repository.commit('One');
      expect(await show(repository, 'HEAD', 'file')).to.include({ type: 'file', content: null, size: content.length });
    });
  }

  it('lists a folder with what is in it', async () => {
    const repository = await history();
    const hash = (name: string): Promise<string> => repository.git('rev-parse', `HEAD:${name}`);
    const expected = [
      { name: 'a.txt', type: 'file', hash: await hash('a.txt'), size: 1 },
      { name: 'src', type: 'folder', hash: await hash('src') },
    ];
    expect((await show(repository, 'HEAD^{tree}')).entries).to.deep.equal(expected);
    expect((await show(repository, 'HEAD', 'src/')).entries).to.deep.equal([
      { name: 'b.txt', type: 'file', hash: await hash('src/b.txt'), size: 1 },
    ]);
  });

  it('shows an annotated tag with what it names, also of another tag and of a file', async () => {
    const repository = await history();
    await repository.gitWith({ GIT_COMMITTER_DATE: '2024-05-01T10:00:00+05:30' }, 'tag', '--message=Größe\n\nMore.', 'annotated');
    await repository.git('tag', '--message=Outer', 'outer', 'annotated');
    await repository.git('tag', '--message=File', 'file', 'HEAD:a.txt');
    const found = await show(repository, 'annotated');
    expect(found.tag).to.deep.equal({
      name: 'annotated',
      tagger: 'Grace Hopper',
      email: 'grace@example.com',
      date: '2024-05-01T10:00:00+05:30',
      message: 'Größe\n\nMore.',
    });
    expect(found).to.include({ type: 'commit', hash: await repository.git('rev-parse', 'HEAD') });
    expect((await show(repository, 'outer')).tag).to.include({ name: 'outer' });
    expect(await show(repository, 'file')).to.include({ type: 'file', content: '3' });
    expect(await show(repository, 'annotated', 'a.txt')).to.include({ content: '3' });
  });

  it('shows what is staged, and each side of a conflict', async () => {
    const repository = await history();
    await repository.write({ 'a.txt': 'staged' });
    await repository.git('add', 'a.txt');
    expect(await show(repository, ':a.txt')).to.include({ content: 'staged' });
  });

  it('takes a revision that begins with a dash for a revision', async () => {
    const repository = await history();
    await repository.git('update-ref', 'refs/heads/--all', 'side');
    expect((await show(repository, '--all')).commit).to.include({ subject: 'Side' });
  });

  const refused: { name: string; object: string; path?: string; code: 'INVALID_PARAMETERS' | 'NOT_FOUND'; parameter: string }[] = [
    { name: 'an object that does not exist', object: 'nowhere', code: 'INVALID_PARAMETERS', parameter: 'object' },
    { name: 'a range', object: 'HEAD~1..HEAD', code: 'INVALID_PARAMETERS', parameter: 'object' },
    { name: 'an option', object: '--output=marker', code: 'INVALID_PARAMETERS', parameter: 'object' },
    { name: 'two objects', object: 'HEAD\nHEAD', code: 'INVALID_PARAMETERS', parameter: 'object' },
    { name: 'a path that the commit has not', object: 'HEAD', path: 'nowhere', code: 'NOT_FOUND', parameter: 'path' },
    { name: 'a path outside', object: 'HEAD', path: '../x', code: 'NOT_FOUND', parameter: 'path' },
    { name: 'an absolute path', object: 'HEAD', path: '/etc/passwd', code: 'NOT_FOUND', parameter: 'path' },
  ];
  for (const { name, object, path: file, code, parameter } of refused) {
    it(`refuses ${name}`, async () => {
      const error = await rejection(show(await history(), object, file), code);
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
    });
  }

  it('refuses HEAD where there is no commit yet', async () => {
    await rejection(show(await Repository.create(), 'HEAD'), 'INVALID_PARAMETERS');
  });

  it('says how to ask for less when a commit or a file is too large', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { big: 'a long line of a big file\n'.repeat(500_000) });
    expect((await rejection(show(repository, 'HEAD'), 'OUTPUT_TOO_LARGE')).message).to.include('git_diff');
    expect((await rejection(show(repository, 'HEAD', 'big'), 'OUTPUT_TOO_LARGE')).message).to.include('13000000 bytes');
  });
});
