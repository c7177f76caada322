import { coreGroup } from './core-group.ts';
import { stopped } from './stopped.ts';

type Parameters = Readonly<Record<string, unknown>>;

interface Calls {
  /** One that ends, so that the time limit meets the work of the other and not the start of its thread. */
  readonly harmless: Parameters;
  readonly endless: Parameters;
  /** What is answered while the endless one runs. */
  readonly meanwhile: () => Promise<unknown>;
}

/**
 * Fails unless an endless call of a core tool ends with TIMEOUT by the tool's own limit, and what is asked meanwhile is answered before, and the
 * next call of the tool after it.
 */
export async function stopsAlone(group: string, tool: string, { harmless, endless, meanwhile }: Calls): Promise<void> {
  const toolkit = await coreGroup(group).coreToolkit();
  await toolkit.execute(tool, harmless);
  const { timeout_ms: limitMs } = toolkit.kernel.registry.get(tool).execution as { readonly timeout_ms: number };
  await stopped(limitMs, () => toolkit.execute(tool, endless), meanwhile);
  await toolkit.execute(tool, harmless);
}
