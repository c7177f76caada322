import { ToolkitError } from '../../../kernel/index.ts';
import { type Commit, commitsOf } from './commit-record.ts';
import type { WorkingTree } from './working-tree.ts';

/** A commit and its files in which a text was added or removed, as they are called since. */
interface ChangedCommit extends Commit {
  readonly files: readonly string[];
}

/** Searches for what is in files with secrets, at most: each has found more of them. */
const maxSearches = 20;

const fields = 6;

/**
 * The commits that `git log -z --name-status` found by a text, none by what is in files with secrets: as long as such files fit, it searches `again`
 * without these, so that no result depends on what they hold. Throws EXECUTION_FAILED when that takes too many searches.
 */
export async function changedCommits(
  stdout: string,
  tree: WorkingTree,
  again: (withheld: ReadonlySet<string>) => Promise<string>,
): Promise<readonly ChangedCommit[]> {
  const withheld = new Set<string>();
  let printed = stdout;
  for (let search = 0; search < maxSearches; search++) {
    const found = [...recordsOf(printed)];
    const secrets = await tree.secretsAmong(new Set(found.flatMap(({ names }) => names)));
    if (secrets.size === 0) return found.map(({ commit, files }) => ({ ...commit, files }));
    for (const name of secrets) withheld.add(name);
    printed = await again(withheld);
  }
  throw new ToolkitError('EXECUTION_FAILED', 'Too many files with secrets lie in the way of this search. Name the file or folder in path.');
}

interface Found {
  readonly commit: Commit;
  readonly files: readonly string[];
  /** Those before a rename as well. */
  readonly names: readonly string[];
}

/** The fields of a commit, then for each file a letter and its name, for a rename the one before as well. The first letter stands on a new line. */
function* recordsOf(stdout: string): Generator<Found> {
  const parts = stdout.split('\0');
  let next = 0;
  while (next + fields < parts.length) {
    const [commit] = commitsOf(`${parts.slice(next, next + fields).join('\0')}\0`);
    next += fields;
    const files: string[] = [];
    const names: string[] = [];
    for (let [, kind] = kindAt(parts[next]); kind !== undefined; [, kind] = kindAt(parts[next])) {
      const given = parts.slice(next + 1, next + (/[RC]/.test(kind) ? 3 : 2));
      names.push(...given);
      files.push(...given.slice(-1));
      next += 1 + given.length;
    }
    if (commit !== undefined) yield { commit, files, names };
  }
}

function kindAt(part = ''): readonly (string | undefined)[] {
  return /^\n?([A-Z])\d*$/.exec(part) ?? [];
}
