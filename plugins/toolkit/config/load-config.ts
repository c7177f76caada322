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
import { configError } from './config-error.ts';
import { configurationFiles } from './configuration-files.ts';
import { moduleLoader } from './module-loader.ts';
import { resolveEntry } from './plugin-entries.ts';
import { type LoadConfigOptions, readConfig } from './read-config.ts';

/** Shape of a configuration, in any file format. */
export const ConfigSchema = Type.Object(
  {
    /** Address of the JSON Schema for editors. Not used otherwise. */
    $schema: Type.Optional(Type.String()),
    /** Plugins in order, each by the name of its module or as `[name, options]`; a nested list is a preset. */
    plugins: Type.Array(Type.Unknown()),
    /** Lowest level that is logged. TOOLKIT_LOG_LEVEL takes precedence. @default info */
    logLevel: Type.Optional(Type.Enum([...logLevels])),
    /** Format of the log. TOOLKIT_LOG_FORMAT takes precedence. @default json where NODE_ENV is production, else simple */
    logFormat: Type.Optional(Type.Enum([...logFormats])),
    /** Time limits of hooks, in milliseconds. `execute` applies to tools without a `timeout_ms`. */
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
  const { filepath: file, config: rawConfig } = found;
  if (!isPlainObject(rawConfig))
    throw configError(
      file,
      `exports the wrong thing: expected an object {plugins: […]}, received ${describeValue(rawConfig)}. Write "export default defineConfig({ plugins: [] })"`,
    );
  const issues = checkValue(ConfigSchema, rawConfig);
  if (issues.length > 0) throw configError(file, issues.map(({ path: field, message }) => `${field} ${message}`).join('; '));
  const plugins = await resolvePlugins(rawConfig['plugins'] as unknown[], file, options);
  return {
    file,
    config: { ...(rawConfig as unknown as ToolkitConfig), plugins: [...plugins, { ...configurationFiles({ file }), from: 'toolkit' }] },
  };
}

/** Loads the plugins of configuration entries. Relative paths start in the folder of `file`. Throws CONFIG_INVALID. */
export async function resolvePlugins(
  entries: readonly unknown[],
  file: string,
  options: Pick<LoadConfigOptions, 'modules' | 'builtInPlugin'>,
): Promise<readonly PluginEntry[]> {
  const ofProject = moduleLoader(options.modules, file);
  const load = async (name: string): Promise<unknown> =>
    (await options.builtInPlugin(name)) ??
    ofProject(name).catch(async (error: unknown) => {
      const suggestion = await suggestBuiltIn(name, options);
      throw suggestion === undefined ? error : new ToolkitError('CONFIG_INVALID', `built in is "${suggestion}". Write that`);
    });
  return Promise.all(entries.map((entry, index) => resolveEntry(entry, `plugins[${index}]`, file, load)));
}

/** Returns the full name of a built-in plugin that was written without its prefix; undefined for any other name. */
async function suggestBuiltIn(name: string, { builtInPlugin }: Pick<LoadConfigOptions, 'builtInPlugin'>): Promise<string | undefined> {
  if (!/^[\w-]+$/.test(name)) return undefined;
  for (const suggestion of [`toolkit/${name}`, `toolkit/plugins/${name}`])
    if ((await builtInPlugin(suggestion).catch(() => undefined)) !== undefined) return suggestion;
  return undefined;
}
