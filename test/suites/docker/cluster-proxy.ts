import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { holdPort } from '../../support/closed-port.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { until } from '../../support/until.ts';
import { ReadyPorts } from '../replicas/ready-ports.ts';
import { RoundRobin } from '../replicas/round-robin.ts';

/** The proxy in front of the servers of the cluster. */
export interface ClusterProxy {
  readonly url: URL;
  close(): Promise<void>;
}

/** Caddy with the Caddyfile of the cluster, where TOOLKIT_TEST_CADDY names it; else a proxy of these tests that does what that file says. */
export function proxyBefore(caddyfile: string, ports: readonly number[]): Promise<ClusterProxy> {
  const caddy = process.env['TOOLKIT_TEST_CADDY'] ?? '';
  return caddy === '' ? plainProxy(ports) : runCaddy(caddy, caddyfile, ports);
}

async function plainProxy(ports: readonly number[]): Promise<ClusterProxy> {
  const proxy = new RoundRobin();
  const ready = new ReadyPorts((now) => proxy.use(now));
  await proxy.open([]);
  await Promise.all(ports.map((port) => ready.add(port)));
  return {
    url: proxy.url,
    async close() {
      ready.close();
      await proxy.close();
    },
  };
}

async function runCaddy(program: string, caddyfile: string, ports: readonly number[]): Promise<ClusterProxy> {
  const home = await temporaryFolder();
  const held = await holdPort();
  const text = (await readFile(caddyfile, 'utf8'))
    .replace(/server-(\d):3000/g, (_, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`)
    .replaceAll(/^:8080/gm, `http://127.0.0.1:${held.port}`);
  const file = path.join(home, 'Caddyfile');
  await writeFile(file, text);
  const child = spawn(program, ['run', '--adapter', 'caddyfile', '--config', file], { env: { HOME: home }, stdio: 'ignore' });
  const ended = once(child, 'close');
  const url = new URL(`http://127.0.0.1:${held.port}/mcp`);
  // 502 or 503 until it has asked each server for the first time.
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    const answer = await fetch(new URL('/health', url)).catch(() => undefined);
    return answer?.ok === true ? true : undefined;
  });
  held.release();
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
