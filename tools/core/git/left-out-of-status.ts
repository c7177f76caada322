import { ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';

/** Paths that an output names for each kind, at most. */
const maxPaths = 20;

interface Named {
  /** Null when there were too many to list. */
  readonly count: number | null;
  /** The first of them, relative to the top folder. */
  readonly paths: readonly string[];
}

/** The kinds of files that `git status` passes over without a word. */
export interface LeftOutOfStatus {
  readonly ignored?: Named;
  readonly submodules?: Named;
  readonly hidden?: Named;
}

/** Finds what the status of a working tree has not looked at. What it could not read is said beside it, as by every walk. Undefined when there is nothing. */
export async function leftOutOfStatus(run: RunAgain): Promise<LeftOutOfStatus | undefined> {
  const [ignored, index] = await Promise.all([
    listed(run, ['--others', '--ignored', '--exclude-standard', '--directory', '--no-empty-directory']),
    listed(run, ['-v', '--stage']),
  ]);
  const entries = index?.map(entryOf);
  const found = {
    ignored: named(ignored),
    submodules: named(entries?.flatMap(({ mode, name }) => (mode === '160000' ? [name] : []))),
    // Files in a sparse checkout that are not there have nothing to show, but the index does not tell which these are.
    hidden: named(entries?.flatMap(({ tag, name }) => (/[a-zS]/.test(tag) ? [name] : []))),
  };
  const kinds = Object.entries(found).filter(([, value]) => value !== undefined);
  return kinds.length === 0 ? undefined : (Object.fromEntries(kinds) as LeftOutOfStatus);
}

/** The records of `git ls-files -z`; undefined when there are too many. */
async function listed(run: RunAgain, options: readonly string[]): Promise<readonly string[] | undefined> {
  try {
    return (await run(['ls-files', '-z', ...options])).stdout.split('\0').slice(0, -1);
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

function named(names: readonly string[] | undefined): Named | undefined {
  if (names === undefined) return { count: null, paths: [] };
  // A file in conflict has several records.
  const different = [...new Set(names)];
  return different.length === 0 ? undefined : { count: different.length, paths: different.slice(0, maxPaths) };
}
