import { createKernel, type KernelOptions, type PluginEntry } from '../../../../../kernel/index.ts';
import type { FormatName } from '../../../../../plugins/cli/commands/validate/formats/format-names.ts';
import { formats } from '../../../../../plugins/cli/commands/validate/formats/formats.ts';
import { validateDefinitions } from '../../../../../plugins/cli/commands/validate/validate-definitions.ts';
import { standard } from '../../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../../plugins/toolkit/testing.ts';

interface Given {
  /** @default ['tools'] */
  readonly paths?: readonly string[];
  readonly plugins?: readonly PluginEntry[];
  readonly format?: FormatName;
}

/** The standard plugins as a configuration that loads `tools` and nothing else would list them. */
export const ownTools: readonly PluginEntry[] = [standard({ toolPaths: ['tools'], includeCore: false, autoDiscover: false })];

/** `createKernel` of a command in a folder with these plugins. */
export function kernelOf(cwd: string, plugins: readonly PluginEntry[] = ownTools) {
  return (_overrides?: unknown, adapt: (options: KernelOptions) => KernelOptions = (options) => options) =>
    createKernel(adapt({ cwd, plugins, logger: memoryLogger() }));
}

/** Returns the output of the command in a folder. */
export async function validated(cwd: string, { paths = ['tools'], plugins, format = 'text' }: Given = {}): Promise<string> {
  return formats[format](await validateDefinitions({ paths, cwd, createKernel: kernelOf(cwd, plugins) }), { hasColors: false });
}

/** A tool that leaves nothing to be desired. `more` goes before the rest. */
export function goodTool(name: string, more = ''): string {
  return `name: ${name}
description: Prints a text as it is, for trying things out.
${more}parameters:
  text: { type: string, required: true, description: What to print. }
execution: { type: command, command: echo, args: ['text={text}'] }
output_schema: { type: string }
examples: [{ parameters: { text: hello }, output: hello }]
`;
}
