import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createKernel, type Kernel } from '../../../kernel/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';

export interface FunctionTools {
  readonly kernel: Kernel;
  stop(): Promise<void>;
}

/** A kernel with function tools of a folder of its own: `files` by name, `executions` and the schema of `id`, a parameter of all, by tool. */
export async function functionTools(
  files: Readonly<Record<string, string>>,
  tools: Readonly<Record<string, { readonly execution: object; readonly id: object; readonly more?: object }>>,
): Promise<FunctionTools> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-integers-')));
  const definitions = Object.entries(tools).map(([name, { execution, id, more = {} }]) => {
    const parameters = { id: { ...id, required: true } };
    const text = { name, description: 'A thing.', risk: 'low', parameters, execution: { type: 'function', ...execution }, ...more };
    return [`${name}.yaml`, JSON.stringify(text)] as const;
  });
  for (const [name, text] of [...Object.entries(files), ...definitions]) await writeFile(path.join(folder, name), text);
  const plugins = [executorFunction({ maxThreads: 1, maxProcesses: 1 }), validateOutput(), toolFiles({ toolPaths: [folder] })];
  const kernel = await createKernel({ plugins, logger: memoryLogger() });
  const stop = async (): Promise<void> => {
    await kernel.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { kernel, stop };
}
