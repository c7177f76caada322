import type { OutputParser } from '../../../plugins/executor-command/index.ts';
import { gitFailure } from './failure.ts';

const branchFolders = /^refs\/(?:heads|remotes)\//;

/**
 * Parses the output of `git for-each-ref refs/heads refs/remotes`. Fields of a line: name, hash, `*` for the current branch, upstream, and the
 * target when the ref is a symbolic one.
 */
export const branches: OutputParser = (stdout, { exitCode, stderr, parameters }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  const refs = recordsOf(stdout);
  const names = new Set(refs.map(([name]) => name));
  const wanted = parameters['remote'] === true ? 'refs/remotes/' : 'refs/heads/';
  // A symbolic ref such as origin/HEAD is no branch.
  const found = refs.filter(([name = '', , , , target]) => name.startsWith(wanted) && target === '');
  return {
    branches: found.map(([name = '', hash, head, upstream = '']) => ({
      name: name.slice(wanted.length),
      hash,
      current: head === '*',
      upstream: upstream === '' ? null : upstream.replace(branchFolders, ''),
      ...(upstream === '' ? {} : { upstream_gone: !names.has(upstream) }),
    })),
  };
};

/** Parses the output of `git tag --list`. Fields of a line: name, hash, hash of the tagged object (annotated tags only), type, date. */
export const tags: OutputParser = (stdout, { exitCode, stderr, parameters }) => {
  if (exitCode !== 0) throw gitFailure({ stderr, exitCode, parameters });
  return {
    tags: recordsOf(stdout).map(([name, hash, taggedHash, type, date = '']) => ({
      name,
      hash: taggedHash === '' ? hash : taggedHash,
      date: Number.isNaN(Date.parse(date)) ? null : date,
      annotated: type === 'tag',
    })),
  };
};

/**
 * Splits the output into records of fields. Names of refs hold no newline (git-check-ref-format), so a line is a record; null
 * bytes separate its fields.
 */
function recordsOf(stdout: string): readonly (readonly string[])[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\0'));
}
