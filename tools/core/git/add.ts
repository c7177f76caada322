import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, RunAgain } from '../../../plugins/executor-command/index.ts';
import { leftOut } from './changes.ts';
import { gitFailure, wrongParameter } from './failure.ts';
import { filesOf } from './status.ts';
import { WorkingTree } from './working-tree.ts';

interface AddParameters {
  readonly repository: string;
  readonly paths: readonly string[];
}

/**
 * Stages the changes that `git status` listed for the paths, all or none. Stages nothing else: git would enter a submodule and
 * run a program that its configuration names.
 */
export const add: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const given = parameters as unknown as AddParameters;
  const changed = filesOf(stdout.split('\0').slice(0, -1)).filter(({ worktree }) => worktree !== '.');
  const tree = new WorkingTree({ parameters, controlFiles });
  // Staging a file copies it into the repository, so secrets are refused; a deletion may be staged.
  const secrets = await tree.secretsAmong(changed.flatMap(({ path: name, worktree }) => (worktree === 'D' ? [] : [name])));
  if (secrets.size > 0) for (const name of given.paths) if (namesAny(given, name, secrets)) await tree.refuseSecret(name);
  const found = changed.map(({ path: name }) => name);
  await refuseIdle(given, found, run);
  const names = found.filter((name) => !secrets.has(name));
  const odd = names.find((name) => name.includes('\ufffd'));
  if (odd !== undefined) {
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `The name of "${excerpt(odd)}" is not UTF-8, which this tool cannot pass on. Nothing was staged. Name the other paths, and add this one in a terminal.`,
    );
  }
  if (names.length > 0) await stage(run, names, parameters);
  return { staged: names, ...leftOut(secrets) };
};

async function stage(run: RunAgain, names: readonly string[], parameters: Readonly<Record<string, unknown>>): Promise<void> {
  const done = await run(['add', '--pathspec-from-file=-', '--pathspec-file-nul'], { stdin: names.map((name) => `${name}\0`).join('') });
  if (done.exitCode !== 0) throw gitFailure({ ...done, parameters });
}

/** Throws NOT_FOUND or INVALID_PARAMETERS, as git does, for a path at which nothing can be staged. */
async function refuseIdle({ repository, paths }: AddParameters, names: readonly string[], run: RunAgain): Promise<void> {
  const idle = paths.filter((given) => !namesAny({ repository }, given, names));
  if (idle.length === 0 || (await run(['ls-files', '-z', '--error-unmatch', '--', ...idle])).exitCode === 0) return;
  for (const name of idle) await refuseUnknown(name, run);
}

async function refuseUnknown(name: string, run: RunAgain): Promise<void> {
  if ((await run(['ls-files', '-z', '--error-unmatch', '--', name])).exitCode === 0) return;
  // No submodule is at a path that git does not know.
  const { stderr, exitCode } = await run(['add', '--dry-run', '--', name]);
  if (exitCode === 0) return;
  if (!/ignored by one of your/.test(stderr)) throw gitFailure({ stderr, exitCode, parameters: { paths: [name] } });
  throw wrongParameter('paths', `expected paths that .gitignore does not exclude, received "${excerpt(name)}"`);
}

/** Returns true when a given path is, or contains, one of the names. */
function namesAny({ repository }: Pick<AddParameters, 'repository'>, given: string, names: Iterable<string>): boolean {
  const place = path.normalize(path.relative(repository, path.resolve(repository, given)));
  return [...names].some((name) => isAt(name, place));
}

function isAt(name: string, given: string): boolean {
  return given === '.' || name === given || name.startsWith(`${given}/`) || name === `${given}/`;
}
