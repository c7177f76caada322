import { createHash } from 'node:crypto';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, RunAgain } from '../../../plugins/executor-command/index.ts';
import { diffOfCommit, filesOfCommit } from './changes.ts';
import { commitFormat, commitsOf } from './commit-record.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { outputOf } from './revision.ts';
import { tagOf } from './tag-record.ts';

interface ShowParameters {
  readonly object: string;
  readonly path?: string;
}

/** What lies behind the hash that `git rev-parse` printed for the object. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export const show: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const { object, path } = parameters as unknown as ShowParameters;
  if (path !== undefined) return described(run, await hashAt(run, stdout.trim(), { object, path }), path);
  return described(run, stdout.trim(), object);
};

async function described(run: RunAgain, hash: string, name: string): Promise<Record<string, unknown>> {
  const type = (await outputOf(run, ['cat-file', '-t', hash], { object: name })).trim();
  if (type === 'tag') {
    const tag = tagOf(await outputOf(run, ['cat-file', 'tag', hash], {}));
    return { ...(await described(run, (await outputOf(run, ['rev-parse', '--verify', `${hash}^{}`], {})).trim(), name)), tag };
  }
  if (type === 'commit') return commit(run, hash);
  return type === 'tree' ? folder(run, hash) : file(run, hash, name);
}

async function hashAt(run: RunAgain, hash: string, { object, path }: Required<ShowParameters>): Promise<string> {
  const { stdout, exitCode } = await run(['rev-parse', '--verify', '--end-of-options', `${hash}:${path.replace(/\/+$/, '')}`]);
  if (exitCode === 0) return stdout.trim();
  const message = `expected a file or folder in "${excerpt(object)}", relative to the top folder, received "${excerpt(path)}"`;
  throw wrongParameter('path', message, 'NOT_FOUND');
}

async function commit(run: RunAgain, hash: string): Promise<Record<string, unknown>> {
  const log = ['log', '-1', '-z', `--format=tformat:${commitFormat}`, '--encoding=UTF-8', '--no-patch', '--no-color', hash];
  const [record] = commitsOf(await outputOf(run, log, {}));
  const parents = (await outputOf(run, ['rev-list', '--parents', '--max-count=1', hash], {})).trim().split(' ').slice(1);
  const files = await filesOfCommit(run, hash);
  try {
    return { type: 'commit', hash, commit: { ...record, parents }, files, diff: await diffOfCommit(run, hash) };
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
  /** Bytes, of files and links. */
  readonly size?: number;
}

const typeOf: Readonly<Record<string, Entry['type']>> = { '040000': 'folder', '120000': 'link', '160000': 'submodule' };

/** From `<mode> <type> <hash> <size>\t<name>` records (git-ls-tree, Output Format). */
async function folder(run: RunAgain, hash: string): Promise<Record<string, unknown>> {
  const records = (await outputOf(run, ['ls-tree', '-z', '--long', hash], {})).split('\0').slice(0, -1);
  const entries = records.map((record): Entry => {
    const [facts = '', ...name] = record.split('\t');
    const [mode = '', , entryHash = '', size = '-'] = facts.split(/ +/);
    return { name: name.join('\t'), type: typeOf[mode] ?? 'file', hash: entryHash, ...(size === '-' ? {} : { size: Number(size) }) };
  });
  return { type: 'folder', hash, entries };
}

async function file(run: RunAgain, hash: string, name: string): Promise<Record<string, unknown>> {
  const size = Number(await outputOf(run, ['cat-file', '-s', hash], {}));
  try {
    const content = await outputOf(run, ['cat-file', 'blob', hash], {});
    return { type: 'file', hash, size, content: isWhole(content, hash) && !content.includes('\0') ? content : null };
  } catch (error) {
    if (!ToolkitError.is(error) || error.code !== 'OUTPUT_TOO_LARGE') throw error;
    const message = `"${excerpt(name)}" has ${size} bytes, more than git_show can give. For a file of the working tree use fs_read_file with offset.`;
    throw new ToolkitError(error.code, message, error.details, { cause: error.cause });
  }
}

/** Whether a text still has the bytes that git hashed: those that are no UTF-8 came as replacement characters. */
function isWhole(content: string, hash: string): boolean {
  const bytes = Buffer.from(content);
  const algorithm = hash.length === 40 ? 'sha1' : 'sha256';
  return createHash(algorithm).update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === hash;
}
