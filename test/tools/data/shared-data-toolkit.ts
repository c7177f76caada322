import { realpath } from 'node:fs/promises';
import os from 'node:os';
import { after, before } from 'mocha';
import type { JsonValue } from '../../../kernel/index.ts';
import { Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { packFolder } from '../packs.ts';

/** Runs a tool of the package `data` in one toolkit for all tests of a suite; every temporary folder is in its root. */
export function sharedDataToolkit(): <Output = JsonValue>(tool: string, parameters: Readonly<Record<string, unknown>>) => Promise<Output> {
  let opened: Toolkit | undefined;
  before(async () => {
    opened = await Toolkit.init({
      logger: memoryLogger(),
      roots: [await realpath(os.tmpdir())],
      autoDiscover: false,
      includeCore: false,
      toolPaths: [packFolder('data')],
    });
  });
  after(() => opened?.close());
  return async <Output>(tool: string, parameters: Readonly<Record<string, unknown>>) =>
    (await opened?.execute(tool, parameters as never)) as Output;
}
