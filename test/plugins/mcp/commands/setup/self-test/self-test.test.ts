import { expect } from 'chai';
import { testServer } from '../../../../../../plugins/mcp/commands/setup/self-test/self-test.ts';
import { rejection } from '../../../../../support/rejection.ts';

const node = (code: string) => ({ command: process.execPath, args: ['-e', code], env: {} });
const { signal } = new AbortController();

describe('the test of the server', () => {
  const failures = [
    { title: 'a program that is not there', launch: { command: '/no/such/node', args: [], env: {} }, message: /ENOENT/, stderr: '' },
    {
      title: 'one that ends with an error',
      launch: node('console.error("the port is on fire"); process.exit(3)'),
      message: /it ended with exit code 3/,
      stderr: 'the port is on fire',
    },
    { title: 'one that says something else', launch: node('console.log("hello"); process.stdin.resume()'), message: /./, stderr: '' },
  ];
  for (const { title, launch, message, stderr } of failures) {
    it(`says what went wrong with ${title}, and what it printed`, async () => {
      const result = await testServer(launch, 'stdio', { signal });
      if (result.ok) throw new Error('it passed');
      expect(result.message).to.match(message);
      expect(result.stderr).to.equal(stderr);
    });
  }

  it('over HTTP says so of one that ends before it serves', async () => {
    const launch = { command: process.execPath, args: ['-e', 'console.error("no certificate"); process.exit(1)', '--'], env: {} };
    const result = await testServer(launch, 'http', { signal });
    expect(result).to.deep.include({ ok: false, message: 'it ended with exit code 1', stderr: 'no certificate' });
  });

  it('ends the server when it is stopped', async () => {
    const stop = new AbortController();
    const running = testServer(node('process.stdin.on("data", () => {})'), 'stdio', { signal: stop.signal });
    stop.abort();
    await rejection(running, 'ABORTED');
  });
});
