import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { apiVersion, definePlugin, type Tool } from '../../kernel/index.ts';
import { rootChecks } from './checks.ts';
import { type Confinement, confineAll, DeclaredPaths, invalidPathError } from './confine.ts';
import { identifyPaths } from './identify-paths.ts';
import { Roots } from './roots.ts';
import { registerWellKnown } from './well-known.ts';

/**
 * Confines parameters that are declared `path: read` or `path: write`, at any depth, to the roots, and gives tools the real
 * path: no part of it is a link (except the last, where a tool may write and the link leads to nothing, or the parameter says
 * `follow: false`). The path is checked once more right before the tool runs, because an approval takes time. The plugin
 * cannot see changes while the tool runs (the tool checks with O_NOFOLLOW), nor paths that the tool finds itself (the tool
 * checks with `context.controlFiles`).
 *
 * The value of a parameter that says `from: path` is read from such a path here, right before the tool runs: no tool opens the
 * file itself.
 *
 * An approval of a call holds for the files at these paths (`bound-paths.ts`).
 *
 * Control files are refused (POLICY_DENIED), also under other names inside the roots (hard links).
 *
 * The working directory is the root when none is set, unless it is `/` or the home folder.
 */
export const confinePaths = definePlugin({
  name: 'confine-paths',
  apiVersion,
  optionsSchema: Type.Object(
    {
      /**
       * Directories that tools may read and write. Relative paths of calls start at the first. Links in them are resolved at start.
       * @default the working directory
       */
      roots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      /** Directories that tools may only read, even inside of a root. A root inside of one may be written again. @default [] */
      readRoots: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
      /**
       * Control files that tools may read and change all the same: paths relative to the folder of the configuration (a folder
       * includes everything in it), and names that count at any depth, such as `node_modules`. A caller that may write these files
       * decides what the service does. @default []
       */
      allowControlFiles: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    },
    { additionalProperties: false },
  ),
  checks: rootChecks,
  async apply(kernel, options) {
    const roots = await Roots.open(kernel.cwd, options);
    const holdsPath = kernel.extend.parameterKey('path', (call, context) => identifyPaths(call, context, confinement));
    kernel.extend.parameterKey('from');
    kernel.extend.referenceReader(async (reference, call, context) => {
      const { readReference } = await import('./reading/read-reference.ts');
      return readReference(reference, call, context, kernel.kernel);
    });
    kernel.extend.roots(() => roots.folders);
    registerWellKnown(kernel, roots.folders);
    for (const pattern of (options.allowControlFiles ?? []).flatMap((allowed) => patternsOf(kernel.cwd, allowed)))
      kernel.extend.controlFiles(`!${pattern}`, { what: 'allowed' });
    const paths = new DeclaredPaths(holdsPath);
    const confinement: Confinement = { paths, roots, holdsPath };
    const appliesTo = (tool: Tool): boolean => paths.of(tool).length > 0;
    kernel.hooks.beforeExecute.tapPromise({ name: 'confine-paths', appliesTo }, async (draft, { controlFiles }) => {
      const confined = await confineAll(draft, controlFiles, confinement);
      return confined === undefined ? undefined : { ...draft, parameters: { ...draft.parameters, ...confined } };
    });
    // The last step that may take time.
    kernel.hooks.execute.for('*').tapPromise({ name: 'confine-paths', stage: 1000, appliesTo }, async (call, { controlFiles }) => {
      for (const [name, value] of Object.entries((await confineAll(call, controlFiles, confinement)) ?? {})) {
        if (!isDeepStrictEqual(value, call.parameters[name])) throw invalidPathError({ tool: call.tool, name }, changedMessage);
      }
      return undefined;
    });
  },
});

const changedMessage =
  'leads somewhere else now than when it was checked, and the tool was not run. Look at what changed it, then call again';

/**
 * Returns the patterns of an allowed control file: its path, relative to the folder of the configuration, and its name, at any
 * depth.
 */
function patternsOf(cwd: string, allowed: string): string[] {
  return [path.resolve(cwd, allowed), ...(/[\\/]/.test(allowed) ? [] : [allowed])];
}
