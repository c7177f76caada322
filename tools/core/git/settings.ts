import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import type { RunAgain } from '../../../plugins/executor-command/index.ts';
import { maskCredentials } from './mask-credentials.ts';

export interface Setting {
  /** Section and variable in lower case, the part between them as written: `filter.LFS.clean`. */
  readonly key: string;
  readonly value: string;
  /** Scope in git's list: `local`, `worktree`, `global` and so on. */
  readonly scope?: string;
}

export interface Settings {
  /** Settings of the repository itself: `config` and `config.worktree`, with included files. */
  readonly own: readonly Setting[];
  /** Settings of the user and the system. */
  readonly users: readonly Setting[];
}

const usersScopes = new Set(['system', 'global', 'command']);

/** Returns the effective configuration of a repository. Throws EXECUTION_FAILED when git cannot read it. */
export async function settingsOf(repository: string, run: RunAgain): Promise<Settings> {
  const args = ['-C', repository, '--no-pager', 'config', '--list', '-z', '--show-scope', '--includes'];
  const { stdout, stderr, exitCode } = await run(args);
  if (exitCode !== 0) {
    throw new ToolkitError('EXECUTION_FAILED', `git cannot read the configuration of the repository: ${excerpt(maskCredentials(stderr))}`, {
      exitCode,
    });
  }
  const fields = stdout.split('\0').slice(0, -1);
  const settings = Array.from({ length: fields.length / 2 }, (_, index) => ({
    scope: fields[index * 2] ?? '',
    ...settingOf(fields[index * 2 + 1] ?? ''),
  }));
  const isUsers = ({ scope = '' }: Setting): boolean => usersScopes.has(scope);
  return { users: settings.filter(isUsers), own: settings.filter((setting) => !isUsers(setting)) };
}

/** Parses a setting. A key without a value means true (git-config, Syntax). */
function settingOf(text: string): Setting {
  const end = text.indexOf('\n');
  return end < 0 ? { key: text, value: 'true' } : { key: text.slice(0, end), value: text.slice(end + 1) };
}

/** Returns the last value of a key, which is the effective one. */
export function lastValue(settings: readonly Setting[], key: string): string | undefined {
  return settings.findLast((setting) => setting.key === key)?.value;
}
