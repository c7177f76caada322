import path from 'node:path';
import { type ControlFiles, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { type NamedPaths, namedPaths } from './named-paths.ts';
import { fingerprintOfStats } from './repository-fingerprint.ts';
import { type IndexFlags, memoryOf } from './repository-memory.ts';

/** Kinds of files that `git status` omits without a message. */
export interface LeftOutOfStatus {
  readonly ignored?: NamedPaths;
  readonly submodules?: NamedPaths;
  readonly hidden?: NamedPaths;
}

interface StatusOptions {
  readonly repository: string;
  readonly run: RunAgain;
  readonly controlFiles: ControlFiles;
  /** Undefined when there are too many to list. */
  readonly ignored: readonly string[] | undefined;
}

/**
 * Finds the files that the status of a working tree omitted. Unreadable paths are reported separately, as by every walk.
 * Returns undefined when there are none.
 */
export async function findLeftOutOfStatus({ repository, run, controlFiles, ignored }: StatusOptions): Promise<LeftOutOfStatus | undefined> {
  const found = { ignored: namedPaths(ignored), ...(await leftOutByIndex(repository, run, controlFiles)) };
  const kinds = Object.entries(found).filter(([, value]) => value !== undefined);
  return kinds.length === 0 ? undefined : (Object.fromEntries(kinds) as LeftOutOfStatus);
}

/** Returns the omitted files by flags of the index; cached for each version of the index. */
async function leftOutByIndex(repository: string, run: RunAgain, controlFiles: ControlFiles): Promise<IndexFlags> {
  const { opened, indexFlags: ofIndex } = memoryOf(controlFiles);
  const gitFolder = opened.get(repository)?.answer.gitFolder;
  const before = gitFolder === undefined ? undefined : await fingerprintOfStats(path.join(gitFolder, 'index'));
  const known = before === undefined ? undefined : ofIndex.get(repository);
  if (known !== undefined && known.fingerprint === before?.text) return known.answer;
  const entries = (await indexEntries(run))?.map(entryOf);
  const answer = {
    submodules: namedPaths(entries?.flatMap(({ mode, name }) => (mode === '160000' ? [name] : []))),
    // Missing files of a sparse checkout hide no changes, but the index does not tell which files are missing.
    hidden: namedPaths(entries?.flatMap(({ tag, name }) => (/[a-zS]/.test(tag) ? [name] : []))),
  };
  if (gitFolder !== undefined) ofIndex.store(repository, answer, before, await fingerprintOfStats(path.join(gitFolder, 'index')));
  return answer;
}

/** Returns the records of the files in the index; undefined when there are too many. */
async function indexEntries(run: RunAgain): Promise<readonly string[] | undefined> {
  try {
    return (await run(['ls-files', '-z', '-v', '--stage'])).stdout.split('\0').slice(0, -1);
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'OUTPUT_TOO_LARGE') return undefined;
    throw error;
  }
}

/**
 * Parses a record `<tag> <mode> <hash> <stage>\t<name>` (git-ls-files, Output). A lower-case tag marks a file that is assumed
 * unchanged.
 */
function entryOf(record: string): { readonly tag: string; readonly mode: string; readonly name: string } {
  const end = record.indexOf('\t');
  const [tag = '', mode = ''] = record.slice(0, end).split(' ');
  return { tag, mode, name: record.slice(end + 1) };
}
