import path from 'node:path';
import Type, { type Static } from 'typebox';
import { apiVersion, type DiscoverSink, definePlugin, type Logger, messageOf } from '../../kernel/index.ts';
import { LinkCaches } from '../shared/definition-files/link-caches.ts';
import { builtManifest } from '../shared/definition-files/manifest.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { pin, requirementNames } from '../shared/pinned-code/code-file.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { ancestors } from '../shared/project/ancestors.ts';
import { namedDistributions, normalized, requirementFiles } from './named-distributions.ts';
import { type FoundPackages, nodePackages, type ToolPackage } from './node-packages.ts';
import { pythonDistributions } from './python-distributions.ts';

const OptionsSchema = Type.Object(
  {
    /** Names of installed packages whose tools are loaded although the project does not name them. @default none */
    allowPackages: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Former name of `allowPackages`; both apply. */
    allow: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** Secrets that a package's tools may use, by package name, in addition to those of its provider file. @default none */
    secretsOf: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String({ pattern: '^\\w+$' })))),
    /** Directories with Python distributions, in addition to those of the Python on the PATH. */
    pythonPaths: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    /** True to search for Python distributions. @default true */
    python: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/**
 * Loads tools of installed packages: npm packages under `@toolkit/` and Python distributions named `toolkit-*`. Only packages that the project or
 * `allowPackages` names are loaded; for others, such as dependencies of a package, it reports a problem.
 */
export const toolPackages = definePlugin({
  name: 'tool-packages',
  apiVersion,
  optionsSchema: OptionsSchema,
  apply(kernel, { allow = [], ...given }) {
    const options = { ...given, allowPackages: [...(given.allowPackages ?? []), ...allow] };
    reserveKeys(kernel);
    const ledger = new CodeLedger(kernel.cwd);
    const known = builtManifest('packages');
    const roots = new LinkCaches({ built: 'packages' });
    kernel.hooks.dispose.tapPromise('tool-packages', () => roots.settled());
    kernel.hooks.discover.tapPromise('tool-packages', async (sink, { logger }) => {
      const found = await installed(kernel.cwd, options, sink);
      const { left } = found;
      // Includes packages that are not loaded: they are loaded as soon as a manifest names them or the operator accepts them.
      for (const { paths } of [...found.taken, ...left]) for (const place of paths) sink.opened(place);
      const withheld = sink.isShown ? new Set() : namedByModels(found.taken, ledger, options.allowPackages);
      const taken = found.taken.filter(({ name }) => !withheld.has(name));
      for (const one of found.taken) if (withheld.has(one.name)) sink.addProblem(unaccepted(one));
      for (const one of left) sink.addProblem(leftOut(one));
      for (const name of strangers(options, [...found.taken, ...left])) sink.addProblem(notInstalled(name));
      const seen = new Set<string>();
      for (const found of taken) {
        const owner = {
          name: found.name,
          secrets: options.secretsOf?.[found.name] ?? [],
          ...(found.isUndeclared === true ? { isUndeclared: true } : {}),
        };
        await readPackage(found, sink, logger, { trust: 'package', package: owner, seen, known }, roots);
      }
    });
  },
});

type Options = Static<typeof OptionsSchema>;

async function installed(
  cwd: string,
  { allowPackages = [], pythonPaths = [], python = true }: Options,
  sink: DiscoverSink,
): Promise<FoundPackages> {
  const onPlanted = (folder: string): void =>
    sink.addProblem({
      severity: 'warning',
      code: 'TOOL_INVALID',
      file: folder,
      message: 'belongs to another account and lies in a folder that every account may write to: its packages are not loaded',
    });
  for (const folder of ancestors(cwd)) {
    // Pins the content of the file, and whether it exists.
    for (const part of manifestParts) sink.pinned(pin(path.join(folder, 'package.json'), part));
    sink.opened(path.join(folder, 'node_modules'));
  }
  const { taken, left } = await nodePackages(cwd, { allow: allowPackages, onPlanted });
  const distributions = python ? await pythonDistributions(pythonPaths, process.env) : [];
  if (distributions.length > 0) for (const file of await requirementFiles(cwd)) sink.pinned(file);
  const named = distributions.length === 0 ? new Set() : new Set([...(await namedDistributions(cwd)), ...allowPackages.map(normalized)]);
  return {
    taken: [...taken, ...distributions.filter(({ name }) => named.has(name))],
    left: [...left, ...distributions.filter(({ name }) => !named.has(name))],
  };
}

async function readPackage(
  { name, paths }: ToolPackage,
  sink: DiscoverSink,
  logger: Logger,
  options: Parameters<typeof scanDirectory>[3],
  roots: LinkCaches,
): Promise<void> {
  logger.debug('tool package', { name, paths });
  for (const place of paths) {
    try {
      await scanDirectory(place, sink, logger, { ...options, linkCache: roots.forRoot(place, options, sink) });
    } catch (error) {
      const message = `the package "${name}" cannot be read: ${messageOf(error)}. Install it again`;
      sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file: place, message });
    }
  }
}

/** Members of package.json that name packages. */
const manifestParts = ['dependencies', 'workspaces'] as const;

const manifestNames = /^(?:package\.json|pyproject\.toml|requirements.*\.txt)$/;

/** Returns packages that are named only by a manifest that a model wrote and the operator has not accepted. The options always count. */
function namedByModels(taken: readonly ToolPackage[], ledger: CodeLedger, allowed: readonly string[]): ReadonlySet<string> {
  const manifests = ledger.unaccepted().filter(({ file, part }) => part === requirementNames || manifestNames.test(path.basename(file)));
  const names = taken.filter(({ name, isUndeclared = false }) => !isUndeclared && !allowed.includes(name)).map(({ name }) => name);
  return new Set(names.filter((name) => manifests.some(({ packages = [] }) => !packages.includes(name))));
}

type Reported = Parameters<DiscoverSink['addProblem']>[0];

function leftOut({ name, paths: [place] }: ToolPackage): Reported {
  const where = name.startsWith('@') ? 'the dependencies of package.json' : 'the dependencies of pyproject.toml, to requirements.txt,';
  const message = `the package "${name}" is installed, but the project does not name it: its tools are not loaded. Add it to ${where} or to "allowPackages" of standard() or tool-packages`;
  return { severity: 'warning', code: 'TOOL_INVALID', message, ...(place === undefined ? {} : { file: place }) };
}

function unaccepted({ name, paths: [place] }: ToolPackage): Reported {
  const message = `the package "${name}" is named by the project since a model wrote that, and nobody has accepted it: its tools are not loaded. Look at it with "toolkit tools pending", then run "toolkit tools accept", or take the name out`;
  return { severity: 'warning', code: 'TOOL_INVALID', message, ...(place === undefined ? {} : { file: place }) };
}

/** Returns names in the options that match no package. */
function strangers({ allowPackages = [], secretsOf = {} }: Options, found: readonly ToolPackage[]): string[] {
  const known = new Set(found.map(({ name }) => name));
  return [...new Set([...allowPackages, ...Object.keys(secretsOf)])].filter((name) => !known.has(name) && !known.has(normalized(name)));
}

function notInstalled(name: string): Reported {
  return {
    severity: 'warning',
    code: 'CONFIG_INVALID',
    message: `the options name the package "${name}", which is not installed. Correct the name, or install it`,
  };
}
