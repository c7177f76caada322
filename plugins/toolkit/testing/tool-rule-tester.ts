import {
  apiVersion,
  createKernel,
  createLogger,
  definePlugin,
  formatProblem,
  type PluginEntry,
  type Problem,
} from '../../../kernel/index.ts';
import { readDefinition } from '../../shared/definition-files/earlier-form/read-definition.ts';
import { standard } from '../standard.ts';

export interface ToolRuleCase {
  /** Text of a tool definition. */
  readonly definition: string;
  /** Text of its provider file. @default none */
  readonly provider?: string;
}

export interface InvalidToolRuleCase extends ToolRuleCase {
  /** Expected problems in file order, each as a part of `3:1 retry.attempts: expected …` (line, column, field, message). */
  readonly problems: readonly string[];
}

export interface ToolRuleCases {
  /** Plugins whose definition keys, execution types and checks are tested, in addition to the standard ones. */
  readonly plugins?: readonly PluginEntry[];
  /** Definitions without problems, also without warnings. */
  readonly valid: readonly (string | ToolRuleCase)[];
  readonly invalid: readonly InvalidToolRuleCase[];
}

/**
 * Compares definitions with the problems that plugins report for them, for authors of definition keys and execution types. Rejects with an Error that lists
 * every case with another outcome. Nothing in a definition runs. Works with every test runner.
 * @example it('checks the key "quota"', () => toolRuleTester({ plugins: [quota()], valid: [good], invalid: [{ definition: bad, problems: ['4:8 quota'] }] }));
 */
export async function toolRuleTester({ plugins = [], valid, invalid }: ToolRuleCases): Promise<void> {
  const cases = [
    ...valid.map((one, index) => ({ title: `valid[${index}]`, problems: [], ...(typeof one === 'string' ? { definition: one } : one) })),
    ...invalid.map((one, index) => ({ title: `invalid[${index}]`, ...one })),
  ];
  const failures: string[] = [];
  for (const { title, problems: expected, ...one } of cases) {
    const found = await problemsIn(one, plugins);
    const isMet = found.length === expected.length && found.every((problem, index) => problem.includes(expected[index] as string));
    if (!isMet) failures.push(`${title}: expected ${shown(expected)}, received ${shown(found)}\n${one.definition.trimEnd()}`);
    else if (title.startsWith('invalid') && expected.length === 0) failures.push(`${title}: says no problem that is expected`);
  }
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

/** Returns the problems of a case, sorted by line and column. */
async function problemsIn({ definition, provider }: ToolRuleCase, plugins: readonly PluginEntry[]): Promise<readonly string[]> {
  const casePlugin = definePlugin({
    name: 'tool-rule-tester',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tap('tool-rule-tester', (sink) => {
        for (const [text, file] of [[provider, '/definition.yaml'] as const, [definition, '/tool.yaml'] as const]) {
          if (text === undefined) continue;
          const parsed = readDefinition(text, file);
          if ('problems' in parsed) for (const problem of parsed.problems) sink.addProblem(problem);
          else if (text === provider) sink.addProvider(parsed.value, { trust: 'operator', file, locate: parsed.locate });
          else sink.addTool(parsed.value, { trust: 'operator', file, locate: parsed.locate });
        }
      }),
  });
  const kernel = await createKernel({
    plugins: [standard({ includeCore: false, autoDiscover: false }), ...plugins, casePlugin()],
    logger: createLogger({ level: 'silent' }),
  });
  const { problems } = kernel.registry;
  await kernel.close();
  return problems
    .toSorted((one, other) => sortKey(one) - sortKey(other))
    .map((problem) => formatProblem(problem).replace(/^\/\w+\.yaml:?/, ''));
}

function sortKey({ position }: Problem): number {
  return (position?.line ?? 0) * 10_000 + (position?.column ?? 0);
}

function shown(problems: readonly string[]): string {
  return problems.length === 0 ? 'no problem' : problems.map((problem) => JSON.stringify(problem)).join(', ');
}
