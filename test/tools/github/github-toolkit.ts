import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GitHubOptions, type GitHubServer, startGitHub } from '../../../fixtures/servers/github.ts';
import type { Logger } from '../../../kernel/index.ts';
import { secretsEnv, type Toolkit } from '../../../plugins/toolkit/index.ts';
import { afterEach } from '../../support/after-each.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** The folder of the package. */
export const packageFolder = fileURLToPath(new URL('../../../tools/github', import.meta.url));

export const token = 'ghp_0123456789abcdefghijABCDEFGHIJ456789';

export interface InstalledOptions {
  /** @default https://api.github.com */
  readonly baseUrl?: string;
  /** @default the token of the stand-in */
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

/** A project in which the package is installed, and toolkit finds it by itself. */
export async function installedToolkit({ baseUrl, env = { GITHUB_TOKEN: token }, logger }: InstalledOptions = {}): Promise<Toolkit> {
  const cwd = await temporaryFolder();
  const scope = path.join(cwd, 'node_modules', '@toolkit');
  await mkdir(scope, { recursive: true });
  await symlink(packageFolder, path.join(scope, 'github'), 'dir');
  return coreToolkit({
    cwd,
    autoDiscover: true,
    includeCore: false,
    plugins: [secretsEnv({ env: { ...env } })],
    ...(baseUrl === undefined ? {} : { providers: { github: { base_url: baseUrl } } }),
    ...(logger === undefined ? {} : { logger }),
  });
}

const servers: GitHubServer[] = [];

/** The package against the stand-in for GitHub. */
export async function githubToolkit(
  server: GitHubOptions = {},
  options: Omit<InstalledOptions, 'baseUrl'> = {},
): Promise<{ readonly toolkit: Toolkit; readonly github: GitHubServer }> {
  const github = await startGitHub({ token, ...server });
  servers.push(github);
  return { github, toolkit: await installedToolkit({ ...options, baseUrl: github.url }) };
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
