import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../kernel/index.ts';
import { secretsEnv, type Toolkit } from '../../plugins/toolkit/index.ts';
import { coreToolkit } from '../support/core-toolkit.ts';
import { temporaryFolder } from '../support/temporary.ts';

const toolsFolder = fileURLToPath(new URL('../../tools', import.meta.url));

/** The folder of a provider package. */
export const packFolder = (provider: string): string => path.join(toolsFolder, provider);

/** Names of the provider packages. */
export async function packNames(): Promise<string[]> {
  const entries = await readdir(toolsFolder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && entry.name !== 'core').map(({ name }) => name);
}

export interface PackOptions {
  /** @default that of the package */
  readonly baseUrl?: string;
  /** What the environment holds. @default nothing */
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

/** A project in which the package is installed, and toolkit finds it by itself. */
export async function packToolkit(provider: string, { baseUrl, env = {}, logger }: PackOptions = {}): Promise<Toolkit> {
  const cwd = await temporaryFolder();
  const scope = path.join(cwd, 'node_modules', '@toolkit');
  await mkdir(scope, { recursive: true });
  await symlink(packFolder(provider), path.join(scope, provider), 'dir');
  return coreToolkit({
    cwd,
    autoDiscover: true,
    includeCore: false,
    plugins: [secretsEnv({ env: { ...env } })],
    ...(baseUrl === undefined ? {} : { providers: { [provider]: { base_url: baseUrl } } }),
    ...(logger === undefined ? {} : { logger }),
  });
}
