import { createHash } from 'node:crypto';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, RunAgain } from '../../../plugins/executor-command/index.ts';
import { changesOfCommit, leftOut, withoutSecrets } from './changes.ts';
import { commitFormat, commitsOf } from './commit-record.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { outputOf } from './revision.ts';
import { tagOf } from './tag-record.ts';
import { WorkingTree } from './working-tree.ts';

interface ShowParameters {
  readonly object: string;
  readonly path?: string;
}

/** Returns the object with the hash that `git rev-parse` printed. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export const show: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const { object, path } = parameters as unknown as ShowParameters;
  const tree = new WorkingTree({ parameters, controlFiles });
  if (path === undefined) return describeObject(stdout.trim(), { run, tree, name: object });
  await tree.refuseSecret(path);
  return describeObject(await hashAt(run, stdout.trim(), { object, path }), { run, tree, name: path, path });
};

interface ShowOptions {
  readonly run: RunAgain;
  readonly tree: WorkingTree;
  /** Object name as the caller wrote it. */
  readonly name: string;
  /** Path in its commit, when known. */
  readonly path?: string;
}

async function describeObject(hash: string, asked: ShowOptions): Promise<Record<string, unknown>> {
  const { run, name, path } = asked;
  const type = (await outputOf(run, ['cat-file', '-t', hash], { object: name })).trim();
  if (type === 'tag') {
    const tag = tagOf(await outputOf(run, ['cat-file', 'tag', hash], {}));
    return { ...(await describeObject((await outputOf(run, ['rev-parse', '--verify', `${hash}^{}`], {})).trim(), asked)), tag };
  }
  if (type === 'commit') return commit(hash, asked);
  if (type === 'tree') return folder(hash, asked);
  if (path === undefined) await refuseNameless(hash, asked);
  return file(run, hash, name);
}

/** Refuses a file that is named by its content, unless it has known names and tools may read all of them. */
async function refuseNameless(hash: string, { run, tree, name }: ShowOptions): Promise<void> {
  const staged = (await outputOf(run, ['ls-files', '--stage', '-z'], {})).split('\0').flatMap((record) => {
    const [facts = '', ...file] = record.split('\t');
    return facts.split(' ')[1] === hash ? [file.join('\t')] : [];
  });
  const history = ['log', '--all', '--reflog', '--root', '-m', '--format=', '-z', '--name-only', '--no-renames', '--no-ext-diff'];
  const committed = (await outputOf(run, [...history, `--find-object=${hash}`], {})).split('\0').filter((file) => file !== '');
  const names = [...new Set([...staged, ...committed])];
  for (const file of names) await tree.refuseSecret(file);
  if (names.length > 0) return;
  throw wrongParameter(
    'object',
    `expected a commit, with the file in path, received "${excerpt(name)}", a file that has no name in any commit`,
  );
}

async function hashAt(run: RunAgain, hash: string, { object, path }: Required<ShowParameters>): Promise<string> {
  // A folder object has no path of its own, and so its files have no known names.
  const commit = await run(['rev-parse', '--verify', '--end-of-options', `${hash}^{commit}`]);
  if (commit.exitCode !== 0) throw wrongParameter('object', `expected a commit, beside path, received "${excerpt(object)}"`);
  const objectName = `${commit.stdout.trim()}:${path.replace(/\/+$/, '')}`;
  const { stdout, exitCode } = await run(['rev-parse', '--verify', '--end-of-options', objectName]);
  if (exitCode === 0) return stdout.trim();
  const message = `expected a file or folder in "${excerpt(object)}", relative to the top folder, received "${excerpt(path)}"`;
  throw wrongParameter('path', message, 'NOT_FOUND');
}

async function commit(hash: string, { run, tree }: ShowOptions): Promise<Record<string, unknown>> {
  const log = ['log', '-1', '-z', `--format=tformat:${commitFormat}%x00%P`, '--encoding=UTF-8', '--no-patch', '--no-color', hash];
  const printed = await outputOf(run, log, {});
  const [record] = commitsOf(printed);
  const parents = (printed.split('\0')[6] ?? '').split(' ').filter((parent) => parent !== '');
  try {
    const all = await changesOfCommit(run, hash, []);
    const { files, withheld } = await withoutSecrets(all.files, tree);
    const { patch } = withheld.size === 0 ? all : await changesOfCommit(run, hash, withheld);
    return { type: 'commit', hash, commit: { ...record, parents }, files, diff: files.length === 0 ? '' : patch, ...leftOut(withheld) };
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
    const advice = `For single files use git_diff with from "${hash}^", to "${hash}" and path.`;
    throw new ToolkitError(error.code, `${error.message} ${advice}`, error.details, { cause: error.cause });
  }
}

interface Entry {
  readonly name: string;
  readonly type: 'file' | 'link' | 'folder' | 'submodule';
  readonly hash: string;
  /** Size in bytes, for files and links. */
  readonly size?: number;
}

const typeOf: Readonly<Record<string, Entry['type']>> = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

/** Returns a folder from `<mode> <type> <hash> <size>\t<name>` records (git-ls-tree, Output Format). */
async function folder(hash: string, { run, tree, path = '.' }: ShowOptions): Promise<Record<string, unknown>> {
  const records = (await outputOf(run, ['ls-tree', '-z', '--long', hash], {})).split('\0').slice(0, -1);
  const entries = records.map((record): Entry => {
    const [facts = '', ...name] = record.split('\t');
    const [mode = '', , entryHash = '', size = '-'] = facts.split(/ +/);
    return { name: name.join('\t'), type: typeOf[mode] ?? 'file', hash: entryHash, ...(size === '-' ? {} : { size: Number(size) }) };
  });
  const secrets = await tree.secretsAmong(entries.map(({ name }) => `${path}/${name}`));
  return { type: 'folder', hash, entries: entries.filter(({ name }) => !secrets.has(`${path}/${name}`)) };
}

async function file(run: RunAgain, hash: string, name: string): Promise<Record<string, unknown>> {
  const size = Number(await outputOf(run, ['cat-file', '-s', hash], {}));
  try {
    const content = await outputOf(run, ['cat-file', 'blob', hash], {});
    const text = isWhole(content, hash) && !content.includes('\0') ? content.replace(/^\uFEFF/, '') : null;
    return { type: 'file', hash, size, content: text };
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
    const message = `"${excerpt(name)}" has ${size} bytes, more than git_show can give. For a file of the working tree use fs_read_file with offset.`;
    throw new ToolkitError(error.code, message, error.details, { cause: error.cause });
  }
}

/** Returns true when a text still has the bytes that git hashed; bytes that are not UTF-8 became replacement characters. */
function isWhole(content: string, hash: string): boolean {
  const bytes = Buffer.from(content);
  const algorithm = hash.length === 40 ? 'sha1' : 'sha256';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === hash;
}
