import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { call, person } from './person.ts';
import { Repository } from './repository.ts';

interface Committed {
  readonly hash: string;
  readonly files: readonly unknown[];
}

const commit = (repository: Repository, parameters: Readonly<Record<string, unknown>>): Promise<Committed> =>
  call('git_commit', repository, parameters);

const raw = async (repository: Repository, format: string): Promise<string> =>
  (await repository.git('log', '-1', '--encoding=UTF-8', `--format=${format}`)).replace(/\n$/, '');

async function stagedFile(): Promise<Repository> {
  const repository = await Repository.create({ 'ä b': 'x\n' });
  await repository.git('add', '--all');
  return repository;
}

describe('git_commit', () => {
  beforeEach(() => person());

  it('commits what is staged, and nothing else, as the person of the configuration', async () => {
    const repository = await stagedFile();
    await repository.write({ 'ä b': 'x\ny\n', untracked: '' });
    const found = await commit(repository, { message: 'One' });
    expect(found).to.deep.equal({ hash: await repository.git('rev-parse', 'HEAD'), files: [{ path: 'ä b', added: 1, removed: 0 }] });
    expect(await raw(repository, '%an <%ae> %cn <%ce>')).to.equal('Grace Hopper <grace@example.com> Grace Hopper <grace@example.com>');
    expect(await repository.git('status', '--porcelain')).to.equal(' M "\\303\\244 b"\n?? untracked');
  });

  const messages: { name: string; message: string; stored: string }[] = [
    { name: 'a subject and a body', message: 'Subject\n\nBody.\n', stored: 'Subject\n\nBody.' },
    { name: 'non-ASCII text, quotes and a shell', message: 'Grüße 😀 "x" \'y\' $(id) `id`', stored: 'Grüße 😀 "x" \'y\' $(id) `id`' },
    { name: 'what looks like an option', message: '--amend', stored: '--amend' },
    { name: 'lines that begin with #', message: 'One\n\n# two\n', stored: 'One\n\n# two' },
    { name: 'blanks at the ends', message: '\n\n  One  \n\n\n\nTwo\n\n\n', stored: '  One\n\nTwo' },
    { name: 'placeholders', message: '{message} {{x}}', stored: '{message} {{x}}' },
  ];
  for (const { name, message, stored } of messages) {
    it(`keeps a message with ${name}`, async () => {
      const repository = await stagedFile();
      await commit(repository, { message });
      expect(await raw(repository, '%B')).to.equal(`${stored}\n`.replace(/\n$/, ''));
    });
  }

  it('keeps a message longer than an argument may be', async () => {
    const repository = await stagedFile();
    const message = `Long\n\n${'ä'.repeat(99_000)}`;
    await commit(repository, { message });
    expect(await raw(repository, '%B')).to.equal(message);
  });

  it('stores UTF-8, whatever encoding the repository says', async () => {
    const repository = await stagedFile();
    await repository.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
    await commit(repository, { message: 'Grüße' });
    expect(await raw(repository, '%e|%s')).to.equal('|Grüße');
  });

  it('takes another author', async () => {
    const repository = await stagedFile();
    await commit(repository, { message: 'One', author: 'Ünal "Q" O\'Neill <u@example.com>' });
    expect(await raw(repository, '%ae|%cn')).to.equal('u@example.com|Grace Hopper');
    expect(await raw(repository, '%an')).to.match(/^Ünal .*O'Neill$/);
  });

  it('commits when HEAD is detached', async () => {
    const repository = await stagedFile();
    const first = await repository.commit('One');
    await repository.git('checkout', '--quiet', '--detach');
    await repository.write({ b: '' });
    await repository.git('add', 'b');
    const { hash } = await commit(repository, { message: 'Two' });
    expect(await repository.git('rev-parse', 'main', `${hash}^`)).to.equal(`${first}\n${first}`);
  });

  it('finishes a merge, also one that changes nothing', async () => {
    const repository = await stagedFile();
    await repository.commit('Base', { a: '1\n' });
    await repository.git('switch', '--quiet', '--create', 'theirs');
    await repository.commit('Theirs', { a: '2\n' });
    await repository.git('switch', '--quiet', 'main');
    await repository.commit('Ours', { a: '3\n' });
    await repository.git('merge', 'theirs').catch(() => {});
    expect((await rejection(commit(repository, { message: 'Merge' }), 'EXECUTION_FAILED')).message)
      .to.include('in conflict')
      .and.include('git_add');
    await repository.git('checkout', '--quiet', '--ours', 'a');
    await repository.git('add', 'a');
    expect((await commit(repository, { message: 'Merge' })).files).to.deep.equal([]);
    expect((await raw(repository, '%P')).split(' ')).to.have.length(2);
  });

  it('runs no hooks and signs nothing', async () => {
    const repository = await stagedFile();
    for (const hook of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit']) {
      await repository.write({ [`.git/hooks/${hook}`]: '#!/bin/sh\nexit 1\n' });
      await chmod(path.join(repository.folder, '.git/hooks', hook), 0o755);
    }
    await repository.git('config', 'commit.gpgSign', 'true');
    await repository.git('config', 'commit.template', '/nonexistent');
    await repository.git('config', 'commit.verbose', 'true');
    await commit(repository, { message: 'One' });
    expect(await raw(repository, '%s')).to.equal('One');
  });

  it('says what to do when nothing is staged', async () => {
    const repository = await stagedFile();
    await repository.commit('One');
    await repository.write({ 'ä b': 'changed', new: '' });
    expect((await rejection(commit(repository, { message: 'Two' }), 'EXECUTION_FAILED')).message)
      .to.include('Nothing is staged')
      .and.include('git_add');
    await rejection(commit(await Repository.create(), { message: 'One' }), 'EXECUTION_FAILED');
  });

  for (const configuration of ['', '[user]\n\tname = Grace\n', '[user]\n\temail = grace@example.com\n']) {
    it(`says how to set who commits where the configuration has ${JSON.stringify(configuration)}`, async () => {
      await person(configuration);
      const repository = await stagedFile();
      const { message } = await rejection(commit(repository, { message: 'One' }), 'EXECUTION_FAILED');
      expect(message).to.include('git config --global user.name').and.include('user.email');
      await rm(path.join(repository.folder, '.git/COMMIT_EDITMSG'), { force: true });
      await repository.git('config', 'user.name', 'Own');
      await repository.git('config', 'user.email', 'own@example.com');
      await commit(repository, { message: 'One' });
      expect(await raw(repository, '%cn')).to.equal('Own');
    });
  }

  const refused: { name: string; parameters: Record<string, unknown>; parameter: string }[] = [
    { name: 'an empty message', parameters: { message: '' }, parameter: 'message' },
    { name: 'a blank message', parameters: { message: ' \n\t\n' }, parameter: 'message' },
    { name: 'a message with a null byte', parameters: { message: 'a\0b' }, parameter: 'message' },
    { name: 'an author without an address', parameters: { message: 'x', author: 'Ada' }, parameter: 'author' },
    { name: 'an author without a name', parameters: { message: 'x', author: ' <ada@example.com>' }, parameter: 'author' },
    { name: 'an author of two lines', parameters: { message: 'x', author: 'Ada\nx <ada@example.com>' }, parameter: 'author' },
    { name: 'an author of punctuation', parameters: { message: 'x', author: '. <ada@example.com>' }, parameter: 'author' },
  ];
  for (const { name, parameters, parameter } of refused) {
    it(`refuses ${name}`, async () => {
      const repository = await stagedFile();
      const error = await rejection(commit(repository, parameters), 'INVALID_PARAMETERS');
      expect(error.details.issues?.[0]?.path, error.message).to.equal(parameter);
      await repository.git('rev-parse', 'HEAD^{commit}').then(
        () => expect.fail('there is a commit'),
        () => {},
      );
    });
  }
});
