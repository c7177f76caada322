import type { Kernel, KernelOptions } from '../../../kernel/index.ts';
import { credentialsPlaceholder } from '../../../plugins/credentials-placeholder/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export interface CommandToolOptions {
  readonly execution: Readonly<Record<string, unknown>>;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Files beside the definition, which is also where programs run. */
  readonly files?: Readonly<Record<string, string>>;
  readonly maxOutputBytes?: number;
  readonly kernel?: Omit<KernelOptions, 'plugins'>;
}

/** A kernel with one command tool, called `run`, that was loaded from a file. `command` is this Node.js unless given. */
export async function commandKernel(options: CommandToolOptions): Promise<{ readonly kernel: Kernel; readonly folder: string }> {
  const { execution, parameters = {}, files = {}, maxOutputBytes } = options;
  const definition = {
    name: 'run',
    description: 'Runs a program.',
    parameters,
    execution: { type: 'command', command: process.execPath, ...execution },
  };
  const folder = await temporaryFolder({ ...files, 'run.yaml': JSON.stringify(definition) });
  return { folder, kernel: await kernelOf(folder, maxOutputBytes, options.kernel) };
}

/** A kernel with the command tools of a folder. */
export function kernelOf(folder: string, maxOutputBytes?: number, options: Omit<KernelOptions, 'plugins'> = {}): Promise<Kernel> {
  const executor = executorCommand(maxOutputBytes === undefined ? {} : { maxOutputBytes });
  return bareKernel({ cwd: folder, plugins: [toolFiles({ toolPaths: ['.'] }), credentialsPlaceholder(), executor], ...options });
}

/** Prints its arguments as JSON. */
export const printArguments = { 'print.mjs': 'process.stdout.write(JSON.stringify(process.argv.slice(2)));' };
