import type { CallRequest, JsonValue } from '../../../../kernel/index.ts';
import { coreGroup } from '../../../support/core-group.ts';

const { coreToolkit, sharedCoreToolkit } = coreGroup('web');

const allowHosts = ['127.0.0.1'];

export type CallWeb = (
  parameters: Readonly<Record<string, unknown>>,
  options?: Omit<CallRequest, 'tool' | 'parameters'>,
) => Promise<Record<string, JsonValue>>;

/** Calls one web tool, in a Toolkit whose tools may reach 127.0.0.1. */
export async function webTool(name: string, cwd?: string): Promise<CallWeb> {
  const toolkit = cwd === undefined ? await sharedCoreToolkit({ allowHosts }) : await coreToolkit({ allowHosts, cwd });
  return async (parameters, options = {}) => (await toolkit.execute(name, parameters, options)) as Record<string, JsonValue>;
}

/** The same as a model calls it, so that gates count. */
export async function webToolOfModel(name: string): Promise<CallWeb> {
  const { kernel } = await sharedCoreToolkit({ allowHosts });
  return async (parameters, options = {}) => {
    const { output } = await kernel.call({ tool: name, parameters, origin: 'model', ...options });
    return output as Record<string, JsonValue>;
  };
}
