import { Toolkit, type ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { afterEach } from './after-each.ts';

const opened: Toolkit[] = [];

/** A Toolkit with the core tools, silent, closed after the test. */
export async function coreToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const toolkit = await Toolkit.init({ logger: memoryLogger(), ...options });
  opened.push(toolkit);
  return toolkit;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
});
