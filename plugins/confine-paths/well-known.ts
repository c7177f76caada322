import path from 'node:path';
import type { PluginApi } from '../../kernel/index.ts';
import { cacheFolder, stateFolder } from '../shared/project/account-folders.ts';
import { ancestors } from '../shared/project/ancestors.ts';
import { configFileNames } from '../shared/project/config-file-names.ts';
import { registerUnreadable } from './credential-files.ts';

/**
 * Registers the control files that every project has, whatever plugins are configured. Other plugins register the files that
 * they read.
 */
export function registerWellKnown({ cwd, extend }: Pick<PluginApi, 'cwd' | 'extend'>, roots: readonly string[]): void {
  extend.controlFiles('.git', { what: 'a git repository' });
  for (const name of ['node_modules', 'site-packages', 'dist-packages']) extend.controlFiles(name, { what: 'installed packages' });
  for (const hiddenFolder of ['.toolkit', stateFolder()])
    extend.controlFiles(hiddenFolder, { what: 'keys and state of this program', read: false });
  extend.controlFiles(cacheFolder(), { what: 'the cache of this program', read: false });
  // Tools store temporary files there and read them again.
  for (const root of roots) extend.controlFiles(`!${path.join(root, '.toolkit', 'tmp')}`, { what: 'temporary files' });
  registerUnreadable({ extend });
  // package.json is searched too, but it is no configuration unless it is named.
  const searched = configFileNames.filter((name) => name !== 'package.json');
  for (const folder of ancestors(cwd))
    for (const name of searched) extend.controlFiles(path.join(folder, name), { what: 'the configuration' });
}
