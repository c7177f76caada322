import type { Call, CallContext, CallIdentity, IdentityPart } from '../../kernel/index.ts';
import { fileIdentity } from '../shared/bound-files/file-identity.ts';
import { newReadBudget } from '../shared/bound-files/read-budget.ts';
import { shownPath } from '../shared/bound-files/shown-path.ts';
import { type Confinement, confineAll, type FoundPath } from './confine.ts';

/**
 * Returns the identity of the files at every declared path of a call, at any depth of its parameters. An approval holds for
 * these files only. Paths are confined anew, so that a path that now leads elsewhere is refused.
 */
export async function identifyPaths(
  call: Call,
  { controlFiles, signal }: CallContext,
  confinement: Omit<Confinement, 'onPath'>,
): Promise<CallIdentity> {
  const found: FoundPath[] = [];
  await confineAll(call, controlFiles, { ...confinement, onPath: (one) => found.push(one) });
  if (found.length === 0) return {};
  const budget = newReadBudget();
  const files = new Map<string, IdentityPart>();
  // The same order each time, because all files share one budget. A path that is given twice is read last where it binds the content.
  found.sort((a, b) => Number(bindsLocation(b)) - Number(bindsLocation(a)) || (a.path < b.path ? -1 : 1));
  for (const one of found) {
    const binds = bindsLocation(one) ? 'place' : 'content';
    files.set(shownPath(one.path, confinement.roots.base), await fileIdentity(one.path, { binds, controlFiles, signal, budget }));
  }
  return { files: Object.fromEntries(files) };
}

function bindsLocation({ parameter }: FoundPath): boolean {
  return parameter.binds === 'place' || parameter.fixed === true;
}
