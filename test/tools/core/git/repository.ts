import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../../../support/run-program.ts';
import { onceForFile, temporaryFolder } from '../../../support/temporary.ts';

/** Git as a person would run it, without that person's own configuration. */
const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  TZ: process.env['TZ'] ?? 'UTC',
  GIT_CONFIG_NOSYSTEM: '1',
  // None of the examples of hooks, which would be copied with every repository.
  GIT_TEMPLATE_DIR: '',
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
    const repository = await copyOf('empty', name);
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
    return this.#run(['-c', 'protocol.file.allow=always', ...args], { env });
  }

  /** With this on standard input. */
  async gitReading(stdin: string, ...args: readonly string[]): Promise<string> {
    return this.#run(args, { stdin });
  }

  async #run(
    args: readonly string[],
    { env = {}, stdin = '' }: { readonly env?: Readonly<Record<string, string>>; readonly stdin?: string },
  ): Promise<string> {
    const stdout = await runProgram({ program: 'git', args, cwd: this.folder, env: { ...environment, ...env }, stdin });
    return stdout.replace(/\n$/, '');
  }

  /** Writes the files and commits everything. Returns the hash. */
  async commit(message: string, files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.write(files);
    await this.git('add', '--all');
    await this.gitWith(env, 'commit', '--quiet', '--allow-empty', '--cleanup=verbatim', `--message=${message}`);
    return this.head();
  }

  /** The hash of the commit that is checked out. Read where it is a file of its own, which takes no process. */
  async head(): Promise<string> {
    const read = (name: string): Promise<string> => readFile(path.join(this.folder, '.git', name), 'utf8').catch(() => '');
    const [, branch] = /^ref: (.*)$/m.exec(await read('HEAD')) ?? [];
    const hash = branch === undefined ? '' : (await read(branch)).trim();
    return hash === '' ? this.git('rev-parse', 'HEAD') : hash;
  }
}

/** Both dates of a commit. */
export function on(date: string): Readonly<Record<string, string>> {
  return { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
}

/** A symbolic link, by its target. */
export interface Link {
  readonly link: string;
}

export interface Imported {
  readonly branch: string;
  readonly message: string;
  readonly files: Readonly<Record<string, string | Link>>;
  /** Seconds since 1970 and an offset, or `now`. */
  readonly at: string;
  readonly author?: string;
  /** The parent commit. @default the commit before it in the same stream, if any */
  readonly from?: string;
}

/** A commit in the language of git fast-import, which makes many of them in one process. */
export function imported({ branch, message, files, at, author = 'Ada Lovelace <ada@example.com>', from }: Imported): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const changes = Object.entries(files).map(([name, file]) =>
    typeof file === 'string' ? `M 100644 inline ${name}\n${data(file)}` : `M 120000 inline ${name}\n${data(file.link)}`,
  );
  const parent = from === undefined ? '' : `from ${from}\n`;
  return `commit refs/heads/${branch}\nmark :1\nauthor ${author} ${at}\ncommitter Grace Hopper <grace@example.com> ${at}\n${data(`${message}\n`)}${parent}${changes.join('')}\n`;
}

const stream = [
  imported({ branch: 'main', message: 'Start', files: { 'a.txt': '1' }, at: '1704873600 +0200' }),
  imported({
    branch: 'main',
    message: 'Second',
    files: { 'src/b.txt': '2' },
    at: '1707559200 +0000',
    author: 'Alan.Turing <ada@example.com>',
  }),
  'reset refs/heads/side\nfrom refs/heads/main\n\n',
  imported({
    branch: 'main',
    message: 'Third',
    files: { 'a.txt': '3' },
    at: '1710082800 -0500',
    author: 'Ada Lovelace <ALAN+turing@example.com>',
  }),
  'reset refs/tags/v1.0\nfrom refs/heads/main\n\n',
  imported({ branch: 'side', message: 'Side', files: { 'side.txt': '4' }, at: '1710928800 +0000' }),
].join('');

/** Three commits on `main`, the last tagged `v1.0`, and one on `side`, which begins at the second. */
export async function history(): Promise<Repository> {
  const repository = await copyOf('history', 'project');
  await repository.git('reset', '--quiet', '--hard');
  return repository;
}

/** Made once a file of tests and copied by its tests, because starting git takes many times as long. */
const originals = {
  empty: onceForFile(initialized),
  history: onceForFile(async () => {
    const repository = await initialized();
    await repository.gitReading(stream, 'fast-import', '--quiet');
    return repository;
  }),
};

async function initialized(): Promise<Repository> {
  const repository = Repository.at(await temporaryFolder());
  await repository.git('init', '--quiet', '--initial-branch=main');
  return repository;
}

async function copyOf(kind: keyof typeof originals, name: string): Promise<Repository> {
  const { folder } = await originals[kind]();
  const copy = Repository.at(path.join(await temporaryFolder(), name));
  await cp(folder, copy.folder, { recursive: true });
  return copy;
}
