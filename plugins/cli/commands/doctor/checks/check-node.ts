import type { Finding } from './finding.ts';

/** The oldest Node that this program is made for: `engines` of package.json, against which a test holds it. */
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
