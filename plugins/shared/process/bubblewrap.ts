import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, messageOf } from '../../../kernel/index.ts';
import { decodeUtf8 } from '../text/utf8.ts';
import { minimalEnvironment, type ProgramResult, runProgram } from './program.ts';

/**
 * Isolation of every sandbox (bwrap(1)): own namespaces, including a user namespace that cannot be nested; no capabilities; no process of
 * the host; no terminal; it ends with its parent. The program is process 1, so that the system kills all others with it, before it counts
 * as ended.
 */
export const isolation: readonly string[] = [
  '--unshare-all',
  '--unshare-user',
  '--disable-userns',
  ...['--cap-drop', 'ALL'],
  '--as-pid-1',
  '--new-session',
  '--die-with-parent',
];

/** Minimum version: the first with `--disable-userns`. */
const minVersion = [0, 8] as const;

/** Availability of bubblewrap on this machine. Messages have no full stop. */
export type Bubblewrap =
  | { readonly type: 'works'; readonly file: string; readonly version: string }
  | { readonly type: 'fails'; readonly message: string; readonly hint: string };

const installHint =
  'Install it (Debian and Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap; Alpine: apk add bubblewrap).';

const userNamespaceHint =
  'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 or user.max_user_namespaces=15000, on Ubuntu an AppArmor profile for bwrap; in a container they need its permission.';

/** Timeout of a trial run, in milliseconds. */
const trialTimeoutMs = 10_000;

/** Finds bubblewrap, in absolute folders of the PATH or at an absolute path, and runs it once with full isolation. Never throws. */
export async function findBubblewrap(
  named = 'bwrap',
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Bubblewrap> {
  if (process.platform !== 'linux') return { type: 'fails', message: 'bubblewrap exists on Linux only', hint: 'Leave the sandbox out.' };
  const { default: which } = await import('which');
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = await which(named, { path: folders.join(path.delimiter), nothrow: true });
  const file = found === null || !path.isAbsolute(found) ? undefined : await realpath(found).catch(() => undefined);
  if (file === undefined) return { type: 'fails', message: `${excerpt(named, 100)} is not on the PATH`, hint: installHint };
  const run = (args: readonly string[]): Promise<ProgramResult> =>
    runProgram(file, args, { cwd: '/', env: minimalEnvironment(env), signal: AbortSignal.timeout(trialTimeoutMs), maxOutputBytes: 10_000 });
  try {
    // Own text: a version, which is looked for
    const version = /(\d+)\.(\d+)\S*/.exec((await run(['--version'])).stdout.toString('utf8'));
    if (version === null) return { type: 'fails', message: `${file} does not say its version`, hint: installHint };
    if (isOlder(Number(version[1]), Number(version[2])))
      return { type: 'fails', message: `bubblewrap ${version[0]} is older than ${minVersion.join('.')}`, hint: installHint };
    const trial = await run([...isolation, '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', file, '--version']);
    if (trial.exitCode === 0) return { type: 'works', file, version: version[0] };
    const words = excerpt(decodeUtf8(trial.stderr).text, 120) || `exit ${trial.exitCode ?? 'by a signal'}`;
    return { type: 'fails', message: `bubblewrap ${version[0]} cannot make a sandbox here: ${words}`, hint: userNamespaceHint };
  } catch (error) {
    return { type: 'fails', message: `${file} cannot be run: ${excerpt(messageOf(error), 120)}`, hint: installHint };
  }
}

function isOlder(major: number, minor: number): boolean {
  return major < minVersion[0] || (major === minVersion[0] && minor < minVersion[1]);
}
