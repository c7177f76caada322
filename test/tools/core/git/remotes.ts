import path from 'node:path';
import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import { history, Repository } from './repository.ts';

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
  return withRemote(await history(), name);
}

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

/** Another clone, in which somebody else commits to a branch and pushes. Returns the hash. */
export async function pushedByOthers(
  { remote, folder }: Cloned,
  files: Readonly<Record<string, string>>,
  branch = 'main',
): Promise<string> {
  const other = Repository.at(path.join(folder, `other-${branch.replaceAll('/', '-')}`));
  await remote.git('clone', '--quiet', '.', other.folder);
  await other
    .git('switch', '--quiet', '--force-create', branch, `origin/${branch}`)
    .catch(() => other.git('switch', '--quiet', '--create', branch));
  const hash = await other.commit(`Others on ${branch}`, files);
  await other.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  return hash;
}

/** What a git tool gives for the project, with the folder of both open to it, and this host reachable. */
export async function callBeside<T>(
  tool: string,
  { folder, project }: Cloned,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const toolkit: Toolkit = await coreToolkit({ roots: [folder], allowHosts: ['127.0.0.1'] });
  return (await toolkit.execute(tool, { repository: path.basename(project.folder), ...parameters })) as T;
}
