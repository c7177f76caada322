import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { holdPort } from '../../support/closed-port.ts';
import { until } from '../../support/until.ts';
import { buildImage, type Image } from './build-image.ts';
import { readService } from './compose.ts';
import type { Server, Way } from './server.ts';

/** The steps of the Dockerfile, and what compose.yaml says of its service, as processes of this machine. */
export function withoutDocker(composeFile: string): Way {
  let folder = '';
  let image: Image;
  const children: { readonly child: ChildProcess; readonly exit: Promise<number | null> }[] = [];

  /** `port`: what the port of the image is here. */
  function run(args: readonly string[], env: Readonly<Record<string, string>>, port: number) {
    const [, exposed = ''] = /^(\d+)$/.exec(image.ports[0] ?? '') ?? [];
    const [program = '', ...rest] = args.map((arg) => image.inRoot(arg).replaceAll(new RegExp(`\\b${exposed}\\b`, 'g'), `${port}`));
    // Found by the PATH of the image, as its engine does.
    const child = spawn(program, rest, { cwd: image.folder, env: { ...image.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        log += chunk;
      });
    const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
    children.push({ child, exit });
    return { child, exit, log: () => log };
  }

  /** Resolves once the health check passes. */
  async function serve(args: readonly string[], env: Readonly<Record<string, string>>, health: readonly string[]): Promise<Server> {
    const held = await holdPort();
    const { child, exit, log } = run(args, env, held.port);
    const checkHealth = (): Promise<number | null> => run(health, {}, held.port).exit;
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${log()}`);
      return (await checkHealth()) === 0 ? true : undefined;
    });
    held.release();
    return {
      origin: `http://127.0.0.1:${held.port}`,
      log: async () => log(),
      checkHealth,
      stop() {
        child.kill('SIGTERM');
        return exit;
      },
      runInside: async (program, words) => run([path.join(image.inRoot('/toolkit'), 'node_modules/.bin', program), ...words], {}, 0).exit,
    };
  }

  return {
    async build() {
      folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'toolkit-docker-')));
      const { build } = await readService(composeFile, { TOOLKIT_MCP_TOKEN: 'none' });
      const context = path.resolve(path.dirname(composeFile), build.context);
      if (context !== process.cwd()) throw new Error(`The context is ${context}, expected the root of the repository.`);
      // Programs of the system are those of this machine.
      image = await buildImage(path.join(context, build.dockerfile), folder, { PROGRAMS: '' });
    },

    async start(env) {
      const service = await readService(composeFile, env);
      for (const volume of service.volumes) {
        const [source = '', target = ''] = typeof volume === 'string' ? volume.split(':') : [volume.source, volume.target];
        const mounted = image.inRoot(target);
        // A new volume holds what the image has at its place.
        if (!(await stat(mounted)).isDirectory()) throw new Error(`${target} is no folder of the image.`);
        if (typeof volume !== 'string') await cp(path.resolve(path.dirname(composeFile), source), mounted, { recursive: true });
      }
      return serve([...image.entrypoint, ...service.command], service.environment, service.healthcheck.test.slice(1));
    },

    async startWith(flags, env, files) {
      for (const [file, text] of Object.entries(files)) {
        const mounted = image.inRoot(file);
        await mkdir(path.dirname(mounted), { recursive: true });
        await writeFile(mounted, image.inRoot(text));
      }
      return serve([...image.entrypoint, ...flags], env, image.healthcheck);
    },

    async startBare() {
      const { exit, log } = run(image.entrypoint, {}, 0);
      return { code: await exit, log: log() };
    },

    lockFile: () => readFile(image.inRoot('/toolkit/package-lock.json'), 'utf8'),

    async clear() {
      for (const { child, exit } of children) {
        child.kill('SIGKILL');
        await exit.catch(() => {});
      }
      if (folder !== '') await rm(folder, { recursive: true, force: true });
    },
  };
}
