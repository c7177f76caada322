import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Toolkit, ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { packFolder } from './packs.ts';

export interface ReadmeRun {
  /** Values of the variables of the example at its end, without the toolkit. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The options of each toolkit that it makes. */
  readonly asked: readonly ToolkitOptions[];
}

const AsyncFunction = (async () => {}).constructor as new (
  ...args: string[]
) => (Toolkit: { init(options: ToolkitOptions): Promise<Toolkit> }) => Promise<ReadmeRun['variables']>;

/** Runs the TypeScript in the README of a provider with this toolkit in place of the one that it makes. */
export async function runReadmeExample(provider: string, toolkit: Toolkit): Promise<ReadmeRun> {
  const readme = await readFile(path.join(packFolder(provider), 'README.md'), 'utf8');
  const code = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1];
  if (code === undefined) throw new Error(`tools/${provider}/README.md has no example in TypeScript`);
  // Without what only the compiler reads.
  const plain = code.replace(/^import .*$/m, '').replace(/ as \{.*\};$/m, ';');
  const names = [...code.matchAll(/^const (?:\{ )?(\w+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'toolkit');
  const asked: ToolkitOptions[] = [];
  const variables = await new AsyncFunction('Toolkit', `${plain}; return { ${names.join(', ')} };`)({
    init: async (options) => {
      asked.push(options);
      return toolkit;
    },
  });
  return { variables, asked };
}
