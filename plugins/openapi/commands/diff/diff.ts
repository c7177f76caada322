import { type CommandInvocation, ToolkitError } from '../../../../kernel/index.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { compareSource } from '../compare-source.ts';
import { differencesSummary, differencesText } from './differences-text.ts';

/** Prints the differences between a document and what was accepted of it. Throws EXECUTION_FAILED when there are any. */
export async function diff(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [name = '', other],
    flags,
    terminal,
    write,
  } = invocation;
  const compared = await compareSource(invocation, name, other);
  const { loaded, differences, isAccepted, differs, copyError } = compared;
  if (copyError !== undefined) throw copyError;
  const json = { source: name, accepted: isAccepted, differs, ...differences, unmatched: loaded.unmatched };
  write(flags['json'] === true ? jsonText(json) : differencesText(compared, terminal));
  if (isAccepted && !differs) return;
  const advice =
    other === undefined
      ? `Accept it: toolkit openapi update ${name}`
      : `To use it, name it as "document" of "${name}" in the configuration.`;
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `The document of "${name}" is not the accepted one (${differs ? differencesSummary(compared) : 'no tool differs'}). ${advice}`,
  );
}
