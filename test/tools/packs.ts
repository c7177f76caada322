import { mkdir, readdir, symlink } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '../../kernel/index.ts';
import { secretsEnv, type Toolkit, type ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { coreToolkit } from '../support/core-toolkit.ts';
import { loopback, type SeenRequest } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { providerFixture } from './request-fixtures.ts';

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
  /** Variables of the environment. @default none */
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
}

/** A project in which the package is installed, and toolkit finds it by itself. */
export async function packToolkit(provider: string, options: PackOptions = {}): Promise<Toolkit> {
  const cwd = await temporaryFolder({ 'package.json': JSON.stringify({ dependencies: { [`@toolkit/${provider}`]: '*' } }) });
  const scope = path.join(cwd, 'node_modules', '@toolkit');
  await mkdir(scope, { recursive: true });
  await symlink(packFolder(provider), path.join(scope, provider), 'dir');
  return coreToolkit({ cwd, autoDiscover: true, includeCore: false, ...settingsOf(provider, options) });
}

/** The package alone, read from its folder: in a tenth of the time. */
export function packAlone(provider: string, options: PackOptions = {}): Promise<Toolkit> {
  return coreToolkit({
    autoDiscover: false,
    includeCore: false,
    toolPaths: [packFolder(provider)],
    ...settingsOf(provider, options),
  });
}

export interface PackServer {
  readonly toolkit: Toolkit;
  readonly requests: readonly SeenRequest[];
}

export type PackServerOptions = Omit<PackOptions, 'baseUrl'>;

/** The package alone against a server that answers so; where `env` is not given, with the credentials of its request fixtures. */
export async function packAgainst(
  provider: string,
  answer: (request: SeenRequest, response: ServerResponse) => void,
  options: PackServerOptions = {},
): Promise<PackServer> {
  const { env, base_path: basePath = '' } = await providerFixture(provider);
  const { url, requests } = await loopback(answer);
  return { requests, toolkit: await packAlone(provider, { env, ...options, baseUrl: `${url}${basePath}` }) };
}

function settingsOf(provider: string, { baseUrl, env = {}, logger }: PackOptions): ToolkitOptions {
  return {
    plugins: [secretsEnv({ env: { ...env } })],
    ...(baseUrl === undefined ? {} : { providers: { [provider]: { base_url: baseUrl } } }),
    ...(logger === undefined ? {} : { logger }),
  };
}
