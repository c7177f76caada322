import type { Finding, PluginCheck } from '../../kernel/index.ts';

/** Check of what differs from `toolkit.lock`. */
export const lockChecks: readonly PluginCheck<object>[] = [
  {
    name: 'Lock',
    async run(_options, { kernel, cwd }) {
      const { hasLock } = await import('./accepted/has-lock.ts');
      if (kernel === undefined || !hasLock(cwd)) return [];
      const { withheld, withheldSkills } = kernel.registry;
      const out = [...withheld.values(), ...withheldSkills.values()].filter(({ acceptedBy }) => acceptedBy.includes('toolkit accept'));
      if (out.length === 0) return [{ check: 'Lock', state: 'ok', message: 'what is served is as in toolkit.lock' }];
      const finding: Finding = {
        check: 'Lock',
        state: 'warning',
        message: `${out.length === 1 ? 'one item differs' : `${out.length} items differ`} from toolkit.lock and ${out.length === 1 ? 'is' : 'are'} withheld`,
        details: out.map(({ kind, name, how }) => `${kind} ${name} ${how}`),
        hint: '"toolkit lock --check" shows all differences, "toolkit accept" takes them over.',
      };
      return [finding];
    },
  },
];
