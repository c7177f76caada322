import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, type DiscoverSink, definePlugin, type Logger, messageOf, type Plugin } from '../../../../kernel/index.ts';
import { reserveKeys } from '../../../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../../../shared/definition-files/scan-directory.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import type { DefinitionCounter } from './definition-counter.ts';
import { GivenDefinitions } from './given-definitions.ts';
import { ProvidersAbove } from './providers-above.ts';
import type { Finding } from './report.ts';

export const givenPaths = 'given-paths';

interface PathsOptions {
  readonly counter: DefinitionCounter;
  readonly onRead: (given: GivenDefinitions) => void;
  readonly onStray: (strayFinding: Finding) => void;
}

/**
 * Creates the plugin that discovers the definitions in the given files and folders, trusted as the operator's own. Also finds the providers
 * above them, without counting these, because their tools need them. `onRead` receives the definitions, `onStray` each path without any.
 * List it after all other plugins, so that a duplicate name is reported for the given file.
 */
export function pathsPlugin(paths: readonly string[], cwd: string, { counter, onRead, onStray }: PathsOptions): Plugin {
  const roots = paths.map((given) => path.resolve(cwd, given));
  const create = definePlugin({
    name: givenPaths,
    apiVersion,
    apply({ hooks, extend }) {
      reserveKeys({ extend });
      hooks.discover.tapPromise(givenPaths, async (sink, { logger }) => {
        const seen = new Set<string>();
        try {
          const above = new ProvidersAbove(cwd);
          for (const root of roots)
            if (!(await holdsDefinitions(root, counter, above.tracking(sink), logger, seen))) onStray(strayFinding(root, cwd));
          for (const root of roots) await above.addTo(sink, root, logger, seen);
        } finally {
          onRead(new GivenDefinitions(roots, seen));
        }
      });
    },
  });
  return create();
}

async function holdsDefinitions(
  root: string,
  counter: DefinitionCounter,
  sink: DiscoverSink,
  logger: Logger,
  seen: Set<string>,
): Promise<boolean> {
  const before = counter.total;
  try {
    const real = await realpath(root);
    // Paths may overlap.
    if ([...seen].some((file) => file === real || file.startsWith(`${real}${path.sep}`))) return true;
    await scanDirectory(root, counter.counting(sink), logger, { trust: 'operator', seen });
  } catch (error) {
    sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file: root, message: `cannot be read: ${messageOf(error)}` });
    return true;
  }
  return counter.total > before;
}

function strayFinding(root: string, cwd: string): Finding {
  const message =
    'holds no tool, provider or skill. Expected a SKILL.md, or YAML with "name" and "execution" (a tool) or "provider" (a provider); what is hidden, node_modules and dist are not searched';
  return { severity: 'warning', rule: 'no-definition', file: displayPath(root, cwd), message };
}
