import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { startServer } from '../../../../../../plugins/mcp/commands/setup/self-test/child-server.ts';
import { ChildTransport } from '../../../../../../plugins/mcp/commands/setup/self-test/child-transport.ts';

describe('the client of the tested server', () => {
  const stop = new AbortController();
  after(() => stop.abort());

  it('hears what the server said before it listened', async () => {
    const code = 'console.log("hello"); console.error("said"); process.stdin.resume()';
    let said = (): void => {};
    const isSaid = new Promise<void>((resolve) => {
      said = resolve;
    });
    const server = await startServer(
      { command: process.execPath, args: ['-e', code], env: {} },
      { signal: stop.signal, onStderr: () => said() },
    );
    const transport = new ChildTransport(server);
    await isSaid;
    await setImmediate();
    const error = new Promise<Error>((resolve) => {
      transport.onerror = resolve;
    });
    await transport.start();
    expect((await error).message).to.include('hello');
    await server.ended;
  });
});
