import { createHash } from 'node:crypto';
import path from 'node:path';
import { excerpt, type IdentityPart, ToolkitError } from '../../../kernel/index.ts';
import type { Identifier, OutputParser, Preparer, RunAgain } from '../../../plugins/executor-command/index.ts';
import { fileIdentity } from '../../../plugins/shared/bound-files/file-identity.ts';
import { newReadBudget } from '../../../plugins/shared/bound-files/read-budget.ts';
import { gitFailure } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { openForContent, openRepository } from './repository.ts';
import { emptyTree, hashOf, outputOf } from './revision.ts';
import { changesOf, listing } from './tree-changes.ts';
import { WorkingTree } from './working-tree.ts';

/** Maximum number of files whose content is compared; for more files only the names are compared. */
const maxFiles = 1000;

interface RestoreParameters {
  readonly repository: string;
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged: boolean;
}

/** Adds the tree to restore from to the arguments of `git rev-parse`; without a source that of HEAD, for staged changes. */
export const openForRestore: Preparer = async (invocation, context) => {
  const { source = 'HEAD' } = context.parameters as unknown as RestoreParameters;
  return { ...(await openForContent(invocation, context)), args: [...invocation.args, `${source}^{tree}`] };
};

/**
 * Returns the tree to restore from, and the changes that would be lost: the files that differ from it, with their current
 * content.
 */
export const identifyRestore: Identifier = async (invocation, context) => {
  const { repository, source, staged, paths } = context.parameters as unknown as RestoreParameters;
  const { env = {} } = await openRepository(invocation, context);
  const run: RunAgain = (args, options) => context.run(['-C', repository, ...args], { ...options, env });
  const isOfIndex = source === undefined && !staged;
  const tree = (await hashOf(run, `${source ?? 'HEAD'}^{tree}`)) ?? (await emptyTree(run, context.parameters));
  const from = isOfIndex ? [] : [tree];
  const compared = [...(staged ? ['--cached'] : []), ...from, '--', ...paths];
  const listed = ['diff', ...listing, '--no-color', '--ignore-submodules=dirty', ...compared];
  const changes = changesOf(await outputOf(run, listed, context.parameters));
  const budget = newReadBudget();
  const look = { binds: 'content', controlFiles: context.controlFiles, signal: new AbortController().signal, budget } as const;
  const files = new Map<string, IdentityPart>();
  for (const { name } of staged ? [] : changes.slice(0, maxFiles)) files.set(name, await fileIdentity(path.join(repository, name), look));
  const names = [...new Set(changes.map(({ name }) => name))];
  const shownNames = `${names.length} files differ from ${source ?? (staged ? 'HEAD' : 'what is staged')}: ${excerpt(maskCredentials(names.join(', ')))}`;
  return {
    content: {
      shown: shownNames,
      state: createHash('sha256')
        .update(JSON.stringify([from, changes]))
        .digest('hex'),
    },
    files: Object.fromEntries(files),
  };
};

/**
 * Restores the differences below the paths: exactly the compared names, from the tree that `git rev-parse` printed, so that
 * nothing else is written even when the repository changes meanwhile.
 */
export const restore: OutputParser = async (stdout, { exitCode, stderr, parameters, run, controlFiles }) => {
  const { paths, source, staged } = parameters as unknown as RestoreParameters;
  if (source !== undefined && exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  // Before the first commit every staged file is new.
  const head = exitCode === 0 ? stdout.trim() : await emptyTree(run, parameters);
  const from = source === undefined && !staged ? undefined : head;
  const compared = [...(staged ? ['--cached'] : []), ...(from === undefined ? [] : [from]), '--', ...paths];
  const changes = changesOf(await outputOf(run, ['diff', ...listing, '--no-color', '--ignore-submodules=dirty', ...compared], parameters));
  const names = [...new Set(changes.map(({ name }) => name))];
  await outputOf(
    run,
    ['ls-files', '-z', '--error-unmatch', ...(from === undefined ? [] : [`--with-tree=${from}`]), '--', ...paths],
    parameters,
  );
  if (names.length === 0) return { restored: [] };
  if (!staged) {
    const back = changes.map(({ name, from: to, to: there }) => ({ name, from: there, to }));
    await new WorkingTree({ parameters, controlFiles }).refuseChanges(
      source === undefined ? 'this' : `the content of "${excerpt(source)}"`,
      back,
      run,
    );
  }
  const options = [
    '--quiet',
    '--no-recurse-submodules',
    staged ? '--staged' : '--worktree',
    ...(from === undefined ? [] : [`--source=${from}`]),
  ];
  const done = await run(['restore', ...options, '--pathspec-from-file=-', '--pathspec-file-nul'], {
    stdin: names.map((name) => `${name}\0`).join(''),
  });
  if (/is unmerged/.test(done.stderr)) {
    const advice = 'Give source: HEAD to get back the content of the last commit, or edit the file and stage it with git_add';
    throw new ToolkitError(
      'EXECUTION_FAILED',
      `Nothing was restored, because a file is in conflict: ${excerpt(maskCredentials(done.stderr))} ${advice}.`,
      { exitCode: done.exitCode },
    );
  }
  if (done.exitCode !== 0) throw gitFailure({ ...done, parameters });
  return { restored: names };
};
