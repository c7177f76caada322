import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin, messageOf } from '../../kernel/index.ts';
import { definitionFolders } from '../shared/definition-files/definition-folders.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { skillFolderChecks } from './checks.ts';

/** Loads the operator's skills: every `SKILL.md` below the given directories. Skills in tool directories are loaded with the tools. */
export const skillFiles = definePlugin({
  name: 'skill-files',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /** Directories (searched recursively) or files. */
      skillPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  checks: skillFolderChecks,
  apply(kernel, { skillPaths = [] }) {
    kernel.extend.fact(definitionFolders, { holds: 'skills', paths: skillPaths });
    for (const skillPath of skillPaths) kernel.extend.controlFiles(path.resolve(kernel.cwd, skillPath), { what: 'skills' });
    kernel.hooks.discover.tapPromise('skill-files', async (sink, { logger }) => {
      const seen = new Set<string>();
      for (const skillPath of skillPaths) {
        const root = path.resolve(kernel.cwd, skillPath);
        try {
          await scanDirectory(root, sink, logger, { trust: 'operator', seen, filter: 'skills' });
        } catch (error) {
          const message = `the skill path "${skillPath}" cannot be read: expected a directory or a SKILL.md (${messageOf(error)}). Correct skillPaths`;
          sink.addProblem({ severity: 'error', code: 'CONFIG_INVALID', file: root, message });
        }
      }
    });
  },
});
