import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeShelf, type Shelf, type ShelfSource } from '../../../fixtures/plugins/toolkit-plugin-shelf/shelf.js';
import * as core from '../../../kernel/index.ts';
import { memoryLogger, type TestKitOptions } from '../../../plugins/toolkit/testing.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { testKernel } from '../../support/test-kernel.ts';

export const shelfPlugin = makeShelf(core);

export const find = { name: 'find', description: 'Finds a thing.' };

/** A kernel with a source `shelf` that lists what a file says. */
export interface ShelfWorld {
  readonly kernel: core.Kernel;
  readonly log: ReturnType<typeof memoryLogger>['records'];
  readonly folder: string;
  /** Replaces the list of the source. */
  write(shelf: Shelf): Promise<void>;
  /** The names of all tools. */
  names(): string[];
  /** A call of a model. */
  call(tool: string): Promise<unknown>;
}

export interface ShelfSettings extends TestKitOptions {
  readonly shelf?: Shelf;
  readonly options?: Partial<ShelfSource>;
}

export async function shelfWorld({
  shelf = { tools: [find] },
  options = {},
  plugins = [],
  ...more
}: ShelfSettings = {}): Promise<ShelfWorld> {
  const folder = await temporaryFolder();
  const document = path.join(folder, 'shelf.json');
  const write = (listed: Shelf): Promise<void> => writeFile(document, JSON.stringify(listed));
  await write(shelf);
  const logger = memoryLogger();
  const kernel = await testKernel({
    logger,
    ...more,
    plugins: [shelfPlugin({ sources: { shelf: { document, ...options } } }), ...plugins],
  });
  return {
    kernel,
    log: logger.records,
    folder,
    write,
    names: () => [...kernel.registry.tools.keys()],
    call: (tool) => kernel.execute(tool, {}, { origin: 'model' }),
  };
}

/** The problems of a registry as texts. */
export function problemsOf({ registry }: core.Kernel): string[] {
  return registry.problems.map((problem) => `${problem.severity} ${core.formatProblem(problem)}`);
}
