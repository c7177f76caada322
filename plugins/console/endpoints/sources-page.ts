import { type Kernel, LongWork, type PendingChange, unseen } from '../../../kernel/index.ts';
import type { ShownChange, SourcesPage } from '../wire/sources.ts';
import { differenceOf, digestOfChange, shownDefinition } from './change-difference.ts';
import { findingsByName } from './change-findings.ts';

/** Maximum number of changes on one page, and of the characters of their differences: a document may list 64 MB. */
const maxChanges = 500;
const maxCharacters = 2_000_000;

/** Returns the sources, their withheld changes, and what else is withheld. Masked. */
export async function sourcesPage(kernel: Kernel): Promise<SourcesPage> {
  const pending = kernel.sources.pending();
  const changes = await shownChanges(pending, kernel);
  const more = pending.length - changes.length;
  return kernel.mask({
    sources: kernel.sources.list(),
    changes,
    ...(more === 0 ? {} : { more }),
    withheldTools: withheldTools(kernel, pending),
  });
}

async function shownChanges(pending: readonly PendingChange[], { registry }: Kernel): Promise<readonly ShownChange[]> {
  const compared = await comparedChanges(pending.slice(0, maxChanges));
  const findings = await findingsByName([...compared.keys()], registry);
  return [...compared].map(([shown, difference]) => {
    const { source, change, kind, name, differs } = shown;
    const { texts = [], isBlocked = false } = findings.get(name) ?? {};
    return {
      ...{ source, change, kind, name, differs, definition: shownDefinition(shown), difference },
      digest: digestOfChange(shown),
      ...(texts.length === 0 ? {} : { findings: texts }),
      ...(isBlocked ? { isBlocked } : {}),
    };
  });
}

/** Returns the first changes with their differences, as many as fit, and at least one. */
async function comparedChanges(changes: readonly PendingChange[]): Promise<ReadonlyMap<PendingChange, ShownChange['difference']>> {
  const work = new LongWork();
  const compared = new Map<PendingChange, ShownChange['difference']>();
  let characters = 0;
  for (const change of changes) {
    if (work.isDue) await work.yieldToEventLoop();
    const difference = await differenceOf(change);
    characters += difference.reduce((sum, { text }) => sum + text.length, 0);
    if (compared.size > 0 && characters > maxCharacters) break;
    compared.set(change, difference);
  }
  return compared;
}

/** Returns the tools that a plugin withholds (`extend.withhold`), and those with code that a model wrote. Those of sources are among the changes. */
function withheldTools({ registry }: Kernel, pending: readonly PendingChange[]): SourcesPage['withheldTools'] {
  const ofSources = new Set(pending.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])));
  const out = [...registry.withheld.values()]
    .filter(({ name }) => !ofSources.has(name))
    .map(({ name, how, acceptedBy }) => ({ tool: name, reason: `${how}: ${acceptedBy}` }));
  const written = [...registry.tools.values()].flatMap(({ name, code = [] }) => {
    const file = code.find(({ sha256 }) => sha256 === unseen)?.file;
    return file === undefined ? [] : [{ tool: name, reason: `a model wrote ${file}: "toolkit accept ${name}" accepts it` }];
  });
  return [...out, ...written];
}
