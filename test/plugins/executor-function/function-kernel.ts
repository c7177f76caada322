import { mkdtemp, realpath, rm, unlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'mocha';
import { createKernel, type Kernel, type KernelOptions, type Logger, type PluginEntry } from '../../../kernel/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

export interface FunctionKernelOptions {
  /** File name to text. */
  readonly files: Readonly<Record<string, string>>;
  /** Tool name to its execution beside `type`, or to `code` alone. */
  readonly tools: Readonly<Record<string, string | Readonly<Record<string, unknown>>>>;
  /** Keys of every definition beside name, description, parameters and execution. */
  readonly definition?: Readonly<Record<string, unknown>>;
  /** Options of the executor. */
  readonly executor?: Parameters<typeof executorFunction>[0];
  readonly plugins?: readonly PluginEntry[];
  readonly logger?: Logger;
}

/** A kernel over function tools in a temporary folder, both gone after the test. Their parameter `value` takes anything. */
export async function functionKernel(options: FunctionKernelOptions): Promise<{ kernel: Kernel; folder: string }> {
  const folder = await temporaryFolder(filesOf(options));
  return { kernel: await bareKernel(kernelOptions(folder, options)), folder };
}

/** The same for all tests of a suite: starting a thread takes a while. */
export function suiteKernel(options: FunctionKernelOptions): { readonly kernel: Kernel; readonly folder: string } {
  let opened: { kernel: Kernel; folder: string } | undefined;
  before(async () => {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-')));
    for (const [name, text] of Object.entries(filesOf(options))) await writeFile(path.join(folder, name), text);
    opened = { kernel: await createKernel(kernelOptions(folder, options)), folder };
  });
  after(async () => {
    await opened?.kernel.close();
    await rm(opened?.folder ?? '', { recursive: true });
  });
  const present = (): { kernel: Kernel; folder: string } => {
    if (opened === undefined) throw new Error('the kernel is there inside tests only');
    return opened;
  };
  return {
    get kernel() {
      return present().kernel;
    },
    get folder() {
      return present().folder;
    },
  };
}

export async function remove(folder: string, name: string): Promise<void> {
  await unlink(path.join(folder, name));
}

function filesOf({ files, tools, definition }: FunctionKernelOptions): Record<string, string> {
  const definitions = Object.entries(tools).map(([name, given]) => {
    const execution = { type: 'function', ...(typeof given === 'string' ? { code: given } : given) };
    return [
      `${name}.yaml`,
      JSON.stringify({ name, description: `The tool ${name}.`, parameters: { value: {} }, execution, ...definition }),
    ];
  });
  return { ...files, ...Object.fromEntries(definitions) };
}

function kernelOptions(folder: string, { executor, plugins = [], logger = memoryLogger() }: FunctionKernelOptions): KernelOptions {
  return { plugins: [executorFunction(executor), validateOutput(), toolFiles({ toolPaths: [folder] }), ...plugins], logger };
}
