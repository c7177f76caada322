import type { CheckServices, Finding, PluginCheck } from '../../../kernel/index.ts';

/** Check of the records of approvals: those that wait, those that cannot be read, and the ways to decide. */
export const approvalChecks: readonly PluginCheck<unknown>[] = [
  {
    // The subject of the check that says which calls need a person.
    name: 'Approval',
    async run(_options, { kernel, state }: CheckServices): Promise<readonly Finding[]> {
      if (kernel?.approvals.areKept !== true) return [];
      const [{ checkRecords }, { checkWays }] = await Promise.all([import('./check-records.ts'), import('./check-ways.ts')]);
      // Records in memory are those of another process.
      const found = state?.isShared === true ? await checkRecords(kernel.approvals, Date.now()) : [];
      return [...found, ...checkWays(kernel)];
    },
  },
];
