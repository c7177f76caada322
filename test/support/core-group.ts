import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, definePlugin, type Plugin } from '../../kernel/index.ts';
import { kindOf } from '../../plugins/shared/definition-files/definition-file.ts';
import { parseDefinition } from '../../plugins/shared/definition-files/definition-text.ts';
import type { Toolkit, ToolkitOptions } from '../../plugins/toolkit/index.ts';
import { coreToolkit, sharedCoreToolkit } from './core-toolkit.ts';

const coreFolder = path.resolve('tools/core');

/** A definition file and what it holds. */
interface Definition {
  readonly file: string;
  readonly text: string;
  readonly value: unknown;
}

/** Read once a process: a kernel with all 136 tools takes as long as most tests. */
const known = new Map<string, Promise<readonly Definition[]>>();

async function definitionsIn(folder: string): Promise<readonly Definition[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).map((name) => path.join(folder, name));
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const parsed = parseDefinition(text, file);
      if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
      return { file, text, value: parsed.value };
    }),
  );
}

/** Finds the core tools of these groups, and what they share. */
function toolsOf(groups: readonly string[]): Plugin {
  return definePlugin({
    name: 'core-group',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tapPromise('core-group', async (sink) => {
        for (const folder of [coreFolder, ...groups.map((group) => path.join(coreFolder, group))]) {
          const reading = known.get(folder) ?? definitionsIn(folder);
          known.set(folder, reading);
          for (const { file, value } of await reading) {
            const add = kindOf(value) === 'tool' ? sink.addTool : sink.addProvider;
            add(value, { file, directory: path.dirname(file), trust: 'package' });
          }
        }
      }),
  })();
}

interface CoreGroup {
  /** A Toolkit with these tools alone, silent, closed after the test. */
  coreToolkit(options?: ToolkitOptions): Promise<Toolkit>;
  /** The same for all tests of a file that ask with the same options. */
  sharedCoreToolkit(options?: Pick<ToolkitOptions, 'allowHosts' | 'roots'>): Promise<Toolkit>;
  /** Options that make a Toolkit one of these tools alone. */
  only(options?: ToolkitOptions): ToolkitOptions;
}

/** Makes a function that opens a Toolkit with the core tools of some groups: `coreGroup('fs')`. */
export function coreGroup(...groups: readonly string[]): CoreGroup {
  const only = (options: ToolkitOptions = {}): ToolkitOptions => ({
    ...options,
    includeCore: false,
    plugins: [...(options.plugins ?? []), toolsOf(groups)],
  });
  return {
    only,
    coreToolkit: (options) => coreToolkit(only(options)),
    sharedCoreToolkit: (options) => sharedCoreToolkit(options, { kind: groups.join(), complete: only }),
  };
}
