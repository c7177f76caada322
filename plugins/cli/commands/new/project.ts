import { realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type CommandInvocation, createLogger, type Kernel, type Registry } from '../../../../kernel/index.ts';

/** What the files are written into. */
export interface Project {
  readonly kernel: Kernel;
  /** Where relative paths of the configuration begin. */
  readonly home: string;
  readonly configFile?: string;
  /** The `toolPaths` of the configuration. */
  readonly toolPaths: readonly string[];
  /** Absolute; where files of tools go. It need not be there yet. */
  readonly toolFolder: string;
}

/**
 * Loads what is there already, silently, so that names can be compared. `into`: where somebody wants the tools. Close the kernel. Throws
 * what is wrong with the configuration.
 */
export async function openProject({ createKernel, configFile }: CommandInvocation, into: string | undefined): Promise<Project> {
  const cwd = process.cwd();
  const byDefault = path.resolve(cwd, into ?? 'tools');
  // Without a configuration one is written, which lists that folder.
  const overrides = configFile === undefined ? { 'tool-files': { toolPaths: [byDefault] } } : {};
  const kernel = await createKernel(overrides, (options) => ({ ...options, logger: createLogger({ level: 'silent' }) }));
  if (configFile === undefined) return { kernel, home: cwd, toolPaths: [], toolFolder: byDefault };
  const home = path.dirname(configFile);
  const { toolPaths = [] } = (kernel.plugins.find(({ name }) => name === 'tool-files')?.options ?? {}) as { toolPaths?: string[] };
  const toolFolder = into === undefined ? await ownFolder(home, toolPaths, kernel.registry) : byDefault;
  return { kernel, home, configFile, toolPaths, toolFolder };
}

/** The first folder of the configuration's toolPaths; without one `tools`, unless the tools of somebody else are in it. */
async function ownFolder(home: string, toolPaths: readonly string[], { tools }: Registry): Promise<string> {
  for (const toolPath of toolPaths) {
    const folder = path.resolve(home, toolPath);
    const found = await stat(folder).catch(() => undefined);
    if (found === undefined ? !/\.ya?ml$/.test(folder) : found.isDirectory()) return folder;
  }
  const folder = path.join(home, 'tools');
  const isTaken = [...tools.values()].some(({ origin }) => origin.file?.startsWith(path.join(folder, path.sep)) === true);
  return isTaken ? path.join(home, 'my-tools') : folder;
}

/** Whether a file lies in a folder of the project's own tools. */
export function isOwn({ home, toolFolder, toolPaths }: Project, file: string | undefined): boolean {
  const folders = [toolFolder, ...toolPaths.map((toolPath) => path.resolve(home, toolPath))];
  return file !== undefined && folders.some((folder) => file.startsWith(path.join(folder, path.sep)));
}

/** Whether the configuration leads to this file. Call it once the file is written. */
export async function isFound({ kernel }: Project, tool: string, file: string): Promise<boolean> {
  await kernel.reload();
  const { tools, problems } = kernel.registry;
  const files = [tools.get(tool)?.origin.file, ...problems.map((problem) => problem.file)].filter((found) => found !== undefined);
  const real = await realpath(file);
  const found = await Promise.all(files.map((known) => realpath(known).catch(() => known)));
  return found.includes(real);
}

/** Whether code in this folder, which need not be there yet, can import toolkit and what tests need of it. */
export function findsToolkit(folder: string): boolean {
  try {
    createRequire(path.join(folder, 'any.js')).resolve('@toolkit/core/testing');
    return true;
  } catch {
    return false;
  }
}
