import { type CommandInvocation, excerpt, type Kernel, ToolkitError } from '../../../../../kernel/index.ts';
import { matcher } from '../../../../shared/exposure/wildcard.ts';
import { paint, type Style } from '../../../../shared/terminal/paint.ts';
import { textTable } from '../../../../shared/terminal/table.ts';
import { jsonText } from '../../../../shared/text/json-text.ts';
import { visibleText } from '../../../../shared/text/visible-text.ts';
import { type Readiness, type ReadinessState, readinessOf } from './tool-readiness.ts';

/** Exit codes of `toolkit doctor --tools`. The highest one of the tools counts. */
export const readinessExitCodes: Readonly<Record<ReadinessState, number>> = { ready: 0, later: 10, operator: 11, unknown: 12 };

const styles: Readonly<Record<ReadinessState, Style>> = { ready: 'good', later: 'quiet', operator: 'bad', unknown: 'bad' };

/** Reports the readiness of these tools and sets the exit code. `*` stands for any characters. Runs no tool. Throws INVALID_PARAMETERS without names. */
export async function reportReadiness(
  patterns: readonly string[],
  { flags, createKernel, write, terminal, setExitCode }: CommandInvocation,
): Promise<void> {
  if (patterns.length === 0)
    throw new ToolkitError('INVALID_PARAMETERS', '--tools names no tool: expected names with commas between them.');
  const found = await readinessIn(patterns, createKernel);
  if (flags['json'] === true) write(jsonText(found));
  else {
    const rows = found.map(({ tool, state, reason = '' }) => [
      paint(terminal, 'name', visibleText(tool)),
      paint(terminal, styles[state], state),
      visibleText(reason),
    ]);
    write(await textTable(terminal, [{}, {}, { narrow: 'cut' }], rows));
  }
  setExitCode(Math.max(...found.map(({ state }) => readinessExitCodes[state])));
}

/** Returns `operator` for all tools when the configuration or a plugin of it cannot be used. */
async function readinessIn(patterns: readonly string[], createKernel: CommandInvocation['createKernel']): Promise<readonly Readiness[]> {
  let kernel: Kernel;
  try {
    kernel = await createKernel();
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return patterns.map((tool) => ({ tool, state: 'operator', reason: `the configuration cannot be used: ${excerpt(error.message)}` }));
  }
  try {
    const known = [...kernel.registry.tools.keys(), ...kernel.registry.withheld.keys()];
    const named = (pattern: string): readonly string[] => (pattern.includes('*') ? known.filter(matcher(pattern)) : [pattern]);
    const names = patterns.flatMap((pattern) => (named(pattern).length === 0 ? [pattern] : named(pattern)));
    return await readinessOf([...new Set(names)], kernel);
  } finally {
    await kernel.close();
  }
}
