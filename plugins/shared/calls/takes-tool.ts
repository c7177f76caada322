import type { EngineHost, WorkOptions } from '../../../kernel/index.ts';
import { anyOf } from '../exposure/wildcard.ts';

/** Whether who works with these options makes calls of a tool: of one that it has. */
export function takesTool({ tools = ['*'], providers }: WorkOptions, { toolOf }: EngineHost): (name: string) => boolean {
  const [isTool, isProvider] = [anyOf(tools), anyOf(providers ?? [])];
  return (name) => {
    const tool = toolOf(name);
    return tool !== undefined && isTool(name) && (providers === undefined || isProvider(tool.provider ?? ''));
  };
}
