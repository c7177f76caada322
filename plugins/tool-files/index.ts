import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin, messageOf } from '../../kernel/index.ts';
import { definitionFolders } from '../shared/definition-files/definition-folders.ts';
import { LinkCaches } from '../shared/definition-files/link-caches.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { toolFolderChecks } from './checks.ts';
import { toolFilesSurface } from './surface.ts';

const owner = { trust: 'operator' } as const;

/** Loads the operator's tools: all tool and provider files below the given directories. */
export const toolFiles = definePlugin({
  name: 'tool-files',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Directories (searched recursively) or files. */
      toolPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  ...toolFilesSurface,
  checks: toolFolderChecks,
  apply(kernel, { toolPaths = [] }) {
    kernel.extend.fact(definitionFolders, { holds: 'tools', paths: toolPaths });
    reserveKeys(kernel);
    for (const toolPath of toolPaths)
      kernel.extend.controlFiles(path.resolve(kernel.cwd, toolPath), { what: 'tool definitions and their code' });
    const linkCaches = new LinkCaches();
    kernel.hooks.dispose.tapPromise('tool-files', () => linkCaches.settled());
    kernel.hooks.discover.tapPromise('tool-files', async (sink, context) => {
      // Reading a hundred thousand files takes time that must not count against the time limit of the hook.
      const resume = context.pauseClock();
      // Paths may overlap.
      const seen = new Set<string>();
      for (const toolPath of toolPaths) {
        const root = path.resolve(kernel.cwd, toolPath);
        try {
          await scanDirectory(root, sink, context.logger, { ...owner, seen, linkCache: linkCaches.forRoot(root, owner, sink) });
        } catch (error) {
          const message = `the tool path "${toolPath}" cannot be read: expected a directory or a YAML file (${messageOf(error)}). Correct toolPaths`;
          sink.addProblem({ severity: 'error', code: 'CONFIG_INVALID', file: root, message });
        }
      }
      resume();
    });
  },
});
