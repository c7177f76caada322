import { Toolkit, type ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { afterEach, afterFile } from './after-each.ts';

const opened: Toolkit[] = [];
const shared = new Map<string, Promise<Toolkit>>();

/** A Toolkit with the core tools, silent, closed after the test. */
export async function coreToolkit(options: ToolkitOptions = {}): Promise<Toolkit> {
  const toolkit = await Toolkit.init({ logger: memoryLogger(), ...options });
  opened.push(toolkit);
  return toolkit;
}

/** Toolkits that are not those with all core tools: their name, and what makes them so. */
interface Kind {
  readonly kind?: string;
  complete?(options: ToolkitOptions): ToolkitOptions;
}

/**
 * The same for all tests of a file that ask with the same options, because each has threads of its own and a thread takes a second to start.
 * For tests that neither change it nor look at what it has logged.
 */
export function sharedCoreToolkit(
  options: Pick<ToolkitOptions, 'allowHosts' | 'roots'> = {},
  { kind = 'all', complete = (given) => given }: Kind = {},
): Promise<Toolkit> {
  const key = JSON.stringify([kind, options]);
  const toolkit = shared.get(key) ?? Toolkit.init({ logger: memoryLogger(), ...complete(options) });
  shared.set(key, toolkit);
  return toolkit;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((toolkit) => toolkit.close()));
});

afterFile(async () => {
  const toolkits = await Promise.all(shared.values());
  shared.clear();
  await Promise.all(toolkits.map((toolkit) => toolkit.close()));
});
