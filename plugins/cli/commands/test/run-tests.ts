import { type CommandInvocation, type Kernel, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { jsonText } from '../../../shared/text/json-text.ts';
import { askAtTerminal } from '../run/ask-at-terminal.ts';
import { brokenDefinitions } from './broken-definitions.ts';
import { readCassette, writeCassette } from './cassette/cassette-file.ts';
import { Scratch } from './cassette/scratch.ts';
import { Session } from './cassette/session.ts';
import { chooseTools } from './choose-tools.ts';
import { projectFiles } from './project-files.ts';
import { recordTool } from './record-tool.ts';
import { toolText, totalText } from './report/report-text.ts';
import type { Finding, ToolResult } from './report/tool-result.ts';
import type { TestSetup } from './run-example.ts';
import { testKernel } from './seams/test-kernel.ts';
import { testTool } from './test-tool.ts';

/** Tests or records the chosen tools and prints a line for each. Throws EXECUTION_FAILED when one of them fails. */
export async function runTests(invocation: CommandInvocation): Promise<void> {
  const { arguments: words, flags, terminal, write } = invocation;
  if (flags['record'] === true && words.length === 0)
    throw new ToolkitError(
      'INVALID_PARAMETERS',
      '--record calls tools for real: say which ones, such as toolkit test shop_get_order --record.',
    );
  const scratch = await Scratch.open();
  const kernels: Kernel[] = [];
  const createSetup = async (isLive: boolean): Promise<TestSetup> => {
    const session = new Session(isLive, scratch);
    const kernel = await testKernel(invocation.createKernel, session);
    kernels.push(kernel);
    return { kernel, session };
  };
  try {
    const replay = await createSetup(false);
    const live = flags['record'] === true ? await createSetup(true) : undefined;
    const results: ToolResult[] = [];
    const addResult = (result: ToolResult): void => {
      results.push(result);
      if (flags['json'] !== true) write(toolText(result, terminal));
    };
    const { registry } = replay.kernel;
    for (const result of brokenDefinitions(registry, words, process.cwd())) addResult(result);
    for (const tool of chooseTools(registry, words, process.cwd())) {
      const signal = invocation.interrupted();
      const result = live === undefined ? await testTool(replay, tool, { signal }) : await record(live, replay, tool, invocation);
      addResult(result);
    }
    if (flags['json'] === true) write(jsonText({ tools: results }));
    else write(`\n${totalText(results)}`);
    refuse(results, flags);
  } finally {
    for (const kernel of kernels) await kernel.close();
    await scratch.close();
  }
}

async function record(live: TestSetup, replay: TestSetup, tool: Tool, invocation: CommandInvocation): Promise<ToolResult> {
  const { name } = tool;
  const former = await readCassette(tool);
  if (former === undefined && (tool.definition.examples ?? []).length === 0)
    return { tool: name, status: 'missing', examples: [], findings: [{ message: 'it has no examples to record. Write one first' }] };
  const { terminal } = invocation;
  const stop = new AbortController();
  const signal = AbortSignal.any([invocation.interrupted(), stop.signal]);
  const client = terminal.isInteractive ? { client: { elicit: askAtTerminal(terminal, () => {}, stop) } } : {};
  const known = former ?? { tool: name, files: await projectFiles(tool, process.cwd()), examples: [] };
  const { examples, cassette, outdated } = await recordTool(live, replay, tool, known, { signal, ...client });
  if (cassette === undefined) return { tool: name, status: 'failed', examples, findings: [] };
  const file = await writeCassette(tool, cassette, live.kernel);
  return { tool: name, status: 'recorded', examples, findings: outdated.map(outdatedFinding), recorded: displayPath(file, process.cwd()) };
}

function outdatedFinding(example: string): Finding {
  return { message: `"${example}" was in the cassette alone, and the tool does not take its parameters any more: it is left out` };
}

function refuse(results: readonly ToolResult[], { strict, record: isRecording }: CommandInvocation['flags']): void {
  const failed = results.filter(({ status }) => status === 'failed' || (strict === true && status === 'missing'));
  if (failed.length === 0) return;
  const [first] = failed;
  const advice =
    isRecording === true
      ? 'Their cassettes were left as they are'
      : `Correct the tool or its definition; where what was recorded is out of date, record it: toolkit test ${first?.tool} --record`;
  throw new ToolkitError(
    'EXECUTION_FAILED',
    `${failed.length} of ${results.length} tools failed, the first of them ${first?.tool}. ${advice}.`,
  );
}
