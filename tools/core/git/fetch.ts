import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { OutputParser, RunAgain } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';
import { maskCredentials } from './mask-credentials.ts';
import { networkFailure } from './network-failure.ts';
import { outputOf } from './revision.ts';

const listing = ['for-each-ref', '--format=%(objectname) %(refname)'] as const;

/** Options of a fetch. Without --quiet, because then git would not list the refs that it left unchanged. */
export const fetching = ['--no-progress', '--no-recurse-submodules', '--no-auto-maintenance'] as const;

/** Fetches, and compares the refs with those that `git for-each-ref` printed before. */
export const fetched: OutputParser = async (stdout, { exitCode, stderr, parameters, run }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const done = await run([
    'fetch',
    ...fetching,
    parameters['prune'] === true ? '--prune' : '--no-prune',
    '--',
    String(parameters['remote']),
  ]);
  if (done.exitCode !== 0) throw rejected(done.stderr, done.exitCode) ?? networkFailure({ ...done, parameters });
  return { updated: await updated(refsOf(stdout), run, parameters) };
};

interface UpdatedRef {
  readonly ref: string;
  /** Old hash; null when the ref is new. */
  readonly from: string | null;
  /** New hash; null when the ref is gone. */
  readonly to: string | null;
}

async function updated(
  before: ReadonlyMap<string, string>,
  run: RunAgain,
  parameters: Readonly<Record<string, unknown>>,
): Promise<readonly UpdatedRef[]> {
  const after = refsOf(await outputOf(run, listing, parameters));
  const refs = [...new Set([...after.keys(), ...before.keys()])].sort();
  return refs.flatMap((ref) => {
    const change = { ref, from: before.get(ref) ?? null, to: after.get(ref) ?? null };
    return change.from === change.to ? [] : [change];
  });
}

function refsOf(listed: string): ReadonlyMap<string, string> {
  const lines = listed.split('\n').slice(0, -1);
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

function rejected(stderr: string, exitCode: number): ToolkitError | undefined {
  const lines = stderr.split('\n').filter((line) => /\[rejected\]/.test(line));
  if (lines.length === 0) return undefined;
  const words = excerpt(maskCredentials(lines.join(' ')));
  return new ToolkitError(
    'EXECUTION_FAILED',
    `Some refs were left as they are, because what the remote has would replace what is here: ${words}. The others were fetched.`,
    { exitCode },
  );
}
