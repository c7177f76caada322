import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start } from './program.ts';
import { project } from './project.ts';

export interface KillableServer {
  readonly url: URL;
  /** The project that it serves. */
  readonly cwd: string;
  /** Kills it without warning. */
  kill(): Promise<void>;
  /** Kills it without warning, and starts another one at the same place, with the same key unless another is given. */
  restart(otherKey?: string): Promise<void>;
}

/** `toolkit mcp` over HTTP. `key`: its TOOLKIT_KEY, otherwise it has one in a state folder of its own. */
export async function killableServer(token: string, args: readonly string[] = [], key?: string): Promise<KillableServer> {
  const cwd = await project();
  const state = await temporaryFolder();
  const run = async (port: string, own = key): Promise<{ server: Started; url: URL }> => {
    const env = { TOOLKIT_MCP_TOKEN: token, XDG_STATE_HOME: state, ...(own === undefined ? {} : { TOOLKIT_KEY: own }) };
    const server = start(['mcp', '-t', 'http', '-p', port, ...args], { cwd, env });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    return { server, url: new URL(url) };
  };
  const { server, url } = await run('0');
  let running = server;
  const kill = async (): Promise<void> => {
    running.child.kill('SIGKILL');
    await running.exit;
  };
  return {
    url,
    cwd,
    kill,
    async restart(otherKey) {
      await kill();
      running = (await run(url.port, otherKey)).server;
    },
  };
}
