import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer, ModelResult } from '../attack-server.ts';

const run = promisify(execFile);

const secret = 'planted-file-5647382910';

const folder = 'with-credentials';

/** Each in a folder of its own, so that an attack on a tree meets one of them. */
const names = {
  registry: 'npm/.npmrc',
  hosts: 'hosts/.netrc',
  direnv: 'direnv/.envrc',
  python: 'python/.pypirc',
  backup: 'backup/.env~',
  local: 'local/web.env.local',
  database: 'database/.pgpass',
  git: 'git/.git-credentials',
  cloud: 'cloud/.aws/credentials',
  ssh: 'ssh/id_ed25519',
  docker: 'docker/.docker/config.json',
  cluster: 'cluster/.kube/config',
  vault: 'vault/.vault-token',
} as const;

const place = (name: keyof typeof names): string => `${folder}/${names[name]}`;

const files = Object.fromEntries(
  (Object.keys(names) as (keyof typeof names)[]).map((name) => [place(name), `token = ${secret}\n`] as const),
);

const repositories = new Map<string, Promise<string>>();

/** A repository with a committed and a changed `.npmrc`, made once a server; gives its folder. */
function repository({ cwd }: AttackServer): Promise<string> {
  const known = repositories.get(cwd) ?? makeRepository(path.join(cwd, folder, 'repository'));
  repositories.set(cwd, known);
  return known;
}

async function makeRepository(top: string): Promise<string> {
  const git = (...args: string[]) => run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: top });
  await mkdir(top, { recursive: true });
  await git('init', '-q', '--template=', '-b', 'main');
  await writeFile(path.join(top, '.npmrc'), `token = ${secret}\n`);
  await git('add', '-f', '.');
  await git('commit', '-q', '-m', 'one');
  await writeFile(path.join(top, '.npmrc'), `token = ${secret}\nmore\n`);
  return top;
}

function expectDenied(result: ModelResult): void {
  expect(result, result.text.slice(0, 500)).to.include({ isError: true, code: 'POLICY_DENIED' });
  expect(result.text).to.not.include(secret);
}

/** An attack by one call of the tool, which must be refused. */
function refused(subject: string, attempt: string, before: string, parameters: object): Attack {
  return {
    subject,
    attempt,
    before,
    async run(server) {
      expectDenied(await server.call(subject, parameters));
    },
  };
}

/** An attack by a git tool on the repository, which must give nothing of the file. */
function unseen(subject: string, attempt: string, before: string, parameters: object): Attack {
  return {
    subject,
    attempt,
    before,
    async run(server) {
      const result = await server.call(subject, { ...parameters, repository: await repository(server) });
      expect(result.text).to.not.include(secret).and.not.include('more\\n');
    },
  };
}

const attacks: readonly Attack[] = [
  refused('fs_read_file', 'reads the token of a registry (.npmrc)', 'it was read', { path: place('registry') }),
  refused('fs_read_lines', 'reads passwords for hosts (.netrc)', 'they were read', { path: place('hosts'), start: 1 }),
  refused('fs_read_many', 'reads what direnv sets (.envrc)', 'it was read', { paths: [place('direnv')] }),
  {
    subject: 'fs_search',
    attempt: 'searches .pypirc',
    before: 'the password was found',
    async run(server) {
      const found = await server.call('fs_search', { path: `${folder}/python`, pattern: 'token' });
      expect(found.isError).to.equal(false);
      expect(found.text).to.include('"matches":[]').and.not.include(secret);
    },
  },
  refused('fs_hash_file', 'compares a guess with the hash of a backup (.env~)', 'the hash was given', { path: place('backup') }),
  {
    subject: 'fs_replace_in_files',
    attempt: 'counts how often a guess stands in web.env.local',
    before: 'it was counted',
    async run(server) {
      const guess = { path: `${folder}/local`, pattern: secret, replacement: 'x', glob: '*', dry_run: true };
      expect((await server.call('fs_replace_in_files', guess)).text).to.include('"total":0');
    },
  },
  refused('fs_compare_files', 'compares .pgpass with another file', 'the difference was shown', {
    left: 'package.json',
    right: place('database'),
  }),
  refused('fs_copy', 'copies a folder with .git-credentials', 'it was copied', {
    source: `${folder}/git`,
    destination: `${folder}/copied`,
    recursive: true,
  }),
  refused('archive_zip_create', 'packs the keys of a cloud (.aws/credentials)', 'they were packed', {
    paths: [`${folder}/cloud`],
    destination: `${folder}/made.zip`,
    overwrite: true,
  }),
  refused('archive_tar_create', 'packs a private key (id_ed25519)', 'it was packed', {
    paths: [`${folder}/ssh`],
    destination: `${folder}/made.tgz`,
    overwrite: true,
  }),
  refused('fs_edit_file', 'finds out by an edit what .docker/config.json holds', 'it was edited', {
    path: place('docker'),
    edits: [{ old_text: 'token', new_text: 'token' }],
  }),
  refused('fs_move', 'moves .kube/config to another name', 'it was moved', {
    source: place('cluster'),
    destination: `${folder}/cluster/plain.txt`,
  }),
  refused('fs_apply_patch', 'copies .vault-token by a patch', 'it was copied', {
    patch: `diff --git a/${place('vault')} b/${folder}/plain.txt\nsimilarity index 100%\ncopy from ${place('vault')}\ncopy to ${folder}/plain.txt\n`,
  }),
  unseen('git_show', 'shows a committed .npmrc', 'it was shown', { object: 'HEAD', path: '.npmrc' }),
  unseen('git_diff', 'shows a change of .npmrc', 'it was shown', {}),
  unseen('git_grep', 'searches a committed .npmrc', 'it was found', { pattern: 'token' }),
  unseen('git_blame', 'shows the lines of .npmrc', 'they were shown', { path: '.npmrc' }),
];

export const credentialFiles: AttackKind = { rule: 'files that hold credentials are read by no tool', files, attacks };
