import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PublicExplorer } from 'cosmiconfig';
import Type from 'typebox';
import { ownCache, refuseForeignConfig } from './config-trust.ts';
import { excerpt, messageOf, sentence, ToolkitError } from './errors.ts';
import { hookNames } from './hooks.ts';
import { logFormats, logLevels } from './log/log-settings.ts';
import type { PluginEntry, ToolkitConfig } from './plugin.ts';
import { checkValue } from './schema/check-value.ts';
import { describeValue, isPlainObject } from './schema/json.ts';

/** The names of a configuration file, in the order of the search. */
export const configFileNames = [
  'toolkit.config.ts',
  'toolkit.config.js',
  'toolkit.config.mjs',
  'toolkit.config.cjs',
  'toolkit.config.json',
  'toolkit.config.yaml',
  'toolkit.config.yml',
  '.toolkitrc',
  'package.json',
] as const;

const ConfigSchema = Type.Object(
  {
    plugins: Type.Array(Type.Unknown()),
    logLevel: Type.Optional(Type.Enum([...logLevels])),
    logFormat: Type.Optional(Type.Enum([...logFormats])),
    timeoutsMs: Type.Optional(
      Type.Object(Object.fromEntries(hookNames.map((name) => [name, Type.Optional(Type.Integer({ minimum: 1 }))])), {
        additionalProperties: false,
      }),
    ),
  },
  { additionalProperties: false },
);

export interface LoadConfigOptions {
  /** Where the search starts; it goes up to the folder of the nearest package.json. */
  readonly cwd: string;
  /** Loads this file instead of searching. */
  readonly file?: string;
  /** What `import … from` these names gives inside a configuration: the running copies, so that there is one kernel in the process. */
  readonly modules: Readonly<Record<string, unknown>>;
  /** Told before code of a configuration file runs. */
  readonly onLoad?: (file: string) => void;
}

export interface LoadedConfig {
  readonly file: string;
  readonly config: ToolkitConfig;
}

/** Finds and loads the configuration. Undefined when there is none. Throws CONFIG_NOT_FOUND and CONFIG_INVALID. */
export async function loadConfig(options: LoadConfigOptions): Promise<LoadedConfig | undefined> {
  const found = await read(options);
  if (found === null || found.isEmpty === true) return undefined;
  const { filepath: file, config: written } = found;
  if (!isPlainObject(written))
    throw invalid(
      file,
      `exports the wrong thing: expected an object {plugins: […]}, received ${describeValue(written)}. Write "export default defineConfig({ plugins: [] })"`,
    );
  const issues = checkValue(ConfigSchema, written);
  if (issues.length > 0) throw invalid(file, issues.map(({ path: place, message }) => `${place} ${message}`).join('; '));
  const load = moduleLoader(options.modules, file);
  const plugins = await Promise.all(
    (written['plugins'] as unknown[]).map((entry, index) => resolveEntry(entry, `plugins[${index}]`, file, load)),
  );
  return { file, config: { ...(written as unknown as ToolkitConfig), plugins } };
}

async function read({ cwd, file, modules, onLoad }: LoadConfigOptions) {
  // A file that is named is what somebody wants.
  const check = file === undefined ? refuseForeignConfig : () => {};
  const byModule = async (filepath: string): Promise<unknown> => {
    check(filepath);
    onLoad?.(filepath);
    try {
      return await moduleLoader(modules, filepath)(filepath);
    } catch (error) {
      // cosmiconfig writes the file into what was thrown.
      throw error instanceof Error ? error : new Error(`it throws ${describeValue(error)}, not an error`, { cause: error });
    }
  };
  const byYaml = async (filepath: string, content: string): Promise<unknown> => {
    check(filepath);
    return (await import('yaml')).parse(content);
  };
  const byJson = (filepath: string, content: string): unknown => {
    const value = JSON.parse(content) as unknown;
    const isOfOthers = path.basename(filepath) === 'package.json' && !(isPlainObject(value) && Object.hasOwn(value, 'toolkit'));
    if (!isOfOthers) check(filepath);
    return value;
  };
  // The class behind cosmiconfig(): the function itself would first run `.config/config.js` of the working directory.
  const { Explorer } = (await import('cosmiconfig/dist/Explorer.js' as string)) as { Explorer: new (options: object) => PublicExplorer };
  const explorer = new Explorer({
    moduleName: 'toolkit',
    searchPlaces: [...configFileNames],
    searchStrategy: 'project',
    ignoreEmptySearchPlaces: true,
    mergeImportArrays: true,
    mergeSearchPlaces: false,
    metaConfigFilePath: null,
    cache: false,
    transform: (result: unknown) => result,
    loaders: {
      '.ts': byModule,
      '.js': byModule,
      '.mjs': byModule,
      '.cjs': byModule,
      '.json': byJson,
      '.yaml': byYaml,
      '.yml': byYaml,
      noExt: byYaml,
    },
  });
  try {
    return file === undefined ? await explorer.search(cwd) : await explorer.load(path.resolve(cwd, file));
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    const { code, filepath } = error as { code?: string; filepath?: string };
    if (code === 'ENOENT' && file !== undefined) {
      throw new ToolkitError(
        'CONFIG_NOT_FOUND',
        `There is no configuration file ${path.resolve(cwd, file)}. Create it, or leave the option out to search for one.`,
        {},
        { cause: error },
      );
    }
    throw invalid(filepath ?? file ?? cwd, `does not load: ${excerpt(messageOf(error), 400)}`, error);
  }
}

