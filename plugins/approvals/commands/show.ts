import type { CommandInvocation } from '../../../kernel/index.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { toDetailsJson } from './approval-format.ts';
import { withApprovals } from './with-approvals.ts';

/** Shows one record. */
export async function show(invocation: CommandInvocation): Promise<void> {
  const { arguments: words, flags, write, terminal } = invocation;
  await withApprovals(invocation, async (approvals) => {
    const details = await approvals.get(words[0] ?? '');
    if (flags['json'] === true) return write(jsonText(toDetailsJson(details)));
    const { detailsText } = await import('./details-text.ts');
    write(await detailsText(details, terminal));
  });
}
