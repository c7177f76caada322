import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, type DiscoverSink, definePlugin, type Logger, messageOf, type Plugin } from '../../../../kernel/index.ts';
import { reserveKeys } from '../../../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../../../shared/definition-files/scan-directory.ts';
import { shownPath } from '../../terminal/shown-path.ts';
import { ProvidersAbove } from './providers-above.ts';
import type { Finding } from './report.ts';
import type { Tally } from './tally.ts';

export const givenPaths = 'given-paths';

/** Before all others. */
const first = -1_000_000;

/**
 * Finds the definitions in the given files and folders, as the operator's own. Providers that lie above them are found as well, because
 * tools mean nothing without theirs, and are not counted. They are found before everything else (`seen`: their real paths), and added after it, so
 * that a name which somebody else has already is told of here. `onStray` hears of a path in which there is no definition.
 */
export function pathsPlugin(
  paths: readonly string[],
  cwd: string,
  { tally, seen, onStray }: { readonly tally: Tally; readonly seen: Set<string>; readonly onStray: (stray: Finding) => void },
): Plugin {
  const roots = paths.map((given) => path.resolve(cwd, given));
  const create = definePlugin({
    name: givenPaths,
    apiVersion,
    apply({ hooks, extend }) {
      reserveKeys({ extend });
      const found: (() => void)[] = [];
      hooks.discover.tap('given-paths', () => {
        for (const add of found.splice(0)) add();
      });
      hooks.discover.tapPromise({ name: 'given-paths-found', stage: first }, async (own, { logger }) => {
        const sink: DiscoverSink = {
          ...own,
          addTool: (...given) => void found.push(() => own.addTool(...given)),
          addProvider: (...given) => void found.push(() => own.addProvider(...given)),
          addSkill: (...given) => void found.push(() => own.addSkill(...given)),
        };
        const above = new ProvidersAbove(cwd);
        for (const root of roots) if (!(await holdsDefinitions(root, tally, above.noted(sink), logger, seen))) onStray(stray(root, cwd));
        for (const root of roots) await above.addTo(sink, root, logger, seen);
      });
    },
  });
  return create();
}

async function holdsDefinitions(root: string, tally: Tally, sink: DiscoverSink, logger: Logger, seen: Set<string>): Promise<boolean> {
  const before = tally.total;
  try {
    const real = await realpath(root);
    // Paths may overlap.
    if ([...seen].some((file) => file === real || file.startsWith(`${real}${path.sep}`))) return true;
    await scanDirectory(root, tally.counted(sink), logger, { trust: 'operator', seen });
  } catch (error) {
    sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file: root, message: `cannot be read: ${messageOf(error)}` });
    return true;
  }
  return tally.total > before;
}

function stray(root: string, cwd: string): Finding {
  const message =
    'holds no tool, provider or skill. Expected a SKILL.md, or YAML with "name" and "execution" (a tool) or "provider" (a provider); what is hidden, node_modules and dist are not searched';
  return { severity: 'warning', rule: 'no-definition', file: shownPath(root, cwd), message };
}