/** `'module'`, `['module', options]` and plugin objects; nested lists are presets. */
async function resolveEntry(entry: unknown, place: string, file: string, load: (name: string) => Promise<unknown>): Promise<PluginEntry> {
  if (typeof entry === 'string' && entry !== '') return instantiate(entry, undefined, place, file, load);
  if (!Array.isArray(entry)) return entry as PluginEntry;
  const [name, options] = entry as unknown[];
  const isNamed = typeof name === 'string' && entry.length === 2 && isPlainObject(options) && typeof options['apply'] !== 'function';
  if (isNamed) return instantiate(name, options, place, file, load);
  return Promise.all(entry.map((inner, index) => resolveEntry(inner, `${place}[${index}]`, file, load)));
}

async function instantiate(
  name: string,
  options: unknown,
  place: string,
  file: string,
  load: (name: string) => Promise<unknown>,
): Promise<PluginEntry> {
  let module: unknown;
  try {
    module = await load(name);
  } catch (error) {
    const isMissing = /cannot find|not found|does not provide/i.test(messageOf(error));
    const advice = isMissing ? ` Install it${isPackageName(name) ? ` (npm install ${name})` : ''}, or correct the name.` : '';
    throw invalid(file, `${place}: the plugin module "${name}" does not load: ${excerpt(messageOf(error))}.${advice}`, error);
  }
  const factory = factoryOf(module);
  if (typeof factory === 'function') return (factory as (options?: unknown) => PluginEntry)(options);
  if (isPlainObject(factory) && typeof factory['apply'] === 'function' && options === undefined) return factory as unknown as PluginEntry;
  throw invalid(
    file,
    `${place}: the module "${name}" is not a plugin: expected a default export made by definePlugin, received ${describeValue(factory)}`,
  );
}

/** For a command line that is pasted into a shell. */
function isPackageName(name: string): boolean {
  return /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*$/i.test(name);
}

/** The default export, or the only function that a module exports, as the modules of built-in plugins do. */
function factoryOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module;
  const exported = (module as { default?: unknown }).default;
  if (exported !== undefined) return exported;
  const functions = Object.values(module).filter((value) => typeof value === 'function');
  return functions.length === 1 ? functions[0] : module;
}

/**
 * Imports a module as seen from `from`. jiti compiles TypeScript on every Node that we support and hands out the given modules in
 * place of installed copies of the same name.
 */
function moduleLoader(modules: Readonly<Record<string, unknown>>, from: string): (name: string) => Promise<unknown> {
  return async (name) => {
    const { createJiti } = await import('jiti');
    const options = { virtualModules: { ...modules }, fsCache: cacheFolder(path.dirname(from)), interopDefault: false };
    const jiti = createJiti(pathToFileURL(from).href, options);
    const builtIn = modules[name];
    if (builtIn !== undefined) return builtIn;
    const target = path.isAbsolute(name) || name.startsWith('.') ? path.resolve(path.dirname(from), name) : resolvePackage(name, from);
    const module = (await jiti.import(target)) as Record<string, unknown>;
    return path.resolve(from) === target ? defaultOf(module, target) : module;
  };
}

/**
 * Where compiled configurations are kept, by content: in the node_modules of the project, which is trusted as much as what is installed
 * there, where that belongs to this account, and for it alone: a configuration may hold what others must not read. False elsewhere: what
 * lies in a folder of others is not run.
 */
function cacheFolder(folder: string): string | false {
  const modules = path.join(folder, 'node_modules');
  const above = path.dirname(folder);
  if (!existsSync(modules)) return above !== folder && cacheFolder(above);
  return ownCache(modules);
}

/** What the configuration exports; a CommonJS module is its own default. */
function defaultOf(module: Readonly<Record<string, unknown>>, file: string): unknown {
  if (module['default'] !== undefined) return module['default'];
  const isModule = module['__esModule'] === true || Object.prototype.toString.call(module) === '[object Module]';
  if (!isModule) return module;
  throw invalid(
    file,
    `has no default export: it exports ${Object.keys(module).join(', ') || 'nothing'}. Write "export default defineConfig({ plugins: [] })"`,
  );
}

function resolvePackage(name: string, from: string): string {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    // A package for `import` only has no `require` condition; jiti resolves that by name.
    if ((error as { code?: string }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return name;
    throw error;
  }
}

function invalid(file: string, message: string, cause?: unknown): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', sentence(`${file}: ${message}`), { file }, cause === undefined ? {} : { cause });
}
