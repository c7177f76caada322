import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

interface Trap {
  readonly name: string;
  /** Prepares the repository; `program` writes the marker. */
  readonly set: (repository: Repository, program: string) => Promise<unknown>;
  /** The plain git command that steps into the trap; without it there is no way to show that the trap works. */
  readonly plain?: readonly string[];
}

const everyHook = ['post-index-change', 'reference-transaction', 'pre-auto-gc', 'post-checkout', 'fsmonitor-watchman'];

async function addHooks(folder: string, program: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const hook of everyHook) {
    await writeFile(path.join(folder, hook), `#!/bin/sh\n${program}\n`);
    await chmod(path.join(folder, hook), 0o755);
  }
}

/** A newer time than the index knows, so that git compares the file again and wants to write the index. */
async function touch(repository: Repository): Promise<void> {
  await utimes(path.join(repository.folder, 'a'), new Date(), new Date(Date.now() + 5000));
}

const traps: readonly Trap[] = [
  {
    name: 'core.fsmonitor',
    set: (repository, program) => repository.git('config', 'core.fsmonitor', program),
    plain: ['status'],
  },
  {
    name: 'core.fsmonitor of a submodule',
    set: async (repository, program) => {
      const inner = await Repository.create();
      await inner.commit('Inner', { b: '' });
      await repository.git('submodule', '--quiet', 'add', inner.folder, 'sub');
      await repository.git('-C', 'sub', 'config', 'core.fsmonitor', program);
    },
    plain: ['status'],
  },
  {
    name: 'hooks of the repository',
    set: async (repository, program) => {
      await addHooks(path.join(repository.folder, '.git/hooks'), program);
      await touch(repository);
    },
    plain: ['status'],
  },
  {
    name: 'hooks of core.hooksPath',
    set: async (repository, program) => {
      await addHooks(repository.folder, program);
      await repository.git('config', 'core.hooksPath', repository.folder);
      await touch(repository);
    },
    plain: ['status'],
  },
  {
    name: 'core.pager',
    set: async (repository, program) => {
      for (const key of ['core.pager', 'pager.log', 'pager.status']) await repository.git('config', key, program);
    },
  },
  {
    name: 'diff.external',
    set: async (repository, program) => {
      await repository.git('config', 'diff.external', program);
      await repository.write({ a: 'changed' });
    },
    plain: ['diff'],
  },
  {
    name: 'a textconv driver',
    set: async (repository, program) => {
      await repository.git('config', 'diff.trap.textconv', program);
      await repository.git('config', 'diff.trap.command', program);
      await repository.write({ '.git/info/attributes': '* diff=trap\n', a: 'changed' });
    },
    plain: ['diff'],
  },
  {
    name: 'gpg.program behind log.showSignature',
    set: async (repository, program) => {
      await repository.git('config', 'gpg.program', program);
      await repository.git('config', 'log.showSignature', 'true');
      const commit = await repository.git('cat-file', 'commit', 'HEAD');
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n xxxx\n -----END PGP SIGNATURE-----\n';
      const file = path.join(repository.folder, 'signed');
      await writeFile(file, `${commit.replace('\n\n', `\n${signature}\n`)}\n`);
      await repository.git('update-ref', 'HEAD', await repository.git('hash-object', '-t', 'commit', '-w', file));
    },
    plain: ['log'],
  },
  {
    name: 'a remote from which missing objects are fetched',
    set: async (repository, program) => {
      await repository.write({ 'folder/b': 'b' });
      await repository.commit('Two');
      const tree = await repository.git('rev-parse', 'HEAD^{tree}');
      await rm(path.join(repository.folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      const settings = {
        'core.repositoryFormatVersion': '1',
        'extensions.partialClone': 'origin',
        'remote.origin.promisor': 'true',
        'remote.origin.url': `ext::${program}`,
        'protocol.ext.allow': 'always',
      };
      for (const [key, value] of Object.entries(settings)) await repository.git('config', key, value);
    },
    plain: ['log', '--', 'folder'],
  },
];

describe('git tools in a hostile repository', () => {
  for (const { name, set, plain } of traps) {
    it(`run nothing of ${name}`, async () => {
      const repository = await Repository.create();
      await repository.commit('One', { a: 'a' });
      const marker = path.join(path.dirname(repository.folder), 'marker');
      const program = path.join(path.dirname(repository.folder), 'program');
      await writeFile(program, `#!/bin/sh\necho ran >> ${marker}\nexit 1\n`);
      await chmod(program, 0o755);
      await set(repository, program);

      const toolkit = await coreToolkit({ roots: [repository.folder] });
      const calls = [{ tool: 'git_status' }, { tool: 'git_log' }, { tool: 'git_log', parameters: { path: 'folder', author: 'a' } }];
      for (const { tool, parameters = {} } of calls) await toolkit.execute(tool, parameters).catch(() => {});
      expect(existsSync(marker), 'after the tools').to.equal(false);

      if (plain === undefined) return;
      await repository.git(...plain).catch(() => {});
      expect(existsSync(marker), 'after plain git').to.equal(true);
    });
  }

  it('work, with the traps of fsmonitor, pager, hooks and signatures set', async () => {
    const repository = await Repository.create();
    const hash = await repository.commit('One', { a: 'a' });
    for (const key of ['core.fsmonitor', 'core.pager', 'diff.external', 'gpg.program']) await repository.git('config', key, '/bin/false');
    await repository.git('config', 'log.showSignature', 'true');
    await repository.write({ a: 'changed' });
    const toolkit = await coreToolkit({ roots: [repository.folder] });
    expect(await toolkit.execute('git_status')).to.deep.include({ files: [{ path: 'a', index: '.', worktree: 'M' }] });
    expect(await toolkit.execute('git_log')).to.have.nested.property('commits[0].hash', hash);
  });
});
