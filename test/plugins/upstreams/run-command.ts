import path from 'node:path';
import { type Command, createKernel, type Plugin } from '../../../kernel/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { type UpstreamServer, upstreams } from '../../../plugins/upstreams/index.ts';
import { invocation } from '../../support/invocation.ts';
import { stdioServer } from './kernel-with.ts';

/** The end of a command: what it wrote, notes among it, and how. */
export interface Ran {
  readonly out: string;
  readonly exitCode: number;
  readonly error?: Error;
}

interface CommandCall {
  readonly folder: string;
  readonly args?: readonly string[];
  readonly flags?: Readonly<Record<string, unknown>>;
  /** @default a server `shop` whose tools have to be accepted */
  readonly servers?: Readonly<Record<string, UpstreamServer>>;
}

/** Runs a command as in this folder, whose configuration has these servers. */
export async function runCommand(
  commands: readonly Command[],
  name: string,
  { folder, args = [], flags = {}, servers = { shop: stdioServer('plain', { pin: 'lock' }) } }: CommandCall,
): Promise<Ran> {
  const { run } = commands.find((command) => command.name === name) as Command;
  let out = '';
  let exitCode = 0;
  const write = (text: string): void => {
    out += text;
  };
  try {
    await run(
      invocation({
        arguments: args,
        flags,
        env: { XDG_STATE_HOME: path.join(folder, '.state') },
        configFile: path.join(folder, 'toolkit.config.yaml'),
        write,
        note: write,
        setExitCode: (code) => {
          exitCode = code;
        },
        createKernel: async (_overrides, adapt = (options) => options) => {
          const plugins = [...standard({ includeCore: false, autoDiscover: false }), upstreams({ servers })];
          const adapted = adapt({ cwd: folder, logger: memoryLogger(), plugins });
          return createKernel({ ...adapted, plugins: adapted.plugins as readonly Plugin[] });
        },
      }),
    );
    return { out, exitCode };
  } catch (error) {
    return { out, exitCode, error: error as Error };
  }
}
