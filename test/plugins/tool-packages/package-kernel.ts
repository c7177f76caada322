import type { Kernel } from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { toolPackages } from '../../../plugins/tool-packages/index.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** A kernel over the packages that are found from a folder; `shop_` tools only are of interest, because others may be installed. */
export function packageKernel(cwd: string, options: Parameters<typeof toolPackages>[0] = { python: false }): Promise<Kernel> {
  return bareKernel({ plugins: [toolPackages(options), toolFiles(), executorCommand(), executorFunction()], cwd });
}

export function toolYaml(name: string, says = name): string {
  return `name: ${name}\ndescription: Says where it is from.\nexecution: { type: command, command: echo, args: ["${says}"] }\n`;
}

export function shopTools(kernel: Kernel): string[] {
  return [...kernel.registry.tools.keys()].filter((name) => name.startsWith('shop_'));
}
