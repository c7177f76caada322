import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';

type Kind = 'tool' | 'provider';

interface NamedEntry {
  readonly name: string;
  readonly origin: Origin;
}

interface OwnershipResult<T extends NamedEntry> {
  readonly kept: Map<string, T>;
  /** Entries that several packages provide; none of them is used. */
  readonly contested: readonly T[];
}

/** Returns the precedence of a claim on a name; the lowest wins: this program, the operator, a package, a plugin. */
export function precedenceOf({ isBuiltIn = false, trust, package: owner }: Origin): number {
  if (isBuiltIn) return 0;
  if (trust === 'operator') return 1;
  return owner === undefined ? 3 : 2;
}

/**
 * Returns one entry for each name, by precedence: this program, the operator, packages, plugins. The order of discovery
 * does not count. A name of several packages belongs to none of them: the order of discovery must not
 * decide which one runs.
 */
export function oneOfEachName<T extends NamedEntry>(kind: Kind, things: readonly T[], problems: Problem[]): OwnershipResult<T> {
  const kept = new Map<string, T>();
  /** Entries of names with several claims, by precedence. */
  const shared = new Map<string, [T, ...T[]]>();
  for (const thing of [0, 1, 2, 3].flatMap((rank) => things.filter(({ origin }) => precedenceOf(origin) === rank))) {
    const { name } = thing;
    const first = kept.get(name);
    if (first === undefined) kept.set(name, thing);
    else shared.set(name, [...(shared.get(name) ?? [first]), thing]);
  }
  const contested: T[] = [];
  for (const [name, claims] of shared) {
    const [first, ...others] = claims;
    const packages = claims.filter(({ origin }) => precedenceOf(origin) === 2);
    if (precedenceOf(first.origin) === 2 && packages.some(({ origin }) => origin.package?.name !== first.origin.package?.name)) {
      kept.delete(name);
      contested.push(...claims);
      problems.push(contestedName(kind, name, [first, ...packages.slice(1)]));
    } else for (const { origin } of others) problems.push(takenName(kind, name, origin, first.origin));
  }
  return { kept, contested };
}

/** Returns the problem of a definition whose name is taken. */
export function takenName(kind: Kind, name: string, origin: Origin, first: Origin): Problem {
  if (first.isBuiltIn === true && origin.trust === 'operator' && kind === 'tool') {
    const taken = `the tool "${name}" is not used: the name belongs to a tool that comes with this program, which cannot be replaced. Give yours another name`;
    return problemAt(kind, origin, taken);
  }
  const message = `the ${kind} "${name}" is already defined by ${locationOf(first)}; that one is used. Rename one of the two (${locationOf(origin)} is the other)`;
  return problemAt(kind, origin, message);
}

function contestedName(kind: Kind, name: string, claims: readonly [NamedEntry, ...NamedEntry[]]): Problem {
  const [{ origin }] = claims;
  const owners = claims.map((claim) => `"${claim.origin.package?.name}" (${locationOf(claim.origin)})`).join(' and ');
  const message = `the ${kind} "${name}" is defined by several packages, ${owners}: none of them is used. Remove all but one`;
  return { ...problemAt(kind, origin, message), ...(kind === 'tool' ? { tool: name } : {}) };
}

function problemAt(kind: Kind, { plugin, file, locate }: Origin, message: string): Problem {
  const position = locate?.(kind === 'tool' ? '/name' : '/provider/name');
  return {
    severity: 'error',
    code: 'TOOL_DUPLICATE',
    plugin,
    path: kind === 'tool' ? 'name' : 'provider.name',
    message,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { position }),
  };
}

function locationOf({ file, plugin }: Origin): string {
  return file ?? `plugin ${plugin}`;
}
