import { type CommandInvocation, ToolkitError } from '../../../../kernel/index.ts';
import { formatFew } from '../../../shared/terminal/few.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { FormatName } from './formats/format-names.ts';
import { formats } from './formats/formats.ts';
import { count, type Report, totalsOf } from './report.ts';
import { validateDefinitions } from './validate-definitions.ts';

/** Prints every problem of the definitions. Throws TOOL_INVALID when there are too many. */
export async function validate({ arguments: paths, flags, createKernel, write, note, terminal }: CommandInvocation): Promise<void> {
  const report = await validateDefinitions({ paths, cwd: process.cwd(), createKernel });
  write(formats[(flags['format'] as FormatName | undefined) ?? 'text'](report, terminal));
  for (const [reason, tools] of report.unchecked) note(`The code of ${formatFew(tools)} was not checked: ${visibleText(reason)}\n`);
  refuse(report, (flags['maxWarnings'] as number | undefined) ?? Number.POSITIVE_INFINITY);
}

/** Throws TOOL_INVALID for an error, or for more warnings than allowed. */
function refuse(report: Report, maxWarnings: number): void {
  const { errors, warnings } = totalsOf(report);
  if (errors > 0)
    throw new ToolkitError('TOOL_INVALID', `The definitions have ${count(errors, 'error')}. Correct them, then validate again.`);
  if (warnings > maxWarnings)
    throw new ToolkitError(
      'TOOL_INVALID',
      `The definitions have ${count(warnings, 'warning')}, and --max-warnings allows ${maxWarnings}. Correct them, then validate again.`,
    );
}
