import { excerpt } from '../../../kernel/index.ts';
import { wrongParameter } from './failure.ts';
import type { Settings } from './settings.ts';

/** Throws INVALID_PARAMETERS unless the name is that of a remote with a URL, and has no other meaning. */
export function refuseUnknown(remote: string, { own, users }: Settings): void {
  const all = [...own, ...users];
  const names = [...new Set(all.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []))];
  if (names.includes(remote)) return;
  const known = names.length === 0 ? 'but the repository has none' : `one of ${names.map((name) => `"${excerpt(name, 50)}"`).join(', ')}`;
  throw wrongParameter('remote', `expected the name of a remote of the repository, ${known}, received "${excerpt(remote)}"`);
}

/**
 * Throws INVALID_PARAMETERS for a remote that is also the name of a group: git fetch would reach its members, which were not
 * checked (git-fetch, `remotes.<group>`).
 */
export function refuseGroup(remote: string, { own, users }: Settings): void {
  if (![...own, ...users].some(({ key }) => key === `remotes.${remote}`)) return;
  const group = excerpt(remote);
  throw wrongParameter(
    'remote',
    `expected a name that stands for one remote, received "${group}", which the configuration also makes a group of remotes. Rename remotes.${group} there`,
  );
}

/**
 * Throws INVALID_PARAMETERS for a remote, such as a mirror, from which a fetch would write to branches of the repository
 * itself.
 */
export function refuseBranchTargets(remote: string, { own, users }: Settings): void {
  const rules = [...own, ...users].flatMap(({ key, value }) => (key === `remote.${remote}.fetch` ? [value] : []));
  const wrong = rules.find(reachesBranches);
  if (wrong === undefined) return;
  const name = excerpt(remote);
  throw wrongParameter(
    'remote',
    `expected a remote whose branches are kept below refs/remotes/, received "${name}", whose rule remote.${name}.fetch = ${excerpt(wrong)} writes to branches of the repository itself. Correct the rule, or fetch in a terminal`,
  );
}

/**
 * Returns true when the target of a rule `+<from>:<to>` may be below refs/heads/. A target that is no full name is a branch
 * (git-fetch, refspec).
 */
function reachesBranches(rule: string): boolean {
  const target = /:(.+)$/s.exec(rule)?.[1];
  if (target === undefined) return false;
  const [start = ''] = target.split('*');
  const isPattern = target.includes('*');
  return !start.startsWith('refs/') || start.startsWith('refs/heads/') || (isPattern && 'refs/heads/'.startsWith(start));
}
