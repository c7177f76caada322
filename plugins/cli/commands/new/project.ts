import { realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type CommandInvocation, createLogger, type Kernel, type Registry } from '../../../../kernel/index.ts';
import { toolPathsIn } from '../../../shared/definition-files/definition-folders.ts';
import { toolPathsOf } from '../../../shared/flags/tool-paths.ts';

/** The project to which files are added. */
export interface Project {
  readonly kernel: Kernel;
  /** Folder at which relative paths of the configuration start. */
  readonly home: string;
  readonly configFile?: string;
  /** `toolPaths` of the configuration. */
  readonly toolPaths: readonly string[];
  /** Folder for new tools. Absolute; need not exist. */
  readonly toolFolder: string;
}

/**
 * Loads the project without log lines, to compare names. `into`: value of `--into`. The caller closes the kernel. Throws when the
 * configuration cannot be used.
 */
export async function openProject({ createKernel, configFile }: CommandInvocation, into: string | undefined): Promise<Project> {
  const cwd = process.cwd();
  const byDefault = path.resolve(cwd, into ?? 'tools');
  // Without a configuration, the command writes one that lists this folder.
  const overrides = toolPathsOf({ toolPaths: configFile === undefined ? [byDefault] : undefined });
  const kernel = await createKernel(overrides, (options) => ({ ...options, logger: createLogger({ level: 'silent' }) }));
  if (configFile === undefined) return { kernel, home: cwd, toolPaths: [], toolFolder: byDefault };
  const home = path.dirname(configFile);
  const toolPaths = toolPathsIn(kernel);
  const toolFolder = into === undefined ? await findToolFolder(home, toolPaths, kernel.registry) : byDefault;
  return { kernel, home, configFile, toolPaths, toolFolder };
}

/** Returns the first folder of `toolPaths`. Without one, returns `tools`, or `my-tools` when `tools` already has tools that are not listed. */
async function findToolFolder(home: string, toolPaths: readonly string[], { tools }: Registry): Promise<string> {
  for (const toolPath of toolPaths) {
    const folder = path.resolve(home, toolPath);
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined ? !/\.ya?ml$/.test(folder) : found.isDirectory()) return folder;
  }
  const folder = path.join(home, 'tools');
  const isTaken = [...tools.values()].some(({ origin }) => origin.file?.startsWith(path.join(folder, path.sep)) === true);
  return isTaken ? path.join(home, 'my-tools') : folder;
}

/** True when the file lies in a folder of the project's own tools. */
export function isProjectFile({ home, toolFolder, toolPaths }: Project, file: string | undefined): boolean {
  const folders = [toolFolder, ...toolPaths.map((toolPath) => path.resolve(home, toolPath))];
  return file !== undefined && folders.some((folder) => file.startsWith(path.join(folder, path.sep)));
}

/** True when the configuration loads this file. Call it after the file was written. */
export async function loadsFile({ kernel }: Project, tool: string, file: string): Promise<boolean> {
  await kernel.reload();
  const { tools, problems } = kernel.registry;
  const files = [tools.get(tool)?.origin.file, ...problems.map((problem) => problem.file)].filter((found) => found !== undefined);
  const real = await realpath(file);
  const found = await Promise.all(files.map((known) => realpath(known).catch(() => known)));
  return found.includes(real);
}

/** True when code in this folder can import toolkit and its test helpers. The folder need not exist. */
export function canImportToolkit(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'any.js')).resolve('@toolkit/core/testing');
    return true;
  } catch {
    return false;
  }
}
