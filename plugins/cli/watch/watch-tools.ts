import path from 'node:path';
import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { Changes } from '../../shared/folder-watch/changes.ts';
import { watchFolders } from '../../shared/folder-watch/watch-folders.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { reloadServing } from '../../shared/reload/reload-serving.ts';
import { isCode } from './is-code.ts';
import { watchedFolders } from './watched-folders.ts';

/** Maximum number of files that a line names. */
const mostNamed = 3;

/**
 * Creates the plugin that reloads changes in the tool folders while the kernel serves, and logs them. `startedAt`: files written since then
 * (epoch ms) are reloaded too.
 */
export function watchTools(configFile: string | undefined, startedAt: number): Plugin {
  return definePlugin({
    name: 'watch-tools',
    apiVersion,
    apply(api) {
      let end = (): void => {};
      api.hooks.serve.tap('watch-tools', () => {
        const { kernel, logger } = api;
        const project = projectFolder(configFile);
        const changes = new Changes(async (files) => {
          if (configFile !== undefined && files.has(configFile))
            logger.warn(`${configFile} has changed: start again for it to take effect`);
          const others = [...files].filter((file) => file !== configFile);
          if (others.length > 0) await reloadServing(kernel, named(others, project), { code: others.some(isCode) });
        });
        const listeners = {
          onChange: (file: string) => changes.add(file),
          onError: (message: string) => logger.error(`some changes may be missed: ${message}. Start again after a change, or send SIGHUP.`),
        };
        const folders = watchedFolders(kernel, project);
        const stop = watchFolders([...folders, ...(configFile === undefined ? [] : [configFile])], listeners, startedAt);
        end = () => {
          changes.close();
          stop();
        };
        logger.info(`watching ${folders.length === 0 ? 'no folder: none of the project has tools' : named(folders, project)}`);
      });
      api.hooks.dispose.tap('watch-tools', () => end());
    },
  })();
}

function named(places: readonly string[], project: string): string {
  const names = places.slice(0, mostNamed).map((place) => path.relative(project, place) || '.');
  return places.length > mostNamed ? `${names.join(', ')} and ${places.length - mostNamed} more` : names.join(', ');
}
