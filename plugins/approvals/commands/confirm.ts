import { type CommandInvocation, type Terminal, ToolkitError } from '../../../kernel/index.ts';

/**
 * Asks at the terminal; keys that were typed before the question do not count. Throws ABORTED with a no, and INVALID_PARAMETERS where there is no
 * terminal. `without`: what to type there instead. `nothing`: what a no leaves.
 */
export async function confirm(
  { terminal, interrupted }: Pick<CommandInvocation, 'terminal' | 'interrupted'>,
  { question, without, nothing }: { readonly question: string; readonly without: string; readonly nothing: string },
): Promise<void> {
  if (!terminal.isInteractive) throw new ToolkitError('INVALID_PARAMETERS', `There is no terminal to ask at. ${without}`);
  const { prompts } = await import('../../shared/terminal/prompts.ts');
  const { discardTypedInput } = await import('../../shared/terminal/discard-typed-input.ts');
  const asking = await prompts(terminal, interrupted());
  await discardTypedInput(terminal.input);
  if (await asking.confirm(question, false)) return;
  throw new ToolkitError('ABORTED', nothing);
}

/** Returns the screen on which notes are shown: standard error, which has colors only where a person is asked. */
export function noteScreen({ columns, hasColors, isInteractive, error }: Terminal): Pick<Terminal, 'columns' | 'hasColors'> {
  const width = columns ?? (error as { readonly columns?: number }).columns;
  return { hasColors: hasColors && isInteractive, ...(width === undefined || width === 0 ? {} : { columns: width }) };
}
