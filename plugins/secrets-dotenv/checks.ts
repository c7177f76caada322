import type { PluginCheck } from '../../kernel/index.ts';

/** Check of the permissions of the file with secrets, and of `.env`, which other programs read too. */
export const dotenvChecks: readonly PluginCheck<{ readonly path?: string }>[] = [
  {
    name: 'Env file',
    async run({ path }, { cwd }) {
      const { checkEnvFiles } = await import('../shared/checks/check-env-files.ts');
      return checkEnvFiles(['.env', ...(path === undefined ? [] : [path])], cwd);
    },
  },
];
