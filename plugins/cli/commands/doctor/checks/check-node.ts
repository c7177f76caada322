import type { Finding } from '../../../../../kernel/index.ts';

/** Oldest supported Node: `engines` of package.json. A test compares the two. */
export const oldestNode = '20.19.0';

export function checkNode(version: string): Finding {
  const isNew = version.localeCompare(oldestNode, 'en', { numeric: true }) >= 0;
  return {
    check: 'Node',
    state: isNew ? 'ok' : 'problem',
    message: isNew ? version : `${version} is too old: ${oldestNode} or newer is needed`,
    ...(isNew ? {} : { hint: 'Install a newer Node from https://nodejs.org.' }),
  };
}
