import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { gitServer } from './git-server.ts';
import { person } from './person.ts';
import { type Cloned, pushedByOthers, withRemote } from './remotes.ts';
import { Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

type Git = Repository['git'];

interface Case {
  readonly tool: string;
  /** Prepares the project for the examples. */
  readonly prepare?: (both: Cloned) => Promise<unknown>;
  /** Expected outputs, one for each example, computed by plain git before the call. */
  readonly before?: readonly ((git: Git) => Promise<unknown>)[];
  /** The same, after the call. */
  readonly after?: readonly ((git: Git) => Promise<unknown>)[];
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

async function commitAt(git: Git, revision: string): Promise<Record<string, unknown>> {
  const fields = await git('show', '--no-patch', '--format=%H%x00%an%x00%ae%x00%aI%x00%s%x00%b', revision);
  const [hash, author, email, date, subject, body = ''] = fields.split('\0');
  return { hash, author, email, date, subject, body: body.trim() };
}

async function commits(git: Git, ...args: readonly string[]): Promise<unknown> {
  const hashes = linesOf(await git('rev-list', ...args));
  return { commits: await Promise.all(hashes.map((hash) => commitAt(git, hash))) };
}

async function filesOf(git: Git, command: string, ...args: readonly string[]): Promise<readonly unknown[]> {
  const records = linesOf(await git(command, '--numstat', ...args)).map((line) => line.split('\t'));
  return records.map(([added, removed, path]) => ({ path, added: Number(added), removed: Number(removed) }));
}

const change = async ({ project }: Cloned): Promise<void> => {
  await project.write({ 'README.md': '# Changed\n', 'src/index.ts': 'parseConfig(1);\n' });
  await project.git('add', 'src');
};

async function blamed(git: Git, range: string, path: string): Promise<unknown> {
  const records = linesOf(await git('blame', '-l', '--root', '--date=iso-strict', `-L${range}`, path));
  const lines = records.map((line, index) => {
    const [, hash, author, date, text] = /^(\S+) \((.*?) +(\S+) +\d+\) (.*)$/.exec(line) ?? [];
    return { line: index + 1, hash, author, date, text };
  });
  return { lines };
}

const cases: readonly Case[] = [
  {
    tool: 'git_status',
    prepare: change,
    before: [
      async (git) => ({
        branch: await git('branch', '--show-current'),
        ahead: Number(await git('rev-list', '--count', '@{upstream}..')),
        behind: Number(await git('rev-list', '--count', '..@{upstream}')),
        files: [
          { path: 'README.md', index: '.', worktree: 'M' },
          { path: 'src/index.ts', index: 'M', worktree: '.' },
        ],
      }),
    ],
  },
  {
    tool: 'git_log',
    before: [
      (git) => commits(git, '--max-count=10', 'HEAD'),
      (git) => commits(git, '--since=2.weeks.ago', '--author=ada@example.com', 'HEAD', '--', 'src'),
      // None: the project never had it.
      async (git) => ({ commits: (await git('log', '--format=%H', '-Sexport function parse(')).split('\n').filter((hash) => hash !== '') }),
    ],
  },
  {
    tool: 'git_diff',
    prepare: change,
    before: [
      async (git) => ({ diff: `${await git('diff')}\n`, files: await filesOf(git, 'diff') }),
      async (git) => ({ diff: '', files: await filesOf(git, 'diff', '--cached', '--', 'src') }),
    ],
  },
  {
    tool: 'git_show',
    before: [
      async (git) => ({
        type: 'commit',
        hash: await git('rev-parse', 'HEAD'),
        commit: { ...(await commitAt(git, 'HEAD')), parents: [await git('rev-parse', 'HEAD~1')] },
        files: await filesOf(git, 'show', '--format=', 'HEAD'),
        diff: `${await git('show', '--format=', 'HEAD')}\n`,
      }),
      async (git) => ({
        type: 'file',
        hash: await git('rev-parse', 'HEAD:package.json'),
        size: Number(await git('cat-file', '-s', 'HEAD:package.json')),
        content: `${await git('cat-file', 'blob', 'HEAD:package.json')}\n`,
      }),
    ],
  },
  { tool: 'git_blame', before: [(git) => blamed(git, '1,3', 'README.md')] },
  {
    tool: 'git_list_branches',
    before: [
      async (git) => ({
        branches: [
          { name: 'feature/old', hash: await git('rev-parse', 'feature/old'), current: false, upstream: null },
          { name: 'main', hash: await git('rev-parse', 'main'), current: true, upstream: 'origin/main', upstream_gone: false },
        ],
      }),
    ],
  },
  {
    tool: 'git_list_tags',
    before: [
      async (git) => ({
        tags: [
          { name: 'v1.0', hash: await git('rev-parse', 'v1.0'), date: await git('log', '-1', '--format=%cI', 'v1.0'), annotated: false },
        ],
      }),
    ],
  },
  {
    tool: 'git_grep',
    before: [
      async (git) => {
        const [path, line, text] = (await git('grep', '--line-number', 'parseConfig(', '--', 'src')).split(':');
        return { matches: [{ path, line: Number(line), text }], truncated: false };
      },
    ],
  },
  {
    tool: 'git_add',
    prepare: ({ project }) => project.write({ 'README.md': '', new: '' }),
    after: [async (git) => ({ staged: linesOf(await git('diff', '--cached', '--name-only')) })],
  },
  {
    tool: 'git_commit',
    prepare: change,
    after: [async (git) => ({ hash: await git('rev-parse', 'main'), files: await filesOf(git, 'show', '--format=', 'HEAD') })],
  },
  {
    tool: 'git_create_branch',
    after: [async (git) => ({ name: 'feature/search', hash: await git('rev-parse', 'refs/heads/feature/search') })],
  },
  {
    tool: 'git_switch',
    prepare: ({ project }) => project.git('switch', '--quiet', 'feature/old'),
    after: [async (git) => ({ branch: await git('branch', '--show-current'), hash: await git('rev-parse', 'HEAD') })],
  },
  {
    tool: 'git_restore',
    prepare: change,
    before: [async (git) => ({ restored: linesOf(await git('diff', '--cached', '--name-only')) })],
  },
  {
    tool: 'git_fetch',
    prepare: async (both) => {
      await pushedByOthers(both, { theirs: '' });
      await both.remote.git('update-ref', '-d', 'refs/heads/feature/old');
    },
    after: [
      async (git) => ({
        updated: [
          { ref: 'refs/remotes/origin/feature/old', from: await git('rev-parse', 'feature/old'), to: null },
          { ref: 'refs/remotes/origin/main', from: await git('rev-parse', 'main'), to: await git('rev-parse', 'origin/main') },
        ],
      }),
    ],
  },
  {
    tool: 'git_pull',
    prepare: (both) => pushedByOthers(both, { theirs: 'x\n' }),
    after: [async (git) => ({ hash: await git('rev-parse', 'origin/main'), files: await filesOf(git, 'diff', 'ORIG_HEAD', 'HEAD') })],
  },
  {
    tool: 'git_push',
    prepare: ({ project }) => project.git('branch', 'feature/search'),
    after: [async (git) => ({ ref: 'refs/heads/feature/search', from: null, to: await git('rev-parse', 'feature/search@{upstream}') })],
  },
];

/** A project of three commits with a remote, served over HTTP. */
async function project(): Promise<Cloned> {
  const repository = await Repository.create();
  await repository.commit('First', { 'README.md': '# Title\n\nText.\n', 'package.json': '{ "version": "1.0.0" }\n' });
  await repository.git('tag', 'v1.0');
  await repository.git('branch', 'feature/old');
  await repository.commit('Second', { 'src/index.ts': 'parseConfig();\n' });
  await repository.git('tag', 'v2.0');
  await repository.commit('Third', { 'README.md': '# Title\n\nOther text.\n' });
  const both = await withRemote(repository);
  const { url } = await gitServer(both.folder);
  await repository.git('config', 'remote.origin.url', `${url}/remote.git`);
  return both;
}

describe('the examples of the git tools', () => {
  beforeEach(() => person());

  it('are all here', async () => {
    const toolkit = await coreToolkit();
    const tools = toolkit.listTools().filter(({ name }) => name.startsWith('git_'));
    const numbers = tools.map(({ name, definition }) => [name, definition.examples?.length]);
    expect(numbers).to.have.deep.members(cases.map(({ tool, before, after }) => [tool, (before ?? after ?? []).length]));
    expect(tools).to.have.length(16);
  });

  for (const { tool, prepare, before = [], after = [] } of cases) {
    it(`give for ${tool} what plain git says`, async () => {
      for (const index of (before.length > 0 ? before : after).keys()) {
        const both = await project();
        await prepare?.(both);
        const git: Git = (...args) => both.project.git(...args);
        const toolkit = await coreToolkit({ roots: [both.project.folder], allowHosts: ['127.0.0.1'] });
        const example = toolkit.kernel.registry.get(tool).definition.examples?.[index];
        const expected = await before[index]?.(git);
        const found = await toolkit.execute(tool, example?.parameters ?? {});
        if (before.length > 0) expect(found).to.deep.equal(expected);
        if (after.length > 0) expect(found).to.deep.equal(await after[index]?.(git));
      }
    });
  }
});
