import { expect } from 'chai';
import type { Toolkit, ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { coreGroup } from './core-group.ts';
import { stopped } from './stopped.ts';

type Parameters = Readonly<Record<string, unknown>>;

interface Calls {
  /** One that ends, so that the time limit meets the work of the other and not the start of its thread. */
  readonly harmless: Parameters;
  readonly endless: Parameters;
  /** Calls that must be answered while the endless one runs. */
  meanwhile(toolkit: Toolkit): Promise<unknown>;
}

/**
 * Fails unless an endless call of a core tool ends with TIMEOUT by the tool's own limit, and what is asked meanwhile is answered before, and the
 * next call of the tool as the one before. `options`: of a Toolkit with the tools of these groups alone.
 */
export async function stopsAlone(
  groups: readonly string[],
  tool: string,
  { harmless, endless, meanwhile }: Calls,
  options?: ToolkitOptions,
): Promise<void> {
  const toolkit = await coreGroup(...groups).coreToolkit(options);
  const answer = await toolkit.execute(tool, harmless);
  const { timeout_ms: limitMs } = toolkit.kernel.registry.get(tool).execution as { readonly timeout_ms: number };
  const error = await stopped(
    limitMs,
    () => toolkit.execute(tool, endless),
    () => meanwhile(toolkit),
  );
  expect(error.message).to.include(`did not end within ${limitMs} ms and was stopped`);
  expect(await toolkit.execute(tool, harmless)).to.deep.equal(answer);
}
