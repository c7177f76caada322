import { after, before } from 'mocha';
import { Toolkit, type ToolkitOptions } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

/** Calls one tool, in one Toolkit for all tests of a suite: opening one takes much longer than the call. */
export function sharedTool<Output>(
  name: string,
  options: ToolkitOptions = {},
): (parameters: Readonly<Record<string, unknown>>) => Promise<Output> {
  let toolkit: Toolkit | undefined;
  before(async () => {
    toolkit = await Toolkit.init({ logger: memoryLogger(), ...options });
  });
  after(() => toolkit?.close());
  return async (parameters) => (await toolkit?.execute(name, parameters)) as Output;
}
