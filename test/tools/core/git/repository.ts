import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../../support/temporary.ts';

const run = promisify(execFile);

/** Git as a person would run it, without that person's own configuration. */
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: process.env['TZ'] ?? 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Grace Hopper',
  GIT_COMMITTER_EMAIL: 'grace@example.com',
};

/** A real repository in a temporary folder. */
export class Repository {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** On branch `main`, with these files, not committed. `name` is the folder's own, inside a temporary one. */
  static async create(files: Readonly<Record<string, string>> = {}, name = 'project'): Promise<Repository> {
    const repository = new Repository(path.join(await temporaryFolder(), name));
    await mkdir(repository.folder);
    await repository.git('init', '--quiet', '--initial-branch=main');
    await repository.write(files);
    return repository;
  }

  /** A repository that is there already. */
  static at(folder: string): Repository {
    return new Repository(folder);
  }

  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
      await writeFile(path.join(this.folder, name), text);
    }
  }

  /** Standard output, without the newline at its end. */
  async git(...args: readonly string[]): Promise<string> {
    return this.gitWith({}, ...args);
  }

  async gitWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run('git', ['-c', 'protocol.file.allow=always', ...args], {
      cwd: this.folder,
      env: { ...environment, ...env },
    });
    return stdout.replace(/\n$/, '');
  }

  /** Writes the files and commits everything. Returns the hash. */
  async commit(message: string, files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.write(files);
    await this.git('add', '--all');
    await this.gitWith(env, 'commit', '--quiet', '--allow-empty', '--cleanup=verbatim', `--message=${message}`);
    return this.git('rev-parse', 'HEAD');
  }
}

/** Both dates of a commit. */
export function on(date: string): Readonly<Record<string, string>> {
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

/** Three commits on `main`, the last tagged `v1.0`, and one on `side`, which begins at the second. */
export async function history(): Promise<Repository> {
  const repository = await Repository.create();
  await repository.commit('Start', { 'a.txt': '1' }, on('2024-01-10T10:00:00+02:00'));
  await repository.commit('Second', { 'src/b.txt': '2' }, { ...on('2024-02-10T10:00:00+00:00'), GIT_AUTHOR_NAME: 'Alan.Turing' });
  await repository.commit('Third', { 'a.txt': '3' }, { ...on('2024-03-10T10:00:00-05:00'), GIT_AUTHOR_EMAIL: 'ALAN+turing@example.com' });
  await repository.git('tag', 'v1.0');
  await repository.git('switch', '--quiet', '--create', 'side', 'HEAD~1');
  await repository.commit('Side', { 'side.txt': '4' }, on('2024-03-20T10:00:00+00:00'));
  await repository.git('switch', '--quiet', 'main');
  return repository;
}
