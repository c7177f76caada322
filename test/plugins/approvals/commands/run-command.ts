import { userInfo } from 'node:os';
import type { Plugin, Terminal } from '../../../../kernel/index.ts';
import { approvalCommands } from '../../../../plugins/approvals/commands.ts';
import { invocation, noTerminal } from '../../../support/invocation.ts';
import { testKernel } from '../../../support/test-kernel.ts';

/** The prints and the exit code of a command. */
export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** The decider of a command that the test runs. */
export const account = { way: 'command line', name: userInfo().username };

/** Runs `toolkit approvals <name>` on the records of a plugin. Rejects with its error. */
export async function runCommand(
  plugin: Plugin | undefined,
  name: string,
  words: readonly string[] = [],
  flags: Readonly<Record<string, unknown>> = {},
  terminal: Terminal = noTerminal,
): Promise<Ran> {
  const command = approvalCommands.find((one) => one.name === `approvals ${name}`);
  if (command === undefined) throw new Error(`there is no command "${name}"`);
  const defaults = (command.flags ?? []).flatMap((flag) =>
    flag.default === undefined ? [] : [[/--(\w+)/.exec(flag.flag)?.[1] ?? '', flag.default] as const],
  );
  const ran = { stdout: '', stderr: '', code: 0 };
  await command.run(
    invocation({
      arguments: words,
      flags: { ...Object.fromEntries(defaults), ...flags },
      terminal,
      createKernel: async (_overrides, adapt = (options) => options) => {
        const { plugins } = adapt({ plugins: plugin === undefined ? [] : [plugin] });
        return testKernel({ plugins: plugins as readonly Plugin[] });
      },
      write: (text) => {
        ran.stdout += text;
      },
      note: (text) => {
        ran.stderr += text;
      },
      setExitCode: (code) => {
        ran.code = code;
      },
    }),
  );
  return ran;
}
