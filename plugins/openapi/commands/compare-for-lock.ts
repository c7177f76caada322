import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import type { SourceComparison } from '../../shared/lock/lock-source.ts';
import { reviewItems } from '../../shared/scanner/review/review-items.ts';
import { accept } from '../accepted/accept.ts';
import { scannedItems } from '../accepted/scanned-items.ts';
import { compareSource } from './compare-source.ts';
import { differencesText } from './diff/differences-text.ts';

/** Compares a document with its entry, for `toolkit accept`. */
export async function compareForLock(invocation: CommandInvocation, name: string): Promise<SourceComparison> {
  // Arguments and flags are those of another command.
  const compared = await compareSource({ ...invocation, arguments: [name], flags: {} }, name);
  const { folder, source, loaded, isAccepted, differs } = compared;
  return {
    differs: differs || !isAccepted,
    text: () => differencesText(compared, invocation.terminal),
    async review() {
      reviewItems(invocation, scannedItems(name, loaded));
    },
    async accept() {
      const { tools } = loaded.generated;
      if (tools.length === 0)
        throw new ToolkitError(
          'CONFIG_INVALID',
          `Nothing of "${name}" was accepted: no operation of its document would be a tool. See why: toolkit openapi inspect`,
        );
      await accept(folder, name, source, loaded);
      return `Accepted of "${name}": all, ${tools.length} tools.`;
    },
  };
}
