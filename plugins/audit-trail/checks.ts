import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the file of the trail. */
export const trailChecks: readonly PluginCheck<{ readonly path?: string }>[] = [
  {
    name: 'Audit trail',
    async run({ path: given }, { cwd }) {
      if (given === undefined) return [];
      const file = path.resolve(cwd, given);
      const existing = await findNearestExisting(file);
      try {
        await access(existing, constants.W_OK);
        return [];
      } catch {
        const message = `${file} cannot be written: this account may not change ${existing}`;
        const hint = 'Give this account the right to, or name another place in audit-trail.';
        return [{ check: 'Audit trail', state: 'problem', message, hint }];
      }
    },
  },
];

async function findNearestExisting(target: string): Promise<string> {
  const isThere = await stat(target).then(
    () => true,
    () => false,
  );
  return isThere || target === path.dirname(target) ? target : findNearestExisting(path.dirname(target));
}
