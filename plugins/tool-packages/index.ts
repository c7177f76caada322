import Type from 'typebox';
import { apiVersion, definePlugin, messageOf } from '../../kernel/index.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { nodePackages } from './node-packages.ts';
import { pythonDistributions } from './python-distributions.ts';

/** Tools of installed packages: npm packages under `@toolkit/` and Python distributions named `toolkit-*`. */
export const toolPackages = definePlugin({
  name: 'tool-packages',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Further directories that hold Python distributions, beside those of the Python on the PATH. */
      pythonPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      /** @default true */
      python: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  apply(kernel, { pythonPaths = [], python = true }) {
    reserveKeys(kernel);
    kernel.hooks.discover.tapPromise('tool-packages', async (sink, { logger }) => {
      const onPlanted = (folder: string): void =>
        sink.addProblem({
          severity: 'warning',
          code: 'TOOL_INVALID',
          file: folder,
          message: 'belongs to another account and lies in a folder that every account may write to: its packages are not loaded',
        });
      const packages = [
        ...(await nodePackages(kernel.cwd, onPlanted)),
        ...(python ? await pythonDistributions(pythonPaths, process.env) : []),
      ];
      const seen = new Set<string>();
      for (const { name, paths } of packages) {
        logger.debug('tool package', { name, paths });
        for (const place of paths) {
          try {
            await scanDirectory(place, 'package', sink, logger, seen);
          } catch (error) {
            sink.addProblem({
              severity: 'error',
              code: 'TOOL_INVALID',
              file: place,
              message: `the package "${name}" cannot be read: ${messageOf(error)}. Install it again`,
            });
          }
        }
      }
    });
  },
});
