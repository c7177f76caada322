import { realpath } from 'node:fs/promises';
import os from 'node:os';
import { after, before } from 'mocha';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';

/**
 * One toolkit for all tests of a suite, because each has threads of its own and a thread takes a second to start. Every temporary
 * folder is in its root.
 */
export function sharedToolkit(): { readonly toolkit: Toolkit; readonly logger: ReturnType<typeof memoryLogger> } {
  const logger = memoryLogger();
  let opened: Toolkit | undefined;
  before(async () => {
    opened = await Toolkit.init({ logger, roots: [await realpath(os.tmpdir())] });
  });
  after(() => opened?.close());
  return {
    logger,
    get toolkit() {
      if (opened === undefined) throw new Error('the toolkit is open only while the tests of the suite run');
      return opened;
    },
  };
}
