import path from 'node:path';
import { apiVersion, definePlugin, type Plugin } from '../../../kernel/index.ts';
import { ChangeBatches } from '../../shared/folder-watch/change-batches.ts';
import { isCodeFile } from '../../shared/folder-watch/is-code.ts';
import { watchFolders } from '../../shared/folder-watch/watch-folders.ts';
import { watchedFolders } from '../../shared/folder-watch/watched-folders.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { reloadServer } from '../../shared/reload/reload-server.ts';

/** Maximum number of files that a line names. */
const maxNamed = 3;

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
        const changes = new ChangeBatches(async (files) => {
          if (configFile !== undefined && files.has(configFile))
            logger.warn(`${configFile} has changed: start again for it to take effect`);
          const others = [...files].filter((file) => file !== configFile);
          if (others.length > 0) await reloadServer(kernel, formatNames(others, project), { code: others.some(isCodeFile) });
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
        logger.info(`watching ${folders.length === 0 ? 'no folder: none of the project has tools' : formatNames(folders, project)}`);
      });
      api.hooks.dispose.tap('watch-tools', () => end());
    },
  })();
}

function formatNames(places: readonly string[], project: string): string {
  const names = places.slice(0, maxNamed).map((place) => path.relative(project, place) || '.');
  return places.length > maxNamed ? `${names.join(', ')} and ${places.length - maxNamed} more` : names.join(', ');
}
