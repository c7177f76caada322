import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { type Bubblewrap, findBubblewrap } from '../shared/process/bubblewrap.ts';
import { homeFolder } from '../shared/project/account-folders.ts';
import { implicitRoots } from '../shared/project/implicit-roots.ts';
import { sandboxChecks } from './checks.ts';
import { type SandboxOptions, SandboxOptionsSchema } from './options.ts';
import { Sandbox } from './sandbox.ts';
import type { SandboxFolders } from './sandbox-folders.ts';
import { systemMounts } from './system-folders.ts';

export { type SandboxOptions, SandboxOptionsSchema } from './options.ts';

/**
 * Runs the programs of tools (command tools, `system_execute`, Python) in a sandbox of the operating system, made by
 * bubblewrap: see the README. Where no sandbox can be made, calls that need one are refused.
 */
export const sandboxBwrap = definePlugin({
  name: 'sandbox-bwrap',
  apiVersion,
  optionsSchema: SandboxOptionsSchema,
  checks: sandboxChecks,
  apply(kernel, options) {
    const { maxEntries = 20_000, tools = {}, program } = options;
    let folders: Promise<SandboxFolders> | undefined;
    let bubblewrap: Promise<Bubblewrap> | undefined;
    const sandbox = new Sandbox({
      maxEntries,
      tools,
      folders: () => {
        folders ??= resolveFolders(kernel.cwd, options);
        return folders;
      },
      // A failed search is repeated: the program may have been installed since.
      bubblewrap: async () => {
        bubblewrap ??= findBubblewrap(program);
        const found = await bubblewrap;
        if (found.type === 'fails') bubblewrap = undefined;
        return found;
      },
    });
    kernel.extend.launcher((start, facts) => sandbox.launch(start, facts));
  },
});

async function resolveFolders(cwd: string, { roots, readable = [], hidden = [] }: SandboxOptions): Promise<SandboxFolders> {
  const home = await realPathOrSame(path.resolve(homeFolder()));
  const resolved = (folders: readonly string[]): Promise<string[]> =>
    Promise.all(folders.map((folder) => realPathOrSame(path.resolve(cwd, withHome(folder, home)))));
  return {
    roots: await resolved(roots ?? (await implicitRoots(cwd))),
    readable: await resolved(readable),
    hidden: await resolved(hidden),
    system: await systemMounts(process.env, [home, os.userInfo().homedir]),
    home,
  };
}

function withHome(folder: string, home: string): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(home, folder.slice(1)) : folder;
}

async function realPathOrSame(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}
