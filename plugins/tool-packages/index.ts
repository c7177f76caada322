import path from 'node:path';
import Type, { type Static } from 'typebox';
import { apiVersion, type DiscoverSink, definePlugin, type Logger, messageOf } from '../../kernel/index.ts';
import { definitionFolders } from '../shared/definition-files/definition-folders.ts';
import { LinkCaches } from '../shared/definition-files/link-caches.ts';
import { builtManifest } from '../shared/definition-files/manifest.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { pin, requirementNames } from '../shared/pinned-code/code-file.ts';
import { CodeLedger } from '../shared/pinned-code/code-ledger.ts';
import { ancestors } from '../shared/project/ancestors.ts';
import { normalizeName, readNamedDistributions, requirementFiles } from './named-distributions.ts';
import { type FoundPackages, findNodePackages, type ToolPackage } from './node-packages.ts';
import { findPythonDistributions } from './python-distributions.ts';

const OptionsSchema = Type.Object(
  {
    /** Names of installed packages whose tools are loaded although the project does not name them. @default none */
    allowPackages: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { mistaken_names: ['allow'] })),
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
  apply(kernel, options) {
    reserveKeys(kernel);
    kernel.extend.fact(definitionFolders, { holds: 'packages' });
    const ledger = new CodeLedger(kernel.cwd);
    const known = builtManifest('packages');
    const linkCaches = new LinkCaches({ built: 'packages' });
    kernel.hooks.dispose.tapPromise('tool-packages', () => linkCaches.settled());
    kernel.hooks.discover.tapPromise('tool-packages', async (sink, { logger }) => {
      const found = await findPackages(kernel.cwd, options, sink);
      const { unnamed } = found;
      // Includes packages that are not loaded: they are loaded as soon as a manifest names them or the operator accepts them.
      for (const { paths } of [...found.named, ...unnamed]) for (const folder of paths) sink.opened(folder);
      const withheld = sink.isShown ? new Set() : namedByModels(found.named, ledger, options.allowPackages ?? []);
      const loaded = found.named.filter(({ name }) => !withheld.has(name));
      for (const one of found.named) if (withheld.has(one.name)) sink.addProblem(notAcceptedProblem(one));
      for (const one of unnamed) sink.addProblem(notNamedProblem(one));
      for (const name of unknownNames(options, [...found.named, ...unnamed])) sink.addProblem(notInstalledProblem(name));
      const seen = new Set<string>();
      for (const found of loaded) {
        const owner = {
          name: found.name,
          secrets: options.secretsOf?.[found.name] ?? [],
          ...(found.isUndeclared === true ? { isUndeclared: true } : {}),
        };
        await readPackage(found, sink, logger, { trust: 'package', package: owner, seen, known }, linkCaches);
      }
    });
  },
});

type Options = Static<typeof OptionsSchema>;

async function findPackages(
  cwd: string,
  { allowPackages = [], pythonPaths = [], python = true }: Options,
  sink: DiscoverSink,
): Promise<FoundPackages> {
  const onUntrusted = (folder: string): void =>
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
  const { named: taken, unnamed: left } = await findNodePackages(cwd, { allow: allowPackages, onUntrusted });
  const distributions = python ? await findPythonDistributions(pythonPaths, process.env) : [];
  if (distributions.length > 0) for (const file of await requirementFiles(cwd)) sink.pinned(file);
  const named =
    distributions.length === 0 ? new Set() : new Set([...(await readNamedDistributions(cwd)), ...allowPackages.map(normalizeName)]);
  return {
    named: [...taken, ...distributions.filter(({ name }) => named.has(name))],
    unnamed: [...left, ...distributions.filter(({ name }) => !named.has(name))],
  };
}

async function readPackage(
  { name, paths }: ToolPackage,
  sink: DiscoverSink,
  logger: Logger,
  options: Parameters<typeof scanDirectory>[3],
  linkCaches: LinkCaches,
): Promise<void> {
  logger.debug('tool package', { name, paths });
  for (const folder of paths) {
    try {
      await scanDirectory(folder, sink, logger, { ...options, linkCache: linkCaches.forRoot(folder, options, sink) });
    } catch (error) {
      const message = `the package "${name}" cannot be read: ${messageOf(error)}. Install it again`;
      sink.addProblem({ severity: 'error', code: 'TOOL_INVALID', file: folder, message });
    }
  }
}

/** Members of package.json that name packages. */
const manifestParts = ['dependencies', 'workspaces'] as const;

const manifestNames = /^(?:package\.json|pyproject\.toml|requirements.*\.txt)$/;

/** Returns packages that are named only by a manifest that a model wrote and the operator has not accepted. The options always count. */
function namedByModels(packages: readonly ToolPackage[], ledger: CodeLedger, allowed: readonly string[]): ReadonlySet<string> {
  const manifests = ledger.unaccepted().filter(({ file, part }) => part === requirementNames || manifestNames.test(path.basename(file)));
  const names = packages.filter(({ name, isUndeclared = false }) => !isUndeclared && !allowed.includes(name)).map(({ name }) => name);
  return new Set(names.filter((name) => manifests.some(({ packages = [] }) => !packages.includes(name))));
}

type ProblemDraft = Parameters<DiscoverSink['addProblem']>[0];

function notNamedProblem({ name, paths: [file] }: ToolPackage): ProblemDraft {
  const where = name.startsWith('@') ? 'the dependencies of package.json' : 'the dependencies of pyproject.toml, to requirements.txt,';
  const message = `the package "${name}" is installed, but the project does not name it: its tools are not loaded. Add it to ${where} or to "allowPackages" of standard() or tool-packages`;
  return { severity: 'warning', code: 'TOOL_INVALID', message, ...(file === undefined ? {} : { file: file }) };
}

function notAcceptedProblem({ name, paths: [file] }: ToolPackage): ProblemDraft {
  const message = `the package "${name}" is named by the project since a model wrote that, and nobody has accepted it: its tools are not loaded. Look at it with "toolkit tools pending", then run "toolkit tools accept", or take the name out`;
  return { severity: 'warning', code: 'TOOL_INVALID', message, ...(file === undefined ? {} : { file: file }) };
}

/** Returns names in the options that match no package. */
function unknownNames({ allowPackages = [], secretsOf = {} }: Options, found: readonly ToolPackage[]): string[] {
  const known = new Set(found.map(({ name }) => name));
  return [...new Set([...allowPackages, ...Object.keys(secretsOf)])].filter((name) => !known.has(name) && !known.has(normalizeName(name)));
}

function notInstalledProblem(name: string): ProblemDraft {
  return {
    severity: 'warning',
    code: 'CONFIG_INVALID',
    message: `the options name the package "${name}", which is not installed. Correct the name, or install it`,
  };
}
