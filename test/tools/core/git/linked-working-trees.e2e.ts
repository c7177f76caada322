import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { confinePaths } from '../../../../plugins/confine-paths/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { isWholeRound } from '../../../support/round.ts';
import { gitFolderOf, kindsOfTrees, linked, submodule } from './linked.ts';
import { person } from './person.ts';

const { coreToolkit } = coreGroup('git');

/** A call of each git tool, in an order in which each finds what it needs, and what of its result tells that it was this working tree. */
const calls: readonly { readonly tool: string; readonly given?: Record<string, unknown>; readonly shows?: object }[] = [
  { tool: 'git_status', shows: { branch: 'feature' } },
  { tool: 'git_add', given: { paths: ['new.txt'] }, shows: { staged: ['new.txt'] } },
  { tool: 'git_commit', given: { message: 'Of this tree' } },
  { tool: 'git_log', given: { max_count: 1 }, shows: { commits: { 0: { subject: 'Of this tree' } } } },
  { tool: 'git_show', given: { object: 'HEAD' }, shows: { commit: { subject: 'Of this tree' } } },
  { tool: 'git_diff', given: { from: 'HEAD~1', to: 'HEAD' }, shows: { files: { 0: { path: 'new.txt' } } } },
  { tool: 'git_blame', given: { path: 'new.txt' } },
  { tool: 'git_grep', given: { pattern: 'only here' } },
  { tool: 'git_list_branches' },
  { tool: 'git_list_tags' },
  { tool: 'git_push', given: { branch: 'feature' }, shows: { ref: 'refs/heads/feature' } },
  { tool: 'git_fetch' },
  { tool: 'git_pull', given: { branch: 'feature' }, shows: { files: [] } },
  { tool: 'git_create_branch', given: { name: 'further' } },
  { tool: 'git_switch', given: { branch: 'further' }, shows: { branch: 'further' } },
  { tool: 'git_restore', given: { paths: ['a.txt'] }, shows: { restored: ['a.txt'] } },
];

const writing = ['git_add', 'git_commit', 'git_push', 'git_fetch', 'git_pull', 'git_create_branch', 'git_switch', 'git_restore'];

describe('git tools in a working tree whose Git folder is elsewhere', () => {
  beforeEach(() => person());

  it('are all tried here', async () => {
    const tools = (await readdir('tools/core/git')).filter((name) => name.endsWith('.yaml')).map((name) => name.slice(0, -5));
    expect(calls.map(({ tool }) => tool)).to.have.members(tools);
  });

  /** All of them in the first of each, these in the others: what a tool does is the same once the folders are known. */
  const whole = new Set(['a linked working tree', 'a submodule']);
  const short = new Set(['git_status', 'git_add', 'git_commit', 'git_log', 'git_push', 'git_create_branch', 'git_switch']);

  for (const [kind, make] of Object.entries(kindsOfTrees)) {
    it(`work in ${kind}, and leave the other one as it is`, async () => {
      const { tree, project, remote, folder } = await make();
      const isOther = project.folder !== tree.folder;
      const before = isOther ? await project.git('symbolic-ref', 'HEAD') : '';
      const toolkit = await coreToolkit({ roots: [folder] });
      await tree.write({ 'new.txt': 'only here\n' });
      const tried = isWholeRound || whole.has(kind) ? calls : calls.filter(({ tool }) => short.has(tool));
      for (const { tool, given, shows = {} } of tried) {
        if (tool === 'git_restore') await tree.write({ 'a.txt': 'spoiled\n' });
        const result = await toolkit.execute(tool, { repository: tree.folder, ...given });
        expectToShow(result, shows, tool);
      }
      expect(await tree.git('log', '-1', '--format=%s', 'further')).to.equal('Of this tree');
      expect(await remote.git('log', '-1', '--format=%s', 'feature')).to.equal('Of this tree');
      if (isOther) expect(await project.git('symbolic-ref', 'HEAD')).to.equal(before);
    });
  }

  for (const [kind, make] of [
    ['a linked working tree', linked],
    ['a submodule', submodule],
  ] as const) {
    it(`refuse ${kind} whose Git folder is outside of the roots, in words that lead to no other checkout`, async () => {
      const { tree } = await make();
      const own = await gitFolderOf(tree);
      const common = kind === 'a submodule' ? own : path.resolve(own, '../..');
      const toolkit = await coreToolkit({ roots: [tree.folder] });
      for (const { tool, given } of calls) {
        const error = await rejection(toolkit.execute(tool, given ?? {}), 'INVALID_PARAMETERS');
        expect(error.message, tool).to.include(`${common}, outside of the roots`).and.include('the operator adds that folder');
        expect(error.message, tool).to.not.match(/instead|main repository/);
      }
    });
  }

  it('only read where the Git folder may only be read', async () => {
    const { tree, project } = await linked();
    await tree.write({ 'new.txt': 'only here\n' });
    const gitFolder = path.join(project.folder, '.git');
    const toolkit = await coreToolkit({ plugins: [confinePaths({ roots: [tree.folder], readRoots: [gitFolder] })] });
    for (const { tool, given } of calls) {
      const answer = toolkit.execute(tool, given ?? {}).catch((error: Error) => error.message);
      if (writing.includes(tool)) expect(await answer, tool).to.include(`${gitFolder}, outside of the roots`);
      // Of the commit that was not made there is nothing to blame.
      else expect(String(await answer), tool).to.not.include('roots');
    }
    expect(await tree.git('log', '-1', '--format=%s')).to.not.equal('Of this tree');
  });

  it('only read where a folder for reading lies around the Git folder, inside of one for writing', async () => {
    const { tree, project, folder } = await linked();
    const toolkit = await coreToolkit({ plugins: [confinePaths({ roots: [folder], readRoots: [project.folder] })] });
    expect(await toolkit.execute('git_status', { repository: tree.folder })).to.include({ branch: 'feature' });
    const create = toolkit.execute('git_create_branch', { repository: tree.folder, name: 'x' });
    expect((await rejection(create, 'INVALID_PARAMETERS')).message).to.include('open to tools for writing');
  });

  it('of which git_switch leads to no other checkout for a branch that is checked out there', async () => {
    const { tree, folder } = await linked();
    const toolkit = await coreToolkit({ roots: [folder] });
    const error = await rejection(toolkit.execute('git_switch', { repository: tree.folder, branch: 'main' }), 'EXECUTION_FAILED');
    expect(error.message).to.include('To go on from it here, create a branch').and.not.include('Work there');
  });
});

/** A part of a result, with lists by their index. */
function expectToShow(value: unknown, part: object, what: string): void {
  for (const [key, expected] of Object.entries(part)) {
    const actual = (value as Record<string, unknown>)[key];
    if (expected !== null && typeof expected === 'object' && !Array.isArray(expected)) expectToShow(actual, expected, what);
    else expect(actual, `${what} ${key}`).to.deep.equal(expected);
  }
}
