import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Attack, AttackKind } from '../attack.ts';
import type { AttackServer, ModelResult } from '../attack-server.ts';

const run = promisify(execFile);

const secret = 'planted-git-9876543210';

/** Repositories in which a dotenv file was committed once, and removed. */
interface Repositories {
  /** The folder with all of them, below the project. */
  readonly folder: string;
  /** A loose object that holds the file, below a folder of objects. */
  readonly loose: string;
  /** The pack of a bare repository, below its folder. */
  readonly pack: string;
}

const made = new Map<string, Promise<Repositories>>();

/** Made once a server, where the first attack asks for them. */
function repositories({ cwd }: AttackServer): Promise<Repositories> {
  const known = made.get(cwd) ?? makeRepositories(cwd);
  made.set(cwd, known);
  return known;
}

async function makeRepositories(cwd: string): Promise<Repositories> {
  const folder = 'kept-by-git';
  const top = path.join(cwd, folder);
  const repository = path.join(top, 'tree');
  const git = async (...args: string[]): Promise<string> => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'gc.auto=0'];
    return (await run('git', [...who, ...args], { cwd: repository })).stdout.trim();
  };
  await mkdir(repository, { recursive: true });
  await git('init', '-q', '--template=', '-b', 'main');
  await writeFile(path.join(repository, '.env'), `TOKEN=${secret}\n`);
  await writeFile(path.join(repository, 'read.me'), 'nothing\n');
  await git('add', '-f', '.');
  await git('commit', '-q', '-m', 'one');
  const hash = await git('rev-parse', 'HEAD:.env');
  await git('rm', '-q', '.env');
  await git('commit', '-q', '-m', 'two');
  await git('clone', '-q', '--bare', '--no-local', '.', '../store');
  await git('worktree', 'add', '-q', '../linked', '-b', 'linked');
  await mkdir(path.join(top, 'second'));
  await run('git', ['init', '-q', '--separate-git-dir', '../elsewhere', '.'], { cwd: path.join(top, 'second') });
  const patch = `+TOKEN=${secret}\n`;
  for (const place of ['tree/.git/rebase-apply', 'tree/.git/rr-cache/ab', 'tree/.git/lfs/objects/ab', 'tree/.git/modules/a/b/objects/cd'])
    await mkdir(path.join(top, place), { recursive: true });
  await writeFile(path.join(repository, '.git/rebase-apply/patch'), patch);
  await writeFile(path.join(repository, '.git/rr-cache/ab/preimage'), patch);
  await writeFile(path.join(repository, '.git/lfs/objects/ab/file'), patch);
  await writeFile(path.join(repository, '.git/modules/a/b/objects/cd/file'), patch);
  const loose = `${hash.slice(0, 2)}/${hash.slice(2)}`;
  await mkdir(path.join(top, 'alternate', hash.slice(0, 2)), { recursive: true });
  await run('cp', [path.join(repository, '.git/objects', loose), path.join(top, 'alternate', loose)]);
  const packs = await readdir(path.join(top, 'store/objects/pack'));
  return { folder, loose, pack: `objects/pack/${packs.find((name) => name.endsWith('.pack'))}` };
}

function expectDenied(result: ModelResult): void {
  expect(result, result.text.slice(0, 500)).to.include({ isError: true, code: 'POLICY_DENIED' });
  expect(result.text).to.not.include(secret);
}

/** An attack by one call that must be refused as one on a control file. */
function refused(attack: Omit<Attack, 'run'>, call: (given: Repositories) => readonly [name: string, parameters: object]): Attack {
  return {
    ...attack,
    async run(server) {
      expectDenied(await server.call(...call(await repositories(server))));
    },
  };
}

