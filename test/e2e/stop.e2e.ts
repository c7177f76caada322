import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { gone, isAlive, start, stdioClient, until } from './program.ts';
import { project } from './project.ts';

const message = (id: number, method: string, params: unknown = {}) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const opening =
  message(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }) +
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

async function pidsIn(file: string): Promise<number[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);
}

/** A server over stdio with a Python worker that has worked, and a program with a child of its own that still runs. */
async function busyServer() {
  const cwd = await project();
  const server = start(['mcp', '--tool-paths', 'my-tools', '--tools', 'nap,count_words'], { cwd });
  const pidFile = path.join(cwd, 'pids');
  server.child.stdin?.write(
    opening +
      message(2, 'tools/call', { name: 'count_words', arguments: { text: 'x' } }) +
      message(3, 'tools/call', { name: 'nap', arguments: { pid_file: pidFile } }),
  );
  const children = await until(async () => {
    if (server.child.exitCode !== null) throw new Error(`the server ended: ${server.stderr()}`);
    const found = await pidsIn(pidFile);
    const python = /"process":(\d+)\D/.exec(server.stdout())?.[1];
    return found.length === 2 && python !== undefined ? [...found, Number(python)] : undefined;
  });
  return { server, children };
}

describe('stopping toolkit mcp', () => {
  const ways: { title: string; stop: (server: Awaited<ReturnType<typeof busyServer>>['server']) => void }[] = [
    { title: 'SIGINT', stop: ({ child }) => void child.kill('SIGINT') },
    { title: 'SIGTERM', stop: ({ child }) => void child.kill('SIGTERM') },
    { title: 'the end of standard input', stop: ({ child }) => void child.stdin?.end() },
  ];
  for (const { title, stop } of ways) {
    it(`by ${title} in the middle of a call ends with 0 and leaves no child behind`, async () => {
      const { server, children } = await busyServer();
      expect(children.map(isAlive)).to.deep.equal([true, true, true]);
      stop(server);
      expect(await server.exit).to.deep.equal({ code: 0, signal: null });
      await Promise.all(children.map(gone));
    });
  }

  const computing = [
    { place: 'a child process', worker: 'process', end: { code: 0, signal: null } },
    // Node waits at its exit for a thread in native code: nothing less ends it.
    { place: 'a thread', worker: true, end: { code: null, signal: 'SIGKILL' } },
  ];
  for (const { place, worker, end } of computing) {
    it(`by SIGTERM ends it although native code computes for ever in ${place} (A5)`, async () => {
      const cwd = await project({
        'toolkit.config.yaml': 'plugins: [[toolkit/standard, { toolPaths: [bombs] }], [toolkit/plugins/mcp, { drainMs: 100 }]]\n',
        'bombs/bomb.yaml': JSON.stringify({
          name: 'bomb',
          description: 'Computes for ever.',
          execution: { type: 'function', code: './bomb.mjs', worker },
        }),
        'bombs/bomb.mjs':
          "export default (_, { logger }) => { logger.warn('computes'); return '\\u0315\\u0300'.repeat(400_000).normalize('NFC').length; };\n",
      });
      const server = start(['mcp'], { cwd });
      server.child.stdin?.write(opening + message(2, 'tools/call', { name: 'bomb', arguments: {} }));
      await server.waitFor(/computes/);
      const startedAt = performance.now();
      server.child.kill('SIGTERM');
      expect(await server.exit).to.deep.equal(end);
      process.stdout.write(`      ended after ${Math.round(performance.now() - startedAt)} ms\n`);
    });
  }

  it('answers the calls that were sent before standard input ended', async () => {
    // However long Python takes to start.
    const config = 'plugins: [toolkit/standard, [toolkit/plugins/mcp, { drainMs: 600000 }]]\n';
    const server = start(['mcp', '--tool-paths', 'my-tools'], { cwd: await project({ 'toolkit.config.yaml': config }) });
    server.child.stdin?.end(opening + message(2, 'tools/call', { name: 'count_words', arguments: { text: 'a b c' } }));
    expect((await server.exit).code).to.equal(0);
    expect(server.stdout()).to.include('"words":3');
  });

  it('by SIGTERM ends an HTTP server', async () => {
    const server = start(['mcp', '-t', 'http', '-p', '0'], { cwd: await project() });
    await server.waitFor(/MCP server/);
    server.child.kill('SIGTERM');
    expect(await server.exit).to.deep.equal({ code: 0, signal: null });
  });

  describe('over HTTP, with time to leave', () => {
    async function leavingServer() {
      const config = 'plugins: [toolkit/standard, [toolkit/plugins/mcp, { shutdownDelayMs: 600000 }]]\n';
      const server = start(['mcp', '-t', 'http', '-p', '0'], { cwd: await project({ 'toolkit.config.yaml': config }) });
      const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
      const statusOf = async (path: string): Promise<number> => (await fetch(new URL(path, url))).status;
      return { server, statusOf };
    }

    it('says by SIGTERM that it is not ready, goes on, and ends at once by a second one', async () => {
      const { server, statusOf } = await leavingServer();
      expect(await statusOf('/ready')).to.equal(200);
      server.child.kill('SIGTERM');
      await until(async () => ((await statusOf('/ready')) === 503 ? true : undefined));
      expect([await statusOf('/live'), await statusOf('/mcp')]).to.deep.equal([200, 401]);
      server.child.kill('SIGTERM');
      expect((await server.exit).code).to.equal(130);
    });

    it('takes none of it by SIGINT, with which a person stops it', async () => {
      const { server } = await leavingServer();
      server.child.kill('SIGINT');
      expect(await server.exit).to.deep.equal({ code: 0, signal: null });
    });
  });

  it('cancels the running program of a call that the client cancels', async () => {
    const cwd = await project();
    const { client } = await stdioClient(['--tool-paths', 'my-tools'], { cwd });
    const pidFile = path.join(cwd, 'pids');
    const controller = new AbortController();
    const call = client
      .callTool({ name: 'nap', arguments: { pid_file: pidFile } }, undefined, { signal: controller.signal })
      .catch((error: unknown) => error);
    const pids = await until(async () => {
      const found = await pidsIn(pidFile);
      return found.length === 2 ? found : undefined;
    });
    controller.abort();
    await call;
    await Promise.all(pids.map(gone));
    expect((await client.callTool({ name: 'time_now', arguments: {} })).isError).to.equal(undefined);
  });
});
