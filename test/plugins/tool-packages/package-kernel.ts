import type { Kernel } from '../../../kernel/index.ts';
import { toolPackages } from '../../../plugins/tool-packages/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** Below a project. */
export const scope = 'node_modules/@toolkit';

/** The text of a package.json with these dependencies. */
export function naming(...names: readonly string[]): string {
  return JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [`@toolkit/${name}`, '*'])) });
}

/** A project whose package.json names every package that is installed in it, unless it says something else. */
export function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const names = Object.keys(files).flatMap((file) => /^node_modules\/@toolkit\/([\w-]+)\//.exec(file)?.[1] ?? []);
  return temporaryFolder({ 'package.json': naming(...names), ...files });
}

/**
 * A kernel over the packages that are found from a folder; `shop_` tools only are of interest, because others may be installed. With all that those
 * need: what is wrong in a definition is told with its place, for which the file is parsed.
 */
export function packageKernel(cwd: string, options: Parameters<typeof toolPackages>[0] = { python: false }): Promise<Kernel> {
  return bareKernel({ plugins: [standard({ includeCore: false, autoDiscover: false }), toolPackages(options)], cwd });
}

export function toolYaml(name: string, says = name): string {
  return `name: ${name}\ndescription: Says where it is from.\nexecution: { type: command, command: echo, args: ["${says}"] }\n`;
}

export function shopTools(kernel: Kernel): string[] {
  return [...kernel.registry.tools.keys()].filter((name) => name.startsWith('shop_'));
}
