import { type CommandInvocation, createLogger, flattenPlugins, type Plugin, type Tool } from '../../../../kernel/index.ts';
import { type CodeProblems, codeProblems } from '../../code/code-problems.ts';
import { checkAdvice } from './check-advice.ts';
import { checkValues } from './check-values.ts';
import { findingOf, findingsAbout, inOrder } from './finding-of.ts';
import type { GivenDefinitions } from './given-definitions.ts';
import { withoutGiven, withSink } from './other-discovery.ts';
import { givenPaths, pathsPlugin } from './paths-plugin.ts';
import type { Finding, Report } from './report.ts';
import { Tally } from './tally.ts';

interface Request {
  /** Files and folders; none means all that the configuration loads. */
  readonly paths: readonly string[];
  /** Absolute. Relative paths start here, and what is below is shown relative to it. */
  readonly cwd: string;
  readonly createKernel: CommandInvocation['createKernel'];
}

interface Validation extends Report {
  /** Code that was not looked at: each reason, with the tools that name it. */
  readonly unchecked: CodeProblems['unchecked'];
}

/** Loads the definitions with the plugins of the configuration, silently, and collects everything that is wrong with them. */
export async function validateDefinitions({ paths, cwd, createKernel }: Request): Promise<Validation> {
  const tally = new Tally();
  const strays: Finding[] = [];
  let onRead: (given: GivenDefinitions) => void = () => {};
  const given = new Promise<GivenDefinitions>((resolve) => {
    onRead = resolve;
  });
  // What others have beside the paths is known, for names that are taken, and not reported.
  const isAsked = (plugin: string | undefined): boolean => paths.length === 0 || plugin === givenPaths;
  const adapted = (plugins: readonly Plugin[]): readonly Plugin[] =>
    paths.length === 0
      ? plugins.map((plugin) => withSink(plugin, (sink) => tally.counted(sink)))
      : [
          ...plugins.map((plugin) => withoutGiven(plugin, given)),
          pathsPlugin(paths, cwd, { tally, onRead, onStray: (stray) => strays.push(stray) }),
        ];
  const kernel = await createKernel({}, (options) => ({
    ...options,
    // What it would say of the definitions is the report.
    logger: createLogger({ level: 'silent' }),
    plugins: adapted(flattenPlugins(options.plugins)),
  }));
  try {
    const { registry } = kernel;
    const tools = [...registry.tools.values()].filter(({ origin }) => isAsked(origin.plugin));
    const code = await codeProblems(
      kernel,
      tools.filter(({ origin }) => origin.trust === 'operator'),
    );
    const problems = [...registry.problems.filter(({ plugin }) => isAsked(plugin)), ...code.problems];
    const found = [...problems.map((problem) => findingOf(problem, cwd)), ...tools.flatMap((tool) => check(tool, cwd))];
    return { ...tally.counts, findings: inOrder([...found, ...strays]), unchecked: code.unchecked };
  } finally {
    await kernel.close();
  }
}

function check(tool: Tool, cwd: string): readonly Finding[] {
  return findingsAbout(tool, cwd, (report) => {
    checkValues(tool, report);
    // Nobody can take advice about a package of somebody else.
    if (tool.origin.trust === 'operator') checkAdvice(tool, report);
  });
}
