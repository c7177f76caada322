import path from 'node:path';
import { type ControlFiles, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { type NamedPaths, namedPaths } from './named-paths.ts';
import { fingerprintOfStats } from './repository-fingerprint.ts';
import { memoryOf, type OfIndex } from './repository-memory.ts';

/** The kinds of files that `git status` passes over without a word. */
export interface LeftOutOfStatus {
  readonly ignored?: NamedPaths;
  readonly submodules?: NamedPaths;
  readonly hidden?: NamedPaths;
}

interface Asked {
  readonly repository: string;
  readonly run: RunAgain;
  readonly controlFiles: ControlFiles;
  /** Undefined when there are too many to list. */
  readonly ignored: readonly string[] | undefined;
}

/** Finds what the status of a working tree has not looked at. What it could not read is said beside it, as by every walk. Undefined when there is nothing. */
export async function leftOutOfStatus({ repository, run, controlFiles, ignored }: Asked): Promise<LeftOutOfStatus | undefined> {
  const found = { ignored: namedPaths(ignored), ...(await leftOutByIndex(repository, run, controlFiles)) };
  const kinds = Object.entries(found).filter(([, value]) => value !== undefined);
  return kinds.length === 0 ? undefined : (Object.fromEntries(kinds) as LeftOutOfStatus);
}

/** Facts that the index has of its files, asked for once for each index. */
async function leftOutByIndex(repository: string, run: RunAgain, controlFiles: ControlFiles): Promise<OfIndex> {
  const { opened, ofIndex } = memoryOf(controlFiles);
  const gitFolder = opened.get(repository)?.answer.gitFolder;
  const before = gitFolder === undefined ? undefined : await fingerprintOfStats(path.join(gitFolder, 'index'));
  const known = before === undefined ? undefined : ofIndex.get(repository);
  if (known !== undefined && known.fingerprint === before?.text) return known.answer;
  const entries = (await indexEntries(run))?.map(entryOf);
  const answer = {
    submodules: namedPaths(entries?.flatMap(({ mode, name }) => (mode === '160000' ? [name] : []))),
    // Files in a sparse checkout that are not there have nothing to show, but the index does not tell which these are.
    hidden: namedPaths(entries?.flatMap(({ tag, name }) => (/[a-zS]/.test(tag) ? [name] : []))),
  };
  if (gitFolder !== undefined) ofIndex.keep(repository, answer, before, await fingerprintOfStats(path.join(gitFolder, 'index')));
  return answer;
}

/** The records of the files in the index; undefined when there are too many. */
async function indexEntries(run: RunAgain): Promise<readonly string[] | undefined> {
  try {
    return (await run(['ls-files', '-z', '-v', '--stage'])).stdout.split('\0').slice(0, -1);
  } catch (error) {
    if (ToolkitError.is(error) && error.code === 'OUTPUT_TOO_LARGE') return undefined;
    throw error;
  }
}

/** A record `<tag> <mode> <hash> <stage>\t<name>` (git-ls-files, Output). A small letter is a file that is assumed to be unchanged. */
function entryOf(record: string): { readonly tag: string; readonly mode: string; readonly name: string } {
  const end = record.indexOf('\t');
  const [tag = '', mode = ''] = record.slice(0, end).split(' ');
  return { tag, mode, name: record.slice(end + 1) };
}
