import { type Kernel, LongWork, messageOf, type Problem, type Tool } from '../../../kernel/index.ts';

export interface CodeProblems {
  readonly problems: readonly Problem[];
  /** Tools whose code was not checked, by the reason. */
  readonly unchecked: ReadonlyMap<string, readonly string[]>;
}

/** Finds problems in the code of these tools. The code is parsed, never run. A mistake in a file that several tools share is reported once. */
export async function findCodeProblems(
  { linkOptions: { executionTypes } }: Pick<Kernel, 'linkOptions'>,
  tools: Iterable<Tool>,
): Promise<CodeProblems> {
  const work = new LongWork();
  const problems = new Map<string, Problem>();
  const unchecked = new Map<string, readonly string[]>();
  const skip = (reason: string, tool: Tool): void => void unchecked.set(reason, [...(unchecked.get(reason) ?? []), tool.name]);
  for (const tool of tools) {
    if (work.isDue) await work.yieldToEventLoop();
    try {
      const check = await executionTypes.get(tool.execution.type)?.checkCode?.(tool.execution, tool.origin, tool);
      if (check?.unchecked !== undefined) skip(check.unchecked, tool);
      for (const { path = '', pointer = '', message, severity = 'error', place } of check?.issues ?? []) {
        const { file, locate, plugin } = tool.origin;
        const position = place === undefined ? locate?.(`/execution${pointer}`) : place.position;
        const problemFile = place?.file ?? file;
        const problem: Problem = {
          severity,
          code: 'TOOL_INVALID',
          message,
          // A problem in a file of code has no path in the definition.
          ...(place === undefined ? { path: `execution.${path}` } : {}),
          tool: tool.name,
          plugin,
          ...(problemFile === undefined ? {} : { file: problemFile }),
          ...(position === undefined ? {} : { position }),
        };
        problems.set(JSON.stringify([problemFile, position, message]), problem);
      }
    } catch (error) {
      skip(messageOf(error), tool);
    }
  }
  return { problems: [...problems.values()], unchecked };
}
