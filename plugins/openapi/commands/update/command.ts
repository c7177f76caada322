import type { Command } from '../../../../kernel/index.ts';
import { acceptFindingFlag } from '../../../shared/scanner/review/accept-finding-flag.ts';
import { completeSources } from '../complete-sources.ts';

/** `toolkit openapi update`: accepts the present document of a source. */
export const updateCommand: Command = {
  name: 'openapi update',
  description:
    'Accept the present document of a source, after showing what differs: writes toolkit.lock and the copy in toolkit.lock.d. Fetches a URL anew. Asks at a terminal; needs --yes without one. Running servers take it over by themselves.',
  arguments: [{ name: '<source>', description: 'its name in the configuration', complete: completeSources }],
  flags: [
    { flag: '--yes', description: 'accept without asking' },
    acceptFindingFlag,
    { flag: '--allow-host <host>', description: 'the host of a URL document that may be private, such as localhost:8080' },
  ],
  examples: [{ line: 'toolkit openapi update box', does: 'see the changes, then accept them' }],
  async run(invocation) {
    const { update } = await import('./update.ts');
    await update(invocation);
  },
};