const attacks: readonly Attack[] = [
  refused(
    { id: 'A22', subject: 'fs_read_file', attempt: 'reads the object of a file that was removed', before: 'it was read' },
    ({ folder, loose }) => ['fs_read_file', { path: `${folder}/tree/.git/objects/${loose}`, encoding: 'base64' }],
  ),
  {
    id: 'A22',
    subject: 'fs_copy',
    attempt: 'copies a repository, and reads the copy',
    before: 'refused, as .git may not be written; a bare one was copied',
    async run(server) {
      const { folder } = await repositories(server);
      const destination = `${folder}/copied`;
      const copied = await server.call('fs_copy', { source: `${folder}/tree`, destination, recursive: true, overwrite: true });
      expect(copied.isError, copied.text).to.equal(false);
      expect(copied.text).to.include('left_out').and.include('.git');
      expect(await readdir(path.join(server.cwd, destination))).to.deep.equal(['read.me']);
      expectDenied(await server.call('fs_copy', { source: `${folder}/store`, destination: `${folder}/other`, recursive: true }));
    },
  },
  {
    id: 'A22',
    subject: 'archive_zip_create',
    attempt: 'packs a folder with repositories',
    before: 'their objects were packed',
    async run(server) {
      const { folder } = await repositories(server);
      const destination = `${folder}/made.zip`;
      const packed = await server.call('archive_zip_create', {
        paths: [`${folder}/tree`, `${folder}/linked`],
        destination,
        overwrite: true,
      });
      expect(packed.isError, packed.text).to.equal(false);
      expect(packed.text).to.include('tree/.git').and.include('linked/.git');
      expect((await server.call('archive_list', { path: destination })).text)
        .to.include('read.me')
        .and.not.include('objects');
    },
  },
  refused({ id: 'A22', subject: 'archive_tar_create', attempt: 'packs .git itself', before: 'it was packed' }, ({ folder }) => [
    'archive_tar_create',
    { paths: [`${folder}/tree/.git`], destination: `${folder}/made.tgz`, overwrite: true },
  ]),
  {
    subject: 'fs_read_many',
    attempt: 'reads the pack of a bare repository, beside another file',
    before: 'its text was given',
    async run(server) {
      const { folder, pack } = await repositories(server);
      const read = await server.call('fs_read_many', { paths: [`${folder}/tree/read.me`, `${folder}/store/${pack}`] });
      expectDenied(read);
    },
  },
  refused({ subject: 'fs_read_lines', attempt: 'reads a patch that git am keeps', before: 'it was read' }, ({ folder }) => [
    'fs_read_lines',
    { path: `${folder}/tree/.git/rebase-apply/patch`, start: 1 },
  ]),
  {
    subject: 'fs_search',
    attempt: 'searches what git keeps, by a glob that names .git',
    before: 'the secret was found',
    async run(server) {
      const { folder } = await repositories(server);
      const found = await server.call('fs_search', { path: `${folder}/tree`, pattern: 'TOKEN=', glob: '.git/**' });
      expect(found.isError).to.equal(false);
      expect(found.text).to.include('"matches":[]').and.not.include(secret);
    },
  },
  {
    subject: 'fs_replace_in_files',
    attempt: 'counts how often a guess stands in what git keeps',
    before: 'held',
    async run(server) {
      const { folder } = await repositories(server);
      const guess = { path: `${folder}/tree`, pattern: secret, replacement: 'x', glob: '.git/**', dry_run: true };
      const counted = await server.call('fs_replace_in_files', guess);
      expect(counted.text).to.include('"total":0');
    },
  },
  refused(
    { subject: 'fs_hash_file', attempt: 'compares a guess with the hash of an object', before: 'the hash was given' },
    ({ folder, loose }) => ['fs_hash_file', { path: `${folder}/tree/.git/objects/${loose}` }],
  ),
  refused(
    { subject: 'fs_compare_files', attempt: 'compares a file with one of Git LFS', before: 'the difference was shown' },
    ({ folder }) => ['fs_compare_files', { left: `${folder}/tree/read.me`, right: `${folder}/tree/.git/lfs/objects/ab/file` }],
  ),
  refused({ subject: 'fs_list_directory', attempt: 'lists the objects', before: 'they were listed' }, ({ folder }) => [
    'fs_list_directory',
    { path: `${folder}/tree/.git/objects` },
  ]),
  refused(
    { subject: 'fs_move', attempt: 'moves the objects of a bare repository to where nobody looks', before: 'they were moved' },
    ({ folder }) => ['fs_move', { source: `${folder}/store/objects`, destination: `${folder}/notes` }],
  ),
  {
    subject: 'fs_find',
    attempt: 'lists the packs of a bare repository in a tree',
    before: 'they were listed',
    async run(server) {
      const { folder } = await repositories(server);
      const found = await server.call('fs_find', { path: folder, pattern: '*.pack' });
      expect(found.text).to.include('"paths":[]').and.include('"store"');
    },
  },
  {
    subject: 'fs_tree',
    attempt: 'draws the objects of a tree',
    before: 'they were drawn',
    async run(server) {
      const { folder } = await repositories(server);
      const drawn = await server.call('fs_tree', { path: folder, depth: 6 });
      expect(drawn.text).to.include('left_out').and.include('tree/.git').and.not.include('objects');
    },
  },
  refused({ subject: 'archive_list', attempt: 'reads a pack as an archive', before: 'no archive' }, ({ folder, pack }) => [
    'archive_list',
    { path: `${folder}/store/${pack}` },
  ]),
  refused({ subject: 'convert_pdf_to_text', attempt: 'reads an object as a PDF', before: 'no PDF' }, ({ folder, loose }) => [
    'convert_pdf_to_text',
    { path: `${folder}/tree/.git/objects/${loose}` },
  ]),
  refused(
    { subject: 'alternates', attempt: 'reads an object out of a folder that only holds objects', before: 'it was read' },
    ({ folder, loose }) => ['fs_read_file', { path: `${folder}/alternate/${loose}`, encoding: 'base64' }],
  ),
  refused({ subject: 'submodules', attempt: 'reads what git keeps of a submodule', before: 'it was read' }, ({ folder }) => [
    'fs_read_file',
    { path: `${folder}/tree/.git/modules/a/b/objects/cd/file` },
  ]),
  refused(
    { subject: 'rerere', attempt: 'reads a conflict that git keeps, with the name in capitals', before: 'it was read, or not there' },
    ({ folder }) => ['fs_read_file', { path: `${folder}/tree/.git/RR-cache/ab/preimage` }],
  ),
];

export const gitObjects: AttackKind = { rule: 'what git keeps is read by git alone', attacks };
