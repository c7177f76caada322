import type { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

export interface WrittenTool {
  readonly description?: string;
  readonly risk?: string;
  readonly tags?: readonly string[];
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The file of a tool, as JSON, which is YAML. */
export function toolFile(name: string, { description = `Does ${name}.`, risk = 'low', ...more }: WrittenTool = {}): string {
  return JSON.stringify({ name, description, risk, ...more, execution: { type: 'function', code: './it.mjs' } });
}

/** The core tools and these, of the provider "shop" unless their name begins with "free_". */
export async function catalogue(tools: Readonly<Record<string, WrittenTool>>): Promise<{ toolkit: Toolkit; folder: string }> {
  const files: Record<string, string> = {
    'shop/definition.yaml': 'provider: { name: shop, description: A shop. }',
    'shop/it.mjs': 'export const run = () => 1;',
    'free/it.mjs': 'export const run = () => 1;',
  };
  for (const [name, tool] of Object.entries(tools))
    files[`${name.startsWith('free_') ? 'free' : 'shop'}/${name}.yaml`] = toolFile(name, tool);
  const folder = await temporaryFolder(files);
  return { toolkit: await coreToolkit({ toolPaths: [folder] }), folder };
}
