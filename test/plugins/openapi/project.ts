import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, type CommandInvocation, createKernel, type Kernel, type Plugin } from '../../../kernel/index.ts';
import { type OpenapiOptions, openapi } from '../../../plugins/openapi/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { invocation } from '../../support/invocation.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';

/** The document of most tests: four operations on books. */
export const library = (): Promise<string> => readFile(path.resolve('fixtures/openapi/library.json'), 'utf8');

/** Standard plugins without core tools and packages, in a folder. */
export const preset = (): readonly Plugin[] => standard({ includeCore: false, autoDiscover: false });

/** A kernel with these sources, closed after the test. */
export function kernelWith(folder: string, sources: NonNullable<OpenapiOptions['sources']>): Promise<Kernel> {
  return bareKernel({ cwd: folder, plugins: [preset(), openapi({ sources })] as never });
}

/** A folder with the document and further files. */
export async function project(files: Readonly<Record<string, string>> = {}): Promise<string> {
  return temporaryFolder({ 'library.json': await library(), ...files });
}

/** Changes a text file. */
export async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

export interface Ran {
  readonly out: string;
  readonly notes: string;
  /** The error that it ended with. */
  readonly error?: Error & { code?: string };
}

/** Runs a command as in this folder, whose configuration has these sources. */
export async function run(
  command: Command,
  folder: string,
  args: readonly string[],
  flags: Readonly<Record<string, unknown>> = {},
  more: Partial<CommandInvocation> & { readonly sources?: NonNullable<OpenapiOptions['sources']> } = {},
): Promise<Ran> {
  let [out, notes] = ['', ''];
  const { sources = {}, ...given } = more;
  const was = process.cwd();
  process.chdir(folder);
  try {
    await command.run(
      invocation({
        arguments: args,
        flags,
        write: (text) => {
          out += text;
        },
        setExitCode: () => {},
        note: (text) => {
          notes += text;
        },
        createKernel: async (_overrides, adapt = (options) => options) => {
          const { plugins, ...settings } = adapt({ cwd: folder, logger: memoryLogger(), plugins: [...preset(), openapi({ sources })] });
          return createKernel({ ...settings, plugins: plugins as readonly Plugin[] });
        },
        ...given,
      }),
    );
    return { out, notes };
  } catch (error) {
    return { out, notes, error: error as Error };
  } finally {
    process.chdir(was);
  }
}
