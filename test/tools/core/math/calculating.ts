import type { JsonValue } from '../../../../kernel/index.ts';
import { executorFunction, Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

/**
 * Opens one Toolkit for all tests of a `describe`, because it keeps its worker thread; with a single one, because math.js takes long to load
 * in each. Gives what calls a tool in it.
 */
export function calculating(tool: string): <T = JsonValue>(parameters: Readonly<Record<string, unknown>>) => Promise<T> {
  let toolkit: Toolkit;
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger(), plugins: [executorFunction({ maxThreads: 1 })] });
  });
  after(() => toolkit.close());
  return async <T>(parameters: Readonly<Record<string, unknown>>) => (await toolkit.execute(tool, parameters)) as T;
}
