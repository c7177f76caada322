import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { history, Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

interface Commit {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly date: string | null;
  readonly subject: string;
  readonly body: string;
}

async function log({ folder }: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<readonly Commit[]> {
  const toolkit = await coreToolkit({ roots: [folder] });
  return ((await toolkit.execute('git_log', parameters)) as unknown as { commits: readonly Commit[] }).commits;
}

async function hashes(repository: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<readonly string[]> {
  return (await log(repository, parameters)).map(({ hash }) => hash);
}

/** Returns the commits as plain git prints them, one field at a time. */
async function asGitPrints(repository: Repository, revisions: readonly string[]): Promise<readonly Commit[]> {
  const field = (hash: string, format: string): Promise<string> => repository.git('show', '--no-patch', `--format=${format}`, hash);
  const commits = revisions.map(async (hash) => ({
    hash,
    author: await field(hash, '%aN'),
    email: await field(hash, '%aE'),
    date: await field(hash, '%aI'),
    subject: await field(hash, '%s'),
    body: (await field(hash, '%b')).replace(/\n+$/, ''),
  }));
  return Promise.all(commits);
}

describe('git_log', () => {
  it('gives every field as plain git prints it, whatever is in the message', async () => {
    const repository = await Repository.create();
    const messages = [
      'Plain',
      'Subject\n\nBody of one line.\n',
      'Subject\nthat goes on\n\nFirst paragraph.\n\n  Indented, "quoted", \'twice\', $(id) `id`\n\n\nLast.\n\n\n',
      'Grüße 😀\n\nä\tö\r\nü',
      '\n\n  leading blanks',
      '# not a comment\n\n# neither',
      '%H %x00 {revision} {{path}}',
      '',
    ];
    for (const message of messages)
      await repository.gitWith({}, 'commit', '-q', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '-m', message);
    const revisions = (await repository.git('rev-list', 'HEAD')).split('\n');
    const commits = await log(repository);
    expect(commits).to.have.length(messages.length);
    expect(commits).to.deep.equal(await asGitPrints(repository, revisions));
    expect(commits[5]).to.include({
      subject: 'Subject that goes on',
      body: 'First paragraph.\n\n  Indented, "quoted", \'twice\', $(id) `id`\n\n\nLast.',
    });
  });

  it('gives UTF-8, in whatever encoding the commit was written and the repository wants its output', async () => {
    const repository = await Repository.create();
    const file = path.join(repository.folder, 'message');
    await writeFile(file, Buffer.from('Grüße', 'latin1'));
    await repository.git('config', 'i18n.commitEncoding', 'ISO-8859-1');
    await repository.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
    await repository.git('commit', '--quiet', '--allow-empty', `--file=${file}`);
    expect((await log(repository))[0]?.subject).to.equal('Grüße');
  });

  it('corrects names with .mailmap, as git log does', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { '.mailmap': 'Ada King <countess@example.com> <ada@example.com>\n' });
    expect((await log(repository))[0]).to.include({ author: 'Ada King', email: 'countess@example.com' });
    expect(await log(repository, { author: 'countess' })).to.have.length(1);
  });

  it('gives no date for a commit that has no valid one', async () => {
    const repository = await Repository.create();
    const tree = await repository.git('write-tree');
    const file = path.join(repository.folder, 'object');
    await writeFile(file, `tree ${tree}\nauthor A <a@b> not-a-date\ncommitter C <c@d> 1 +0000\n\nBroken\n`);
    const hash = await repository.git('hash-object', '-t', 'commit', '-w', '--literally', file);
    await repository.git('update-ref', 'refs/heads/broken', hash);
    expect(await log(repository, { revision: 'broken' })).to.deep.equal([
      { hash, author: 'A', email: 'a@b', date: null, subject: 'Broken', body: '' },
    ]);
  });

  const filters: { name: string; parameters: Record<string, unknown>; plain: string[]; count: number }[] = [
    { name: 'everything from HEAD', parameters: {}, plain: ['HEAD'], count: 3 },
    { name: 'the newest', parameters: { max_count: 2 }, plain: ['-n2', 'HEAD'], count: 2 },
    { name: 'a branch', parameters: { revision: 'side' }, plain: ['side'], count: 3 },
    { name: 'a tag', parameters: { revision: 'v1.0' }, plain: ['v1.0'], count: 3 },
    { name: 'a range', parameters: { revision: 'main..side' }, plain: ['main..side'], count: 1 },
    { name: 'a symmetric range', parameters: { revision: 'main...side' }, plain: ['main...side'], count: 2 },
    { name: 'an ancestor', parameters: { revision: 'HEAD~1' }, plain: ['HEAD~1'], count: 2 },
    { name: 'an excluded revision', parameters: { revision: '^HEAD' }, plain: ['^HEAD', '--'], count: 0 },
    { name: 'a file', parameters: { path: 'a.txt' }, plain: ['HEAD', '--', 'a.txt'], count: 2 },
    { name: 'a folder', parameters: { path: 'src' }, plain: ['HEAD', '--', 'src/'], count: 1 },
    { name: 'a file that is not there', parameters: { path: 'gone.txt' }, plain: ['HEAD', '--', 'gone.txt'], count: 0 },
    { name: 'wildcards as they are', parameters: { path: '*.txt' }, plain: ['HEAD', '--', ':(literal)*.txt'], count: 0 },
    { name: 'pathspec magic as it is', parameters: { path: ':(glob)*.txt' }, plain: ['HEAD', '--', ':(literal):(glob)*.txt'], count: 0 },
    { name: 'an author by name', parameters: { author: 'turing' }, plain: ['-i', '--author=turing', 'HEAD'], count: 2 },
    {
      name: 'an author by address',
      parameters: { author: 'alan+turing@' },
      plain: ['-F', '-i', '--author=alan+turing@', 'HEAD'],
      count: 1,
    },
    { name: 'an author with a dot, literally', parameters: { author: 'n.t' }, plain: ['--author=n[.]T', 'HEAD'], count: 1 },
    { name: 'a regular expression, literally', parameters: { author: 'A.*' }, plain: ['-F', '--author=A.*', 'HEAD'], count: 0 },
    { name: 'a start', parameters: { since: '2024-02-10T10:00:00Z' }, plain: ['--since=2024-02-10T10:00:00Z', 'HEAD'], count: 2 },
    { name: 'an end', parameters: { until: '2024-02-10T10:00:00Z' }, plain: ['--until=2024-02-10T10:00:00Z', 'HEAD'], count: 2 },
    {
      name: 'a start and an end with offsets',
      parameters: { since: '2024-01-10 10:00:01 +02:00', until: '2024-03-10T14:59:59+00:00' },
      plain: ['--since=2024-01-10 10:00:01 +02:00', '--until=2024-03-10T14:59:59+00:00', 'HEAD'],
      count: 1,
    },
    { name: 'a date alone', parameters: { since: '2024-02-01' }, plain: ['--since=2024-02-01', 'HEAD'], count: 2 },
    { name: 'a span', parameters: { since: '1 day ago' }, plain: ['--since=1 day ago', 'HEAD'], count: 0 },
    { name: 'the end of a span', parameters: { until: '2 weeks ago' }, plain: ['--until=2 weeks ago', 'HEAD'], count: 3 },
    {
      name: 'everything together',
      parameters: {
        revision: 'main',
        path: 'a.txt',
        author: 'ada',
        since: '2024-01-01T00:00:00Z',
        until: '2024-12-31T00:00:00Z',
        max_count: 1,
      },
      plain: ['-n1', '-i', '--author=ada', '--since=2024-01-01T00:00:00Z', '--until=2024-12-31T00:00:00Z', 'main', '--', 'a.txt'],
      count: 1,
    },
  ];
  for (const { name, parameters, plain, count } of filters) {
    it(`lists ${name} as plain git does`, async () => {
      const repository = await history();
      const expected = (await repository.git('log', '--format=%H', ...plain)).split('\n').filter((line) => line !== '');
      expect(expected, 'the table').to.have.length(count);
      expect(await hashes(repository, parameters)).to.deep.equal(expected);
    });
  }

  it('gives fifty commits unless told otherwise', async () => {
    const repository = await Repository.create();
    for (let count = 0; count < 51; count++) await repository.commit(`${count}`);
    expect(await log(repository)).to.have.length(50);
  });

  for (const name of [
    ' späce ',
    '"quoted"',
    "it's",
    'new\nline',
    'a*b?.[c]',
    ':(top)x',
    '-dash',
    '--all',
    'ä€😀',
    'back\\slash',
    '{path}',
  ]) {
    it(`finds the commits of a file called ${JSON.stringify(name)}`, async () => {
      const repository = await Repository.create();
      await repository.commit('Other', { other: '' });
      const hash = await repository.commit('This', { [name]: '' });
      expect(await hashes(repository, { path: name })).to.deep.equal([hash]);
    });
  }

  it('takes a revision that begins with a dash for a revision', async () => {
    const repository = await history();
    await repository.git('update-ref', 'refs/heads/-n1', 'side');
    expect((await log(repository, { revision: '-n1' })).map(({ subject }) => subject)).to.deep.equal(['Side', 'Second', 'Start']);
  });

  it('gives an empty list for a repository without commits, which knows no other revision', async () => {
    const repository = await Repository.create({ 'a.txt': '' });
    expect(await log(repository)).to.deep.equal([]);
    expect(await log(repository, { path: 'a.txt', since: '1 day ago' })).to.deep.equal([]);
    const toolkit = await coreToolkit({ roots: [repository.folder] });
    for (const revision of ['main', 'HEAD~1', 'v1.0']) await rejection(toolkit.execute('git_log', { revision }), 'INVALID_PARAMETERS');
  });

  it('starts at a detached HEAD', async () => {
    const repository = await history();
    await repository.git('checkout', '--quiet', '--detach', 'v1.0~1');
    expect((await log(repository)).map(({ subject }) => subject)).to.deep.equal(['Second', 'Start']);
  });

  it('works with a folder name of spaces and quotes, and in a linked working tree', async () => {
    const repository = await Repository.create({}, 'my "project" of $1 ä');
    const hash = await repository.commit('One');
    await repository.git('worktree', 'add', '--quiet', 'linked');
    expect(await hashes(repository)).to.deep.equal([hash]);
    expect(await hashes(repository, { repository: 'linked' })).to.deep.equal([hash]);
  });

  it('is not changed by the display settings of the repository', async () => {
    const repository = await history();
    const before = await log(repository, { path: 'a.txt' });
    const settings = {
      'format.pretty': 'oneline',
      'color.ui': 'always',
      'log.decorate': 'full',
      'log.date': 'relative',
      'log.follow': 'true',
      'log.showRoot': 'false',
      'log.abbrevCommit': 'true',
      'grep.patternType': 'perl',
    };
    for (const [name, value] of Object.entries(settings)) await repository.git('config', name, value);
    expect(await log(repository, { path: 'a.txt' })).to.deep.equal(before);
  });
});
