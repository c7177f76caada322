import Type from 'typebox';
import {
  checkValue,
  describeValue,
  hookNames,
  isPlainObject,
  logFormats,
  logLevels,
  type PluginEntry,
  type ToolkitConfig,
  ToolkitError,
} from '../../../kernel/index.ts';
import { invalid } from './config-error.ts';
import { configurationFiles } from './configuration-files.ts';
import { moduleLoader } from './module-loader.ts';
import { resolveEntry } from './plugin-entries.ts';
import { type LoadConfigOptions, readConfig } from './read-config.ts';

/** What a configuration says, whichever way it is written. */
export const ConfigSchema = Type.Object(
  {
    /** Where editors find what may stand in a configuration. Nothing else reads it. */
    $schema: Type.Optional(Type.String()),
    /** Plugins in their order, each by the name of its module, or as `[name, options]`; a list of them is a preset. */
    plugins: Type.Array(Type.Unknown()),
    /** The least that is logged. TOOLKIT_LOG_LEVEL wins. @default info */
    logLevel: Type.Optional(Type.Enum([...logLevels])),
    /** TOOLKIT_LOG_FORMAT wins. @default json where NODE_ENV is production, else simple */
    logFormat: Type.Optional(Type.Enum([...logFormats])),
    /** Time limits of hooks in milliseconds. `execute` is the limit of tools that set no `timeout_ms`. */
    timeoutsMs: Type.Optional(
      Type.Object(Object.fromEntries(hookNames.map((name) => [name, Type.Optional(Type.Integer({ minimum: 1 }))])), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export interface LoadedConfig {
  readonly file: string;
  readonly config: ToolkitConfig;
}

/** Finds and loads the configuration. Undefined when there is none. Throws CONFIG_NOT_FOUND and CONFIG_INVALID. */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig | undefined> {
  const found = await readConfig(options);
  if (found === null || found.isEmpty === true) return undefined;
  const { filepath: file, config: written } = found;
  if (!isPlainObject(written))
    throw invalid(
      file,
      `exports the wrong thing: expected an object {plugins: […]}, received ${describeValue(written)}. Write "export default defineConfig({ plugins: [] })"`,
    );
  const issues = checkValue(ConfigSchema, written);
  if (issues.length > 0) throw invalid(file, issues.map(({ path: place, message }) => `${place} ${message}`).join('; '));
  const plugins = await resolvePlugins(written['plugins'] as unknown[], file, options);
  return {
    file,
    config: { ...(written as unknown as ToolkitConfig), plugins: [...plugins, { ...configurationFiles({ file }), from: 'toolkit' }] },
  };
}

/** The plugins that entries name, as a configuration in `file` may name them: relative paths start in its folder. Throws CONFIG_INVALID. */
export async function resolvePlugins(
  entries: readonly unknown[],
  file: string,
  options: Pick<LoadConfigOptions, 'modules' | 'builtInPlugin'>,
): Promise<readonly PluginEntry[]> {
  const ofProject = moduleLoader(options.modules, file);
  const load = async (name: string): Promise<unknown> =>
    (await options.builtInPlugin(name)) ??
    ofProject(name).catch(async (error: unknown) => {
      const meant = await builtInMeant(name, options);
      throw meant === undefined ? error : new ToolkitError('CONFIG_INVALID', `built in is "${meant}". Write that`);
    });
  return Promise.all(entries.map((entry, index) => resolveEntry(entry, `plugins[${index}]`, file, load)));
}

/** The name of a built-in plugin that somebody left the beginning out of, and that no package of the project has. */
async function builtInMeant(name: string, { builtInPlugin }: Pick<LoadConfigOptions, 'builtInPlugin'>): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined;
  for (const meant of [`toolkit/${name}`, `toolkit/plugins/${name}`])
    if ((await builtInPlugin(meant).catch(() => undefined)) !== undefined) return meant;
  return undefined;
}
