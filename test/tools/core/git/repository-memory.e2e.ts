import { chmod, chown, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { AnswerCache } from '../../../../tools/core/git/repository-memory.ts';
import { countedTools } from './counted.ts';
import { kindsOfTrees } from './linked.ts';
import { person } from './person.ts';
import { history, Repository } from './repository.ts';

describe('git tools that only read', () => {
  beforeEach(() => person());

  const calls: { tool: string; given?: Record<string, unknown>; starts?: number }[] = [
    { tool: 'git_status' },
    { tool: 'git_log' },
    { tool: 'git_log', given: { changed_text: '3', path: 'a.txt' } },
    { tool: 'git_grep', given: { pattern: '3' } },
    { tool: 'git_diff' },
    { tool: 'git_diff', given: { from: 'HEAD~1', to: 'HEAD' } },
    { tool: 'git_diff', given: { from: 'HEAD~1', stat: true } },
    { tool: 'git_blame', given: { path: 'a.txt' } },
    { tool: 'git_list_branches' },
    { tool: 'git_list_tags' },
    { tool: 'git_show', given: { object: 'HEAD' }, starts: 4 },
  ];
  for (const { tool, given = {}, starts = 1 } of calls)
    it(`start git ${starts === 1 ? 'once' : `${starts} times`} for ${tool} ${JSON.stringify(given)}, once the repository is known`, async () => {
      const repository = await history();
      await repository.write({ 'a.txt': 'changed\n' });
      const { toolkit, takeStarts } = await countedTools(repository.folder);
      const first = await toolkit.execute(tool, given);
      // The second knows the index as well.
      await toolkit.execute(tool, given);
      takeStarts();
      expect(await toolkit.execute(tool, given)).to.deep.equal(first);
      expect(takeStarts()).to.equal(starts);
    });

  for (const [kind, make] of Object.entries(kindsOfTrees))
    it(`know ${kind}`, async () => {
      const { tree, folder } = await make();
      const { toolkit, takeStarts } = await countedTools(folder);
      await toolkit.execute('git_log', { repository: tree.folder });
      takeStarts();
      expect(await toolkit.execute('git_status', { repository: tree.folder })).to.include({ branch: 'feature' });
      expect(takeStarts(), 'the status, and what the index says').to.equal(2);
    });

  it('do not know a repository that has just changed, because it may change again at the same time', async () => {
    const repository = await history();
    await repository.git('config', 'user.nickname', 'x');
    const { toolkit, takeStarts } = await countedTools(repository.folder);
    const file = path.join(repository.folder, '.git/config');
    await utimes(file, new Date(), new Date(Date.now() - 1000));
    for (let round = 0; round < 2; round++) {
      await toolkit.execute('git_log');
      expect(takeStarts()).to.equal(3);
    }
  });

  const asked: { name: string; set: (repository: Repository, home: string) => Promise<unknown> }[] = [
    {
      name: 'whose configuration includes a file',
      set: async (repository) => repository.git('config', 'include.path', '../included'),
    },
    {
      name: 'where the configuration of the person includes a file',
      set: (_, home) => writeFile(path.join(home, '.gitconfig'), '[include]\n\tpath = more\n'),
    },
    { name: 'whose configuration names a program', set: (repository) => repository.git('config', 'filter.x.clean', 'cat') },
    { name: 'of a person with hooks', set: (_, home) => writeFile(path.join(home, '.gitconfig'), '[hook "x"]\n\tcommand = false\n') },
    {
      name: 'whose .git is a symbolic link',
      async set({ folder }) {
        await rename(path.join(folder, '.git'), path.join(folder, 'moved'));
        await symlink('moved', path.join(folder, '.git'));
      },
    },
  ];
  for (const { name, set } of asked)
    it(`ask git each time in a repository ${name}`, async () => {
      const home = await person();
      const repository = await history();
      await set(repository, home);
      const { toolkit, takeStarts } = await countedTools(repository.folder);
      for (let round = 0; round < 3; round++) {
        await toolkit.execute('git_log').catch(() => {});
        expect(takeStarts(), `round ${round}`).to.be.at.least(2);
      }
    });
});

describe('git tools that know a repository', () => {
  const evil = '[core]\n\tworktree = /\n';
  const changes: { name: string; change: (repository: Repository, home: string) => Promise<unknown>; error?: string }[] = [
    { name: 'a setting', change: (repository) => repository.git('config', 'user.nickname', 'x') },
    {
      name: 'a setting that leads out',
      change: (repository) => repository.git('config', 'core.worktree', '../..'),
      error: 'core.worktree leads to',
    },
    {
      name: 'a setting in as many bytes, with the time of before',
      async change({ folder }) {
        const file = path.join(folder, '.git/config');
        const { atime, mtime } = await stat(file);
        const text = await readFile(file, 'utf8');
        await writeFile(file, evil.padEnd(text.length, '#').slice(0, text.length));
        await utimes(file, atime, mtime);
      },
      error: 'core.worktree leads to',
    },
    {
      name: 'another file in the place of the configuration',
      async change({ folder }) {
        const file = path.join(folder, '.git/config');
        const { atime, mtime } = await stat(file);
        await writeFile(`${file}.new`, evil);
        await utimes(`${file}.new`, atime, mtime);
        await rename(`${file}.new`, file);
      },
      error: 'core.worktree leads to',
    },
    { name: 'a configuration of the working tree', change: ({ folder }) => writeFile(path.join(folder, '.git/config.worktree'), evil) },
    {
      name: 'the configuration of the person',
      change: (_, home) => writeFile(path.join(home, '.gitconfig'), '[hook "x"]\n\tcommand = false\n'),
    },
    {
      name: 'a further configuration of the person',
      async change(_, home) {
        await mkdir(path.join(home, '.config/git'), { recursive: true });
        await writeFile(path.join(home, '.config/git/config'), '[user]\n\tname = X\n');
      },
    },
    {
      name: 'a broken configuration',
      change: ({ folder }) => writeFile(path.join(folder, '.git/config'), '[core\n'),
      error: 'bad config',
    },
    {
      name: 'another repository in its place',
      async change({ folder }) {
        await rm(path.join(folder, '.git'), { recursive: true });
        await Repository.at(folder).git('init', '--quiet', '--initial-branch=other');
      },
    },
    { name: 'no repository any more', change: ({ folder }) => rm(path.join(folder, '.git'), { recursive: true }), error: 'top folder' },
    { name: 'no HEAD any more', change: ({ folder }) => rm(path.join(folder, '.git/HEAD')), error: 'top folder' },
    {
      name: 'no objects any more',
      change: ({ folder }) => rename(path.join(folder, '.git/objects'), path.join(folder, '.git/o')),
      error: 'top folder',
    },
    {
      name: 'a .git that leads elsewhere',
      async change({ folder }) {
        await rename(path.join(folder, '.git'), path.join(folder, 'moved'));
        await writeFile(path.join(folder, '.git'), 'gitdir: moved\n');
      },
    },
    ...(process.geteuid?.() === 0
      ? [
          {
            name: 'another owner',
            change: ({ folder }: Repository) => chown(path.join(folder, '.git'), 4711, 4711),
            error: 'safe.directory',
          },
        ]
      : []),
  ];
  for (const { name, change, error = 'worked' } of changes)
    it(`notice ${name}`, async () => {
      const home = await person();
      const repository = await history();
      const { toolkit, takeStarts } = await countedTools(repository.folder);
      await toolkit.execute('git_log');
      await toolkit.execute('git_log');
      takeStarts();
      await toolkit.execute('git_log');
      expect(takeStarts(), 'before').to.equal(1);
      await change(repository, home);
      const answer = await toolkit.execute('git_log').then(
        () => 'worked',
        ({ message }: Error) => message,
      );
      expect(answer).to.include(error);
      expect(takeStarts(), 'after').to.be.at.least(error === 'worked' ? 3 : 1);
    });

  it('notice what changes in the index', async () => {
    await person();
    const repository = await history();
    const { toolkit, takeStarts } = await countedTools(repository.folder);
    for (let round = 0; round < 3; round++) await toolkit.execute('git_status');
    takeStarts();
    expect(await toolkit.execute('git_status')).to.not.have.property('left_out');
    expect(takeStarts()).to.equal(1);
    await repository.git('update-index', '--assume-unchanged', 'a.txt');
    expect(await toolkit.execute('git_status')).to.deep.include({ left_out: { hidden: { count: 1, paths: ['a.txt'] } } });
    await chmod(path.join(repository.folder, '.git/index'), 0o600);
    await repository.git('update-index', '--no-assume-unchanged', 'a.txt');
    expect(await toolkit.execute('git_status')).to.not.have.property('left_out');
  });
});

describe('answers of git', () => {
  const at = (changedAtMs: number, text = 'same') => ({ text, changedAtMs });

  const cases = [
    { name: 'are kept where nothing changed for longer than a clock may stand', before: at(7000), after: at(7000), isKept: true },
    { name: 'are not kept of what changed in the last two seconds', before: at(8500), after: at(8500), isKept: false },
    { name: 'are not kept of what changes in times to come', before: at(20_000), after: at(20_000), isKept: false },
    { name: 'are not kept where something changed meanwhile', before: at(0, 'one'), after: at(0, 'two'), isKept: false },
    { name: 'are not kept of what cannot be compared', before: undefined, after: at(0), isKept: false },
    { name: 'are not kept of what cannot be compared afterwards', before: at(0), after: undefined, isKept: false },
  ];
  for (const { name, before, after, isKept } of cases)
    it(name, () => {
      const answers = new AnswerCache<string>(() => 10_000);
      answers.store('it', 'old', at(0), at(0));
      answers.store('it', 'new', before, after);
      expect(answers.get('it')?.answer).to.equal(isKept ? 'new' : undefined);
    });

  it('are 64 at most, of which the oldest goes', () => {
    const answers = new AnswerCache<number>(() => 10_000);
    for (let number = 0; number < 65; number++) answers.store(`${number}`, number, at(0), at(0));
    expect([answers.get('0'), answers.get('1')?.answer, answers.get('64')?.answer]).to.deep.equal([undefined, 1, 64]);
  });
});
