import type { EngineHost, WorkOptions } from '../../../kernel/index.ts';
import { anyOf } from '../exposure/wildcard.ts';

/** Returns a function that tells whether a worker with these options runs calls of a tool. False for a tool that it does not have. */
export function createWorkFilter({ tools = ['*'], providers }: WorkOptions, { toolOf }: EngineHost): (name: string) => boolean {
  const [isTool, isProvider] = [anyOf(tools), anyOf(providers ?? [])];
  return (name) => {
    const tool = toolOf(name);
    return tool !== undefined && isTool(name) && (providers === undefined || isProvider(tool.provider ?? ''));
  };
}
