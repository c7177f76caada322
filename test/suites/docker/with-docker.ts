import { execFile } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import type { Way } from './server.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  /** Standard output and error. */
  readonly log: string;
}

/** Never rejects for a program that fails; that is a result. */
async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const { PATH = '', HOME = '', DOCKER_HOST } = process.env;
  const own = { PATH, HOME, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) };
  try {
    const { stdout, stderr } = await promisify(execFile)('docker', args, { env: { ...own, ...env }, maxBuffer: 2 ** 26 });
    return { code: 0, out: stdout.trim(), log: `${stdout}${stderr}` };
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : null, out: stdout.trim(), log: `${stdout}${stderr}` };
  }
}

/** True where a Docker with compose answers. */
export async function hasDocker(): Promise<boolean> {
  const ended = await Promise.all([run(['info']), run(['compose', 'version'])]);
  return ended.every(({ code }) => code === 0);
}

/** `compose.yaml` by Docker itself, under a project name that is this process's own. */
export function withDocker(composeFile: string): Way {
  const project = `toolkit-test-${process.pid}`;
  const own = { TOOLKIT_IMAGE: project, TOOLKIT_PORT: '0' };
  const compose = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> =>
    run(['compose', '--file', composeFile, '--project-name', project, ...args], env);
  const done = async (ended: Promise<Ended>): Promise<string> => {
    const { code, out, log } = await ended;
    if (code !== 0) throw new Error(`docker ended with ${code}:\n${log.slice(-4000)}`);
    return out;
  };
  let variables: Readonly<Record<string, string>> = { ...own, TOOLKIT_MCP_TOKEN: 'none' };
  const started: string[] = [];
  const inside = (args: readonly string[]): Promise<string> =>
    done(compose(['run', '--rm', '--no-deps', '--entrypoint', ...args], variables));

  return {
    build: async () => void (await done(compose(['build'], variables))),

    async start(env) {
      variables = { ...own, ...env };
      await done(compose(['up', '--detach', '--wait'], variables));
      const { Config, HostConfig } = await inspect();
      if (Config.User !== 'node' || !HostConfig.ReadonlyRootfs) throw new Error('The container runs with more rights than it needs.');
      return {
        origin: `http://${(await done(compose(['port', 'toolkit', '3000'], variables))).split('\n')[0]}`,
        log: async () => (await compose(['logs', '--no-log-prefix'], variables)).log,
        checkHealth: async () => ((await inspect()).State.Health.Status === 'healthy' ? 0 : 1),
        async stop() {
          await done(compose(['stop'], variables));
          return (await inspect()).State.ExitCode;
        },
        runInside: async (program, words) => (await compose(['exec', 'toolkit', program, ...words], variables)).code,
      };
    },

    async startWith(flags, env, files) {
      const folders = [...new Set(Object.keys(files).map((file) => path.posix.dirname(file)))];
      const mounts = await Promise.all(
        folders.map(async (folder) => {
          const here = await temporaryFolder();
          for (const [file, text] of Object.entries(files))
            if (path.posix.dirname(file) === folder) await writeFile(path.join(here, path.posix.basename(file)), text);
          await chmod(here, 0o755);
          return ['--volume', `${here}:${folder}:ro`];
        }),
      );
      const variablesOfRun = Object.keys(env).flatMap((name) => ['--env', name]);
      const own = ['--read-only', '--tmpfs', '/tmp', '--user', '1000:1000', '--publish', '127.0.0.1:0:3000'];
      const volumes = ['--volume', '/toolkit/work', '--volume', '/toolkit/state'];
      const id = await done(
        run(['run', '--detach', '--init', '--rm', ...own, ...volumes, ...variablesOfRun, ...mounts.flat(), project, ...flags], env),
      );
      started.push(id);
      const health = async (): Promise<string> => done(run(['inspect', '--format', '{{.State.Health.Status}}', id]));
      await until(async () => ((await health()) === 'healthy' ? true : undefined));
      return {
        origin: `http://${(await done(run(['port', id, '3000']))).split('\n')[0]}`,
        log: async () => (await run(['logs', id])).log,
        checkHealth: async () => ((await health()) === 'healthy' ? 0 : 1),
        stop: async () => (await run(['stop', id])).code,
        runInside: async (program, words) => (await run(['exec', id, program, ...words])).code,
      };
    },

    startBare: () => run(['run', '--rm', project]),
    lockFile: () => inside(['cat', 'toolkit', '/toolkit/package-lock.json']),
    async clear() {
      for (const id of started) await run(['rm', '--force', '--volumes', id]);
      await compose(['down', '--volumes', '--rmi', 'all'], variables);
    },
  };

  async function inspect(): Promise<Inspected> {
    const id = await done(compose(['ps', '--all', '--quiet', 'toolkit'], variables));
    const [found] = JSON.parse(await done(run(['inspect', id]))) as [Inspected];
    return found;
  }
}

interface Inspected {
  readonly Config: { readonly User: string };
  readonly HostConfig: { readonly ReadonlyRootfs: boolean };
  readonly State: { readonly ExitCode: number; readonly Health: { readonly Status: string } };
}
