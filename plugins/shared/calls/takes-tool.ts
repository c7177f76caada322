import type { EngineHost, WorkOptions } from '../../../kernel/index.ts';
import { anyOf } from '../exposure/wildcard.ts';

/** Whether who works with these options makes calls of a tool. */
export function takesTool({ tools = ['*'], providers }: WorkOptions, { providerOf }: EngineHost): (tool: string) => boolean {
  const [isTool, isProvider] = [anyOf(tools), anyOf(providers ?? [])];
  return (tool) => isTool(tool) && (providers === undefined || isProvider(providerOf(tool) ?? ''));
}
