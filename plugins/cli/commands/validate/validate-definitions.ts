import { type CommandInvocation, createLogger, flattenPlugins, type Plugin, type Tool } from '../../../../kernel/index.ts';
import { type CodeProblems, findCodeProblems } from '../../code/code-problems.ts';
import { checkAdvice } from './check-advice.ts';
import { checkValues } from './check-values.ts';
import { DefinitionCounter } from './definition-counter.ts';
import { checkTool, findingOf, sortFindings } from './finding-of.ts';
import type { GivenDefinitions } from './given-definitions.ts';
import { withoutGiven, withSink } from './other-discovery.ts';
import { givenPaths, pathsPlugin } from './paths-plugin.ts';
import type { Finding, Report } from './report.ts';

interface Request {
  /** Files and folders. Empty: everything that the configuration loads. */
  readonly paths: readonly string[];
  /** Absolute. Relative paths start here, and paths below it are shown relative to it. */
  readonly cwd: string;
  readonly createKernel: CommandInvocation['createKernel'];
}

interface Validation extends Report {
  /** Tools whose code was not checked, by the reason. */
  readonly unchecked: CodeProblems['unchecked'];
}

/** Loads the definitions with the configured plugins, without log lines, and collects all problems. */
export async function validateDefinitions({ paths, cwd, createKernel }: Request): Promise<Validation> {
  const counter = new DefinitionCounter();
  const foreignFindings: Finding[] = [];
  let onRead: (given: GivenDefinitions) => void = () => {};
  const given = new Promise<GivenDefinitions>((resolve) => {
    onRead = resolve;
  });
  // Definitions outside the paths are loaded to detect duplicate names, but not reported.
  const isReported = (plugin: string | undefined): boolean => paths.length === 0 || plugin === givenPaths;
  const adapted = (plugins: readonly Plugin[]): readonly Plugin[] =>
    paths.length === 0
      ? plugins.map((plugin) => withSink(plugin, (sink) => counter.counting(sink)))
      : [
          ...plugins.map((plugin) => withoutGiven(plugin, given)),
          pathsPlugin(paths, cwd, { counter, onRead, onStray: (finding) => foreignFindings.push(finding) }),
        ];
  const kernel = await createKernel({}, (options) => ({
    ...options,
    // The report contains everything that the log would.
    logger: createLogger({ level: 'silent' }),
    plugins: adapted(flattenPlugins(options.plugins)),
  }));
  try {
    const { registry } = kernel;
    const tools = [...registry.tools.values()].filter(({ origin }) => isReported(origin.plugin));
    const code = await findCodeProblems(
      kernel,
      tools.filter(({ origin }) => origin.trust === 'operator'),
    );
    const problems = [...registry.problems.filter(({ plugin }) => isReported(plugin)), ...code.problems];
    const found = [...problems.map((problem) => findingOf(problem, cwd)), ...tools.flatMap((tool) => check(tool, cwd))];
    return { ...counter.counts, findings: sortFindings([...found, ...foreignFindings]), unchecked: code.unchecked };
  } finally {
    await kernel.close();
  }
}

function check(tool: Tool, cwd: string): readonly Finding[] {
  return checkTool(tool, cwd, (report) => {
    checkValues(tool, report);
    // Users cannot change the definitions of installed packages.
    if (tool.origin.trust === 'operator') checkAdvice(tool, report);
  });
}
