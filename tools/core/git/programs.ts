import { ToolkitError } from '../../../kernel/index.ts';
import { lastValue, type Setting, type Settings } from './settings.ts';

interface Program {
  readonly key: RegExp;
  /** Value when the user has no setting of this name: one with which no program of the repository runs. */
  readonly fallback: string;
}

/**
 * Settings that name a program which git runs and no option turns off. Attributes of a file select the drivers among them
 * (gitattributes).
 */
const programs: readonly Program[] = [
  { key: /^filter\..*\.(clean|smudge|process)$/s, fallback: '' },
  { key: /^filter\..*\.required$/s, fallback: 'false' },
  { key: /^diff\..*\.(textconv|command)$/s, fallback: '' },
  { key: /^merge\..*\.driver$/s, fallback: '' },
  { key: /^gpg\.(openpgp\.)?program$/, fallback: 'gpg' },
  { key: /^gpg\.x509\.program$/, fallback: 'gpgsm' },
  { key: /^gpg\.ssh\.program$/, fallback: 'ssh-keygen' },
  { key: /^gpg\.ssh\.defaultkeycommand$/, fallback: '' },
  // Options of git merge, some of which run programs.
  { key: /^branch\..*\.mergeoptions$/s, fallback: '' },
];

/**
 * Returns settings that replace the programs of a repository by the user's own with that name, else by none. No hooks run, not
 * even the user's.
 */
export function withoutOwnPrograms(settings: Settings): readonly Setting[] {
  const { own, users } = settings;
  const replaced = own.flatMap(({ key }) => {
    const program = programs.find((candidate) => candidate.key.test(key));
    return program === undefined ? [] : [{ key, value: lastValue(users, key) ?? program.fallback }];
  });
  return [...replaced, ...withoutHooks(settings)];
}

/** Hooks in the configuration, which core.hooksPath does not turn off (git-hook, since Git 2.54). */
export const configuredHook = /^hook\.(.+)\.[a-z]+$/s;

function withoutHooks({ own, users }: Settings): readonly Setting[] {
  const names = new Set([...own, ...users].flatMap(({ key }) => configuredHook.exec(key)?.[1] ?? []));
  return [...names].flatMap((name) => [
    { key: `hook.${name}.enabled`, value: 'false' },
    { key: `hook.${name}.command`, value: ':' },
  ]);
}

const drivers = {
  filter: /^filter\.(.*)\.(?:clean|smudge|process)$/s,
  merge: /^merge\.(.*)\.driver$/s,
} as const;

/**
 * Throws EXECUTION_FAILED when the repository names a driver of this kind that the user does not have. With it, git would run a
 * program of the repository; without it, files would get wrong content.
 */
export function refuseOwnDrivers(kind: keyof typeof drivers, { own, users }: Settings): void {
  const found = own.filter(({ key }) => drivers[kind].test(key) && lastValue(users, key) === undefined);
  if (found.length === 0) return;
  const keys = [...new Set(found.map(({ key }) => key))].slice(0, 5).join(', ');
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `The configuration of the repository itself sets ${keys}: programs that this call would have to run, because without them files get the wrong content. Nothing was changed. Who knows and trusts the ${kind} driver moves it to their own configuration (git config --global), then it runs; or does this step in a terminal.`,
    { settings: keys },
  );
}
