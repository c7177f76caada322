import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'mocha';
import { Toolkit } from '../../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../../plugins/toolkit/testing.ts';
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

type Tools = Readonly<Record<string, WrittenTool>>;

/** The core tools and these, of the provider "shop" unless their name begins with "free_". */
export async function catalogue(tools: Tools): Promise<{ toolkit: Toolkit; folder: string }> {
  const folder = await temporaryFolder(filesOf(tools));
  return { toolkit: await coreToolkit({ toolPaths: [folder] }), folder };
}

/** The same, once for all tests of a suite that change nothing. */
export function sharedCatalogue(tools: Tools): { readonly toolkit: Toolkit } {
  let folder = '';
  let opened: Toolkit | undefined;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-test-'));
    await writeTree(folder, filesOf(tools));
    opened = await Toolkit.init({ logger: memoryLogger(), toolPaths: [folder] });
  });
  after(async () => {
    await opened?.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get toolkit() {
      if (opened === undefined) throw new Error('the toolkit is open only while the tests of the suite run');
      return opened;
    },
  };
}

function filesOf(tools: Tools): Record<string, string> {
  const files: Record<string, string> = {
    'shop/definition.yaml': 'provider: { name: shop, description: A shop. }',
    'shop/it.mjs': 'export const run = () => 1;',
    'free/it.mjs': 'export const run = () => 1;',
  };
  for (const [name, tool] of Object.entries(tools))
    files[`${name.startsWith('free_') ? 'free' : 'shop'}/${name}.yaml`] = toolFile(name, tool);
  return files;
}

async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
