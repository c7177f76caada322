import path from 'node:path';
import type { PublicExplorer } from 'cosmiconfig';
import { describeValue, excerpt, isPlainObject, messageOf, ToolkitError, valueExcess } from '../../../kernel/index.ts';
import { parseDefinition } from '../../shared/definition-files/definition-text.ts';
import { configFileNames } from '../../shared/project/config-file-names.ts';
import { readText } from '../../shared/text/read-text.ts';
import { configError } from './config-error.ts';
import { moduleLoader } from './module-loader.ts';
import { refuseForeignConfig } from './refuse-foreign-config.ts';

export interface LoadConfigOptions {
  /** Folder where the search starts; it ends at the folder of the nearest package.json. */
  readonly cwd: string;
  /** Loads this file instead of searching. */
  readonly file?: string;
  /** Modules for `import … from` inside a configuration, by name: the running copies, so that the process has one kernel. */
  readonly modules: () => Promise<Readonly<Record<string, unknown>>>;
  /** Imports the module of a built-in plugin; undefined for any other name. */
  readonly builtInPlugin: (name: string) => Promise<unknown>;
  /** Called before code of a configuration file runs. */
  readonly onLoad?: (file: string) => void;
}

/** Reads the file without validating it; null without a file. Throws CONFIG_NOT_FOUND and CONFIG_INVALID. */
export async function readConfig({ cwd, file, modules, onLoad }: LoadConfigOptions) {
  // A file that is named explicitly is trusted.
  const check = file === undefined ? refuseForeignConfig : () => {};
  const byModule = async (filepath: string): Promise<unknown> => {
    check(filepath);
    onLoad?.(filepath);
    try {
      return await moduleLoader(modules, filepath)(filepath);
    } catch (error) {
      // cosmiconfig sets a property on the thrown value, which must be an object.
      throw error instanceof Error ? error : new Error(`it throws ${describeValue(error)}, not an error`, { cause: error });
    }
  };
  const byYaml = async (filepath: string): Promise<unknown> => {
    check(filepath);
    const parsed = parseDefinition(await readText(filepath), filepath);
    if ('value' in parsed) return parsed.value;
    throw configError(
      filepath,
      `does not load: ${parsed.problems.map(({ position, message }) => `${position?.line}:${position?.column} ${message}`).join('; ')}`,
    );
  };
  const byJson = async (filepath: string): Promise<unknown> => {
    // Own text: the configuration of the operator.
    const value = JSON.parse(await readText(filepath)) as unknown;
    const isOfOthers = path.basename(filepath) === 'package.json' && !(isPlainObject(value) && Object.hasOwn(value, 'toolkit'));
    if (isOfOthers) return value;
    check(filepath);
    const excess = valueExcess(value);
    if (excess !== undefined) throw configError(filepath, `does not load: it holds ${excess}. Make it smaller`);
    return value;
  };
  // The class behind cosmiconfig(): the function would first run `.config/config.js` of the working directory.
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
    throw configError(filepath ?? file ?? cwd, `does not load: ${excerpt(messageOf(error), 400)}`, error);
  }
}
