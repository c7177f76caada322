import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { coreGroup } from '../../../support/core-group.ts';
import { rejection } from '../../../support/rejection.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { history } from './repository.ts';

const { coreToolkit } = coreGroup('git');

describe('what git_log refuses', () => {
  const places: { name: string; repository: string; says: string }[] = [
    { name: 'a folder that is no repository', repository: 'plain', says: 'expected the top folder of a Git working tree' },
    { name: 'a folder inside a repository', repository: 'project/src', says: 'expected the top folder of a Git working tree' },
    { name: 'a file', repository: 'project/a.txt', says: 'expected the top folder of a Git working tree' },
    { name: 'a folder that does not exist', repository: 'gone', says: 'expected the top folder of a Git working tree' },
    { name: 'a bare repository', repository: 'bare.git', says: 'not a bare repository' },
    { name: 'a path with a list separator', repository: 'project/a:b', says: 'repository' },
    { name: 'a folder outside of the roots', repository: '..', says: 'expected a path inside' },
  ];
  for (const { name, repository, says } of places) {
    it(`refuses ${name} as the repository`, async () => {
      const project = await history();
      const base = path.dirname(project.folder);
      await mkdir(path.join(base, 'plain'));
      await mkdir(path.join(project.folder, 'a:b'));
      await project.git('clone', '--quiet', '--bare', '.', path.join(base, 'bare.git'));
      const toolkit = await coreToolkit({ roots: [base] });
      const error = await rejection(toolkit.execute('git_log', { repository }), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(error.details.issues?.[0]?.path).to.equal('repository');
    });
  }

  it('does not read a repository that begins above the root', async () => {
    const project = await history();
    const toolkit = await coreToolkit({ roots: [path.join(project.folder, 'src')] });
    await rejection(toolkit.execute('git_log'), 'INVALID_PARAMETERS');
  });

  const refused: { name: string; parameters: Record<string, unknown>; says: string }[] = [
    { name: 'a revision that does not exist', parameters: { revision: 'nowhere' }, says: 'received "nowhere"' },
    { name: 'an option as the revision', parameters: { revision: '--all' }, says: 'received "--all"' },
    {
      name: 'an option that writes a file as the revision',
      parameters: { revision: '--output=marker' },
      says: 'received "--output=marker"',
    },
    { name: 'an empty revision', parameters: { revision: '' }, says: 'revision' },
    { name: 'a path outside of the repository', parameters: { path: '../other' }, says: 'expected a path inside the repository' },
    {
      name: 'an absolute path outside of the repository',
      parameters: { path: '/etc/passwd' },
      says: 'expected a path inside the repository',
    },
    { name: 'a null byte', parameters: { path: 'a\0b' }, says: '"path"' },
    { name: 'a time that git would take for now', parameters: { since: 'last full moon' }, says: 'since' },
    { name: 'a day that does not exist', parameters: { until: '2024-13-45' }, says: 'until' },
    { name: 'no commits at most', parameters: { max_count: 0 }, says: 'max_count' },
  ];
  for (const { name, parameters, says } of refused) {
    it(`refuses ${name}`, async () => {
      const repository = await history();
      const toolkit = await coreToolkit({ roots: [repository.folder] });
      const error = await rejection(toolkit.execute('git_log', parameters), 'INVALID_PARAMETERS');
      expect(error.message).to.include(says);
      expect(await readdir(repository.folder)).not.to.include('marker');
    });
  }

  it('says what git says when a repository is damaged', async () => {
    const repository = await history();
    await repository.write({ '.git/refs/heads/main': `${'1'.repeat(40)}\n` });
    const toolkit = await coreToolkit({ roots: [repository.folder] });
    expect((await rejection(toolkit.execute('git_log'), 'EXECUTION_FAILED')).message).to.include('git failed: fatal: bad object HEAD');
  });

  it('says that git is missing when it is', async () => {
    const { PATH } = process.env;
    const toolkit = await coreToolkit({ roots: [await temporaryFolder()] });
    process.env['PATH'] = await temporaryFolder();
    try {
      expect((await rejection(toolkit.execute('git_log'), 'DEPENDENCY_MISSING')).message).to.include('"git" is not installed');
    } finally {
      process.env['PATH'] = PATH;
    }
  });
});
