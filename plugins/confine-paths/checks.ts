import type { Finding, PluginCheck } from '../../kernel/index.ts';

interface Roots {
  readonly roots?: readonly string[];
  readonly readRoots?: readonly string[];
}

/** Check of the folders that file tools may use. */
export const rootChecks: readonly PluginCheck<Roots>[] = [
  {
    name: 'Roots',
    async run({ roots = [], readRoots = [] }, { cwd }) {
      const path = await import('node:path');
      const findings = await Promise.all([...roots, ...readRoots].map((root) => checkRoot(path.resolve(cwd, root))));
      return findings.filter((finding) => finding !== undefined);
    },
  },
];

async function checkRoot(root: string): Promise<Finding | undefined> {
  const { stat } = await import('node:fs/promises');
  const isFolder = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return undefined;
  return {
    check: 'Roots',
    state: 'warning',
    message: `${root} is not a folder: file tools find nothing there`,
    hint: 'Make it, or correct "roots".',
  };
}
