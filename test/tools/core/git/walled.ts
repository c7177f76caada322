import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { coreGroup } from '../../../support/core-group.ts';
import type { Repository } from './repository.ts';

const { coreToolkit } = coreGroup('git');

/** Calls a git tool on a repository that is the project of the service: with `tools`, `policy.yaml` and the secret `config/login.txt`. */
export async function callInside<T>(
  tool: string,
  { folder }: Repository,
  parameters: Readonly<Record<string, unknown>> = {},
  root: string = folder,
): Promise<T> {
  await mkdir(path.join(folder, 'tools'), { recursive: true });
  const login = definePlugin({
    name: 'login',
    apiVersion,
    apply: ({ extend }) => extend.controlFiles(path.join(folder, 'config/login.txt'), { what: 'a login', read: false }),
  });
  const options = { cwd: folder, roots: [root], toolPaths: ['tools'], autoDiscover: false, plugins: [login()] };
  const toolkit = await coreToolkit(options);
  return (await toolkit.execute(tool, { repository: folder, ...parameters })) as T;
}

/** Changes that would decide what the service does or whom it trusts: what is at `name`, and who is told of it. */
export const attacks: readonly { readonly title: string; readonly name: string; readonly link?: string; readonly says: string }[] = [
  { title: 'a tool', name: 'tools/evil.yaml', says: 'tool definitions' },
  { title: 'a tool by another case of its folder', name: 'Tools/evil.yaml', says: 'tool definitions' },
  { title: 'the policy', name: 'policy.yaml', says: 'policy' },
  { title: 'the policy in capital letters', name: 'POLICY.yaml', says: 'policy' },
  { title: 'a package', name: 'node_modules/@toolkit/evil/x.yaml', says: 'installed packages' },
  { title: 'a package of a folder', name: 'sub/node_modules/evil/index.js', says: 'installed packages' },
  { title: 'the configuration', name: 'toolkit.config.ts', says: 'configuration' },
  { title: 'secrets', name: '.env', says: 'secrets' },
  { title: 'secrets of a folder', name: 'sub/.env.production', says: 'secrets' },
  { title: 'a link to the tools', name: 'x', link: 'tools', says: 'tool definitions' },
  { title: 'a link into the tools from a folder', name: 'sub/x', link: '../tools/evil.yaml', says: 'tool definitions' },
  { title: 'a link in place of the tools', name: 'tools', link: 'sub', says: 'tool definitions' },
  { title: 'a link on the way to a control file', name: 'config', link: 'sub', says: 'a login' },
];
