import type { CheckServices, Finding, Plugin } from '../../kernel/index.ts';

/** Runs the checks of plugins as `toolkit doctor` does, one after the other: by default without a kernel, a store or variables. */
export async function runChecks(plugins: readonly Plugin[], services: Partial<CheckServices> = {}): Promise<readonly Finding[]> {
  const all = { kernel: undefined, isListed: true, cwd: '/', env: {}, state: undefined, ...services };
  const findings: Finding[] = [];
  for (const check of plugins.flatMap(({ checks = [] }) => checks)) findings.push(...(await check.run(all)));
  return findings;
}
