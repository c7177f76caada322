import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  type AdaptableOptions,
  type Command,
  type CommandInvocation,
  createKernel,
  flattenPlugins,
  type Kernel,
  type Plugin,
} from '../../../kernel/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { lockCommands } from '../../../plugins/lock-file/commands/commands.ts';
import { lockFile } from '../../../plugins/lock-file/index.ts';
import { type OpenapiOptions, openapi } from '../../../plugins/openapi/index.ts';
import { skillFiles } from '../../../plugins/skill-files/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { toolPackages } from '../../../plugins/tool-packages/index.ts';
import { loadToolkitConfig } from '../../../plugins/toolkit/config/toolkit-config.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';
import { invocation } from '../../support/invocation.ts';

/** Files of a project, by path. */
export type Files = Readonly<Record<string, string>>;

/** A kernel with the tools, skills, packages and these documents of a folder, and with the plugins of its configuration, where it has one. */
export async function projectKernel(
  folder: string,
  adapt: (options: AdaptableOptions) => AdaptableOptions = (options) => options,
  sources: NonNullable<OpenapiOptions['sources']> = {},
): Promise<Kernel> {
  const own = [
    toolFiles({ toolPaths: ['./tools'] }),
    skillFiles({ skillPaths: ['./skills'] }),
    // It would also find the packages beside this program.
    ...(existsSync(path.join(folder, 'node_modules')) ? [toolPackages()] : []),
    executorFunction(),
    executorCommand(),
    executorHttp(),
    validateOutput(),
    lockFile(),
    openapi({ sources }),
  ];
  const configured = (await loadToolkitConfig(folder, undefined, () => {}))?.config.plugins ?? [];
  const { plugins } = adapt({ plugins: flattenPlugins([...own, ...configured]) });
  return createKernel({ cwd: folder, logger: memoryLogger(), plugins: plugins as readonly Plugin[] });
}

/** The result of a command of the lock. */
export interface Ran {
  readonly exitCode: number;
  readonly text: string;
}

/** Runs a command of the lock in a folder. */
export async function run(
  folder: string,
  name: string,
  given: Partial<Pick<CommandInvocation, 'arguments' | 'flags' | 'terminal'>> & {
    readonly sources?: NonNullable<OpenapiOptions['sources']>;
  } = {},
): Promise<Ran> {
  let exitCode = 0;
  let text = '';
  const command = lockCommands.find((one) => one.name === name) as Command;
  await command.run(
    invocation({
      ...given,
      env: { XDG_STATE_HOME: path.join(folder, '.state') },
      configFile: path.join(folder, 'toolkit.config.yaml'),
      createKernel: (_overrides, adapt) => projectKernel(folder, adapt, given.sources),
      setExitCode: (code) => {
        exitCode = code;
      },
      write: (written) => {
        text += written;
      },
      note: () => {},
    }),
  );
  return { exitCode, text };
}

/** The tools and skills of a small project. */
export const smallProject: Files = {
  'tools/greet.yaml':
    'name: greet\ndescription: Greets a person.\nparameters:\n  who: { type: string, description: The person. }\nexecution: { type: function, code: ./greet.js }\nrisk: low\n',
  'tools/greet.js': "import { hello } from './hello.js';\nexport default ({ who }) => hello(who);\n",
  'tools/hello.js': "export const hello = (who) => 'hello ' + who;\n",
  'tools/package.json': '{"type":"module"}\n',
  'tools/part.yaml': 'name: part\ndescription: Says goodbye.\nparameters: {}\nexecution: { type: function, code: ./part.js }\nrisk: low\n',
  'tools/part.js': "export default () => 'bye';\n",
  'skills/greeting/SKILL.md': '---\nname: greeting\ndescription: How to greet.\n---\nGreet kindly.\n',
  'skills/greeting/references/names.md': 'Ada\n',
};
