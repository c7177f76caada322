import { type CommandInvocation, ToolkitError } from '../../../../kernel/index.ts';
import { paint } from '../../terminal/paint.ts';
import { terminalText } from '../../text/visible-text.ts';
import type { Finding } from '../finding.ts';
import { type ScanOptions, scanItems } from '../scan-items.ts';
import type { ScannedItem } from '../scanned-item.ts';
import { acceptedFindings } from './accept-finding-flag.ts';
import { findingText } from './finding-text.ts';

/** Exit code where something is refused as against the policy, for a command that goes on after that; as that of `toolkit lock --check`. */
const policyExitCode = 4;

/** Names in one message. */
const maxNames = 10;

/**
 * Scans what a person is about to accept, and notes what it finds. Throws INVALID_PARAMETERS for a hard finding, unless
 * `--accept-finding` names its item.
 */
export function reviewItems(
  invocation: Pick<CommandInvocation, 'flags' | 'note' | 'terminal' | 'setExitCode'>,
  items: readonly ScannedItem[],
  options: ScanOptions = {},
): void {
  const { findings, hard, warnings, hardNames } = scanItems(items, options);
  if (hard + warnings === 0) return;
  for (const finding of findings) invocation.note(`${lineOf(finding, invocation)}\n`);
  const left = hard + warnings - findings.length;
  if (left > 0) invocation.note(`${left} further findings are not shown.\n`);
  const accepted = acceptedFindings(invocation);
  const refused = hardNames.filter((name) => !accepted.has(name));
  if (refused.length === 0) return;
  invocation.setExitCode(policyExitCode);
  const shown = refused.slice(0, maxNames).map((name) => terminalText(name.slice(0, 100)));
  const more = refused.length > maxNames ? ` and ${refused.length - maxNames} more` : '';
  const message = `Nothing was accepted: texts of ${shown.join(', ')}${more} look like orders to a model. Read the passages above. If you trust them all the same, name each: --accept-finding ${shown[0]}`;
  throw new ToolkitError('INVALID_PARAMETERS', message);
}

function lineOf(finding: Finding, { terminal }: Pick<CommandInvocation, 'terminal'>): string {
  const label = finding.severity === 'hard' ? paint(terminal, 'bad', 'blocked') : paint(terminal, 'warning', 'look at');
  return `${label}: ${findingText(finding)}`;
}
