import type { CommandInvocation } from '../../../kernel/index.ts';
import type { SourceComparison } from '../../shared/lock/lock-source.ts';
import { acceptedInLock, writeAccepted } from '../accepted/accepted-in-lock.ts';
import { mergeLists } from '../accepted/merge-lists.ts';
import { namesOfPrompts, namesOfTools } from '../list-server.ts';
import type { UpstreamServer } from '../options.ts';
import type { ListDifference } from './compare-lists.ts';
import type { Reveal } from './contact-server.ts';
import { compareServer } from './diff.ts';
import { differenceText } from './difference-text.ts';
import { reviewServer } from './review-server.ts';

/** Compares a server with its entry, for `toolkit accept`. */
export async function compareForLock(
  invocation: CommandInvocation,
  name: string,
  { tools }: Pick<UpstreamServer, 'tools'>,
  reveal: Reveal,
): Promise<SourceComparison> {
  const { lists, accepted, differences, folder, kernel } = await compareServer(invocation, name, reveal);
  await kernel.close();
  const settings = { name, ...(tools === undefined ? {} : { tools }) };
  const all = mergeLists(lists, accepted?.lists ?? lists, ({ kind, name: original }) => isGone(differences, kind, original));
  const names = { tool: namesOfTools(all, settings).names, prompt: namesOfPrompts(all, settings).names };
  const nameHere = ({ kind, name: original }: Pick<ListDifference, 'kind' | 'name'>): string =>
    (kind === 'tool' || kind === 'prompt' ? names[kind].get(original) : undefined) ?? original;
  return {
    // Without an entry even an empty list is something to accept.
    differs: differences.length > 0 || accepted === undefined,
    items: differences.map(nameHere),
    text: (items) => differenceText(items === undefined ? differences : differences.filter((one) => items.includes(nameHere(one)))),
    review(items) {
      const chosen = items === undefined ? lists : mergeLists(undefined, lists, (item) => items.includes(nameHere(item)));
      return reviewServer(invocation, { server: name, lists: chosen, folder, kernel });
    },
    async accept(items) {
      if (items === undefined) await writeAccepted(folder, name, lists);
      else await acceptedInLock(folder).change(name, (before) => mergeLists(before, lists, (item) => items.includes(nameHere(item))));
      return `Accepted of "${name}": ${items === undefined ? `all, ${lists.tools.length} tools` : items.join(', ')}.`;
    },
  };
}

function isGone(differences: readonly ListDifference[], kind: string, name: string): boolean {
  return differences.some((one) => one.change === 'gone' && one.kind === kind && one.name === name);
}
