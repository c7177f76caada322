import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { person } from './person.ts';
import { Repository } from './repository.ts';
import { callInside } from './walled.ts';

const secrets = ['.env', 'sub/.env.local', '.Env.prod', 'config/login.txt'];

/** Secrets in two commits, beside ordinary files, and changed since. */
async function leaky(): Promise<Repository> {
  const repository = await Repository.create();
  const files = (text: string): Record<string, string> =>
    Object.fromEntries([...secrets, 'a.txt', '.env.example', 'sub/.environment'].map((name) => [name, `${text} of ${name}\nTOKEN\n`]));
  await repository.commit('One', files('first'));
  await repository.commit('Two', files('second'));
  await repository.write(files('third'));
  return repository;
}

/** All that a tool says, as text. */
const said = async (tool: string, repository: Repository, parameters: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  JSON.stringify(await callInside(tool, repository, parameters));

/** A word of a secret is not in it; one of an ordinary file is. */
function expectWithheld(text: string): void {
  for (const name of secrets) expect(text, name).to.not.include(`of ${name}\\n`).and.not.include(`of ${name}"`);
  for (const name of ['a.txt', '.env.example', 'sub/.environment']) expect(text).to.include(`of ${name}`);
}

describe('files with secrets, of which git tools', () => {
  beforeEach(() => person());

  const tools: { name: string; tool: string; parameters: Record<string, unknown> }[] = [
    { name: 'the diff of the working tree', tool: 'git_diff', parameters: {} },
    { name: 'the diff of two commits', tool: 'git_diff', parameters: { from: 'HEAD~1', to: 'HEAD' } },
    { name: 'the diff of a range', tool: 'git_diff', parameters: { from: 'HEAD~1..' } },
    { name: 'the diff to a commit', tool: 'git_diff', parameters: { from: 'HEAD~1' } },
    { name: 'the diff of the top folder', tool: 'git_diff', parameters: { from: 'HEAD~1', path: '.' } },
    { name: 'a commit', tool: 'git_show', parameters: { object: 'HEAD' } },
    { name: 'the first commit', tool: 'git_show', parameters: { object: 'HEAD~1' } },
    { name: 'lines of the working tree', tool: 'git_grep', parameters: { pattern: 'of ' } },
    { name: 'lines of a commit', tool: 'git_grep', parameters: { pattern: 'of ', revision: 'HEAD~1' } },
  ];
  for (const { name, tool, parameters } of tools) {
    it(`leave out of ${name}`, async () => {
      const repository = await leaky();
      const text = await said(tool, repository, parameters);
      expectWithheld(text);
      const { left_out: leftOut } = JSON.parse(text) as { left_out?: unknown };
      expect(leftOut).to.deep.equal(tool === 'git_grep' ? undefined : [...secrets].sort());
    });
  }

  it('count nothing in the statistics of a diff', async () => {
    const { files } = await callInside<{ files: { path: string }[] }>('git_diff', await leaky(), { stat: true });
    expect(files.map((file) => file.path)).to.deep.equal(['.env.example', 'a.txt', 'sub/.environment']);
  });

  const refused: { tool: string; parameters: (name: string) => Record<string, unknown> }[] = [
    { tool: 'git_diff', parameters: (name) => ({ path: name }) },
    { tool: 'git_diff', parameters: (name) => ({ path: `./sub/../${name}`, from: 'HEAD~1' }) },
    { tool: 'git_show', parameters: (name) => ({ object: 'HEAD', path: name }) },
    { tool: 'git_show', parameters: (name) => ({ object: 'HEAD~1', path: `./${name}` }) },
    { tool: 'git_show', parameters: (name) => ({ object: `HEAD~1:${name}` }) },
    { tool: 'git_show', parameters: (name) => ({ object: `:${name}` }) },
    { tool: 'git_blame', parameters: (name) => ({ path: name }) },
    { tool: 'git_grep', parameters: (name) => ({ path: name, pattern: '.' }) },
  ];
  for (const { tool, parameters } of refused) {
    for (const name of secrets) {
      it(`refuse to show ${JSON.stringify(parameters(name))} with ${tool}`, async () => {
        const error = await rejection(callInside(tool, await leaky(), parameters(name)), 'POLICY_DENIED');
        expect(error.message).to.include('control file').and.include('tools do not read it');
      });
    }
  }

  it('show none by the hash of what is in it, of its folder, or in place of a commit', async () => {
    const repository = await leaky();
    const [blob, other, folder] = await Promise.all(
      ['HEAD:.env', 'HEAD:a.txt', 'HEAD:config'].map((object) => repository.git('rev-parse', object)),
    );
    await repository.git('tag', '--message=Hidden', 'hidden', 'HEAD:.env');
    for (const object of [blob, 'hidden']) await rejection(callInside('git_show', repository, { object }), 'POLICY_DENIED');
    await rejection(callInside('git_show', repository, { object: folder, path: 'login.txt' }), 'INVALID_PARAMETERS');
    await rejection(callInside('git_diff', repository, { from: blob, to: other }), 'INVALID_PARAMETERS');
    await rejection(callInside('git_diff', repository, { from: `${blob}..${other}` }), 'INVALID_PARAMETERS');
    await rejection(callInside('git_diff', repository, { from: 'HEAD~1:config', to: 'HEAD:config' }), 'INVALID_PARAMETERS');
    for (const revision of [blob, 'HEAD:.env', 'HEAD:config', folder])
      await rejection(callInside('git_grep', repository, { revision, pattern: '.' }), 'INVALID_PARAMETERS');
    const loose = await repository.gitReading('LOOSE', 'hash-object', '-w', '--stdin');
    await rejection(callInside('git_show', repository, { object: loose }), 'INVALID_PARAMETERS');
  });

  it('list none among the files of a folder', async () => {
    const repository = await leaky();
    const entries = async (parameters: Record<string, unknown>): Promise<readonly string[]> =>
      (await callInside<{ entries: { name: string }[] }>('git_show', repository, parameters)).entries.map(({ name }) => name);
    expect(await entries({ object: 'HEAD', path: 'config' })).to.deep.equal([]);
    expect(await entries({ object: 'HEAD^{tree}' })).to.deep.equal(['.env.example', 'a.txt', 'config', 'sub']);
  });

  it('show a renamed one under neither name', async () => {
    const repository = await Repository.create();
    await repository.commit('One', { '.env': 'TOKEN\n'.repeat(20), b: 'b' });
    await repository.git('mv', '.env', 'settings.txt');
    await repository.commit('Renamed', { b: 'new b' });
    for (const [tool, parameters] of [
      ['git_show', { object: 'HEAD' }],
      ['git_diff', { from: 'HEAD~1', to: 'HEAD' }],
    ] as const) {
      const text = await said(tool, repository, parameters);
      expect(text).to.include('new b').and.not.include('TOKEN');
      expect(JSON.parse(text)).to.deep.include({ left_out: ['.env', 'settings.txt'] });
    }
  });

  it('stage none with the rest, whether git knows them or not', async () => {
    const repository = await leaky();
    await repository.write({ 'new/.env': 'TOKEN' });
    const found = await callInside('git_add', repository, { paths: ['.'] });
    expect(found).to.deep.equal({ staged: ['.env.example', 'a.txt', 'sub/.environment'], left_out: [...secrets, 'new/.env'].sort() });
    expect(await repository.git('diff', '--cached', '--name-only')).to.equal('.env.example\na.txt\nsub/.environment');
  });

  for (const name of [...secrets, './sub/../.env', 'new/.env']) {
    it(`refuse to stage ${name}, and what is named beside it`, async () => {
      const repository = await leaky();
      await repository.write({ 'new/.env': 'TOKEN' });
      await rejection(callInside('git_add', repository, { paths: ['a.txt', name] }), 'POLICY_DENIED');
      expect(await repository.git('diff', '--cached', '--name-only')).to.equal('');
    });
  }

  it('stage that one is gone', async () => {
    const repository = await leaky();
    await rm(path.join(repository.folder, '.env'));
    expect(await callInside('git_add', repository, { paths: ['.env'] })).to.deep.include({ staged: ['.env'] });
  });

  it('read and stage control files without secrets', async () => {
    const repository = await leaky();
    await repository.commit('Policy', { 'policy.yaml': 'rules: []\n' });
    await repository.write({ 'policy.yaml': 'rules: [] # new\n' });
    expect(await said('git_diff', repository, { path: 'policy.yaml' })).to.include('# new');
    expect(await callInside('git_add', repository, { paths: ['policy.yaml'] })).to.deep.equal({ staged: ['policy.yaml'] });
    expect(await readFile(path.join(repository.folder, 'policy.yaml'), 'utf8')).to.include('# new');
  });
});
