import { ToolkitError } from '../../../kernel/index.ts';
import { type Commit, commitsOf } from './commit-record.ts';
import type { WorkingTree } from './working-tree.ts';

/** Commit with the files in which a text was added or removed, under their current names. */
interface ChangedCommit extends Commit {
  readonly files: readonly string[];
}

/** Maximum number of searches. Each search finds more files with secrets. */
const maxSearches = 20;

const fields = 6;

/**
 * Returns the commits that `git log -z --name-status` found by a text. While a result contains files with secrets, it calls
 * `again` without these, so that no result depends on their content. Throws EXECUTION_FAILED when that takes too many searches.
 */
export async function changedCommits(
  stdout: string,
  tree: WorkingTree,
  searchWithout: (withheld: ReadonlySet<string>) => Promise<string>,
): Promise<readonly ChangedCommit[]> {
  const withheld = new Set<string>();
  let printed = stdout;
  for (let search = 0; search < maxSearches; search++) {
    const found = [...recordsOf(printed)];
    const secrets = await tree.secretsAmong(new Set(found.flatMap(({ names }) => names)));
    if (secrets.size === 0) return found.map(({ commit, files }) => ({ ...commit, files }));
    for (const name of secrets) withheld.add(name);
    printed = await searchWithout(withheld);
  }
  throw new ToolkitError(
    'EXECUTION_FAILED',
    'This search finds too many files with secrets, which tools must not read. Name one file or folder in path.',
  );
}

interface FoundCommit {
  readonly commit: Commit;
  readonly files: readonly string[];
  /** Names of the files, with those before a rename. */
  readonly names: readonly string[];
}

/**
 * Parses a commit: its fields, then for each file a letter and its name, for a rename also the old name. The first letter is on
 * a new line.
 */
function* recordsOf(stdout: string): Generator<FoundCommit> {
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
