import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { onceForFile, temporaryFolder } from '../../../support/temporary.ts';
import { history, type Imported, imported, Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

export interface Cloned {
  /** Follows the remote `origin` on `main`. */
  readonly project: Repository;
  /** Bare, in the same folder. */
  readonly remote: Repository;
  /** The folder in which both lie. */
  readonly folder: string;
}

/** A project with the commits of `history`, and its remote beside it. `name` is that of the remote's folder. */
export async function cloned(name = 'remote.git'): Promise<Cloned> {
  const { folder: from } = await original();
  const folder = await temporaryFolder();
  const both = { project: Repository.at(path.join(folder, 'project')), remote: Repository.at(path.join(folder, name)), folder };
  await cp(path.join(from, 'project/.git'), path.join(both.project.folder, '.git'), { recursive: true });
  await cp(path.join(from, 'remote.git'), both.remote.folder, { recursive: true });
  const settings = path.join(both.project.folder, '.git/config');
  await writeFile(settings, (await readFile(settings, 'utf8')).replace(path.join(from, 'remote.git'), both.remote.folder));
  await both.project.git('reset', '--quiet', '--hard');
  return both;
}

/** Made once a file of tests and copied by its tests. */
const original = onceForFile(async () => withRemote(await history()));

/** The same of a repository that is there, whatever is in it. */
export async function withRemote(project: Repository, name = 'remote.git'): Promise<Cloned> {
  const folder = path.dirname(project.folder);
  await project.git('clone', '--quiet', '--bare', '.', path.join(folder, name));
  await project.git('remote', 'add', 'origin', path.join(folder, name));
  await project.git('fetch', '--quiet', 'origin');
  const branches = await project.git('for-each-ref', '--format=%(refname)', 'refs/remotes/origin/main');
  if (branches !== '') await project.git('branch', '--quiet', '--set-upstream-to=origin/main', 'main');
  return { project, remote: Repository.at(path.join(folder, name)), folder };
}

/** A commit of somebody else on a branch of the remote, as it is there after their push; a new branch begins at `main`. Returns the hash. */
export async function pushedByOthers({ remote }: Cloned, files: Imported['files'], branch = 'main'): Promise<string> {
  const known = (await remote.git('for-each-ref', '--format=%(refname)', 'refs/heads')).split('\n');
  const from = [branch, 'main'].map((name) => `refs/heads/${name}`).find((name) => known.includes(name));
  const commit = imported({
    branch,
    message: `Others on ${branch}`,
    files,
    at: 'now',
    ...(from === undefined ? {} : { from: `${from}^0` }),
  });
  return remote.gitReading(`${commit}get-mark :1\n`, 'fast-import', '--quiet', '--date-format=now');
}

/** Calls a git tool on the project. It may read the folder of both repositories and reach this host. */
export async function callBeside<T>(
  tool: string,
  { folder, project }: Cloned,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const toolkit: Toolkit = await coreToolkit({ roots: [folder], allowHosts: ['127.0.0.1'] });
  return (await toolkit.execute(tool, { repository: path.basename(project.folder), ...parameters })) as T;
}
