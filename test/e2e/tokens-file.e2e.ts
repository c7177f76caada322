import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { program, start } from './program.ts';
import { project } from './project.ts';

const value = 'secret-value-of-ann';
const accept = 'application/json, text/event-stream';
const opening = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
};

describe('a file of tokens', () => {
  it('is read again at SIGHUP, and what runs for a token that is gone ends', async () => {
    const cwd = await project({ 'tokens.yaml': `- { name: ann, sha256: ${hash('sha256', value)} }\n` });
    const server = start(['mcp', '-t', 'http', '-p', '0', '--tokens-file', 'tokens.yaml'], { cwd });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    expect(server.stderr()).to.not.include('Token:');
    const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json', accept };
    const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(opening) });
    await opened.text();
    const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
    const stream = await fetch(url, { headers: session });
    expect([opened.status, stream.status]).to.deep.equal([200, 200]);
    await writeFile(path.join(cwd, 'tokens.yaml'), '[]');
    server.child.kill('SIGHUP');
    await stream.text().catch(() => {});
    expect((await fetch(url, { method: 'POST', headers: session, body: JSON.stringify({ ...opening, method: 'ping' }) })).status).to.equal(
      401,
    );
    await server.waitFor(/tokens loaded again: 0; gone is that of "ann"/);
    await writeFile(path.join(cwd, 'tokens.yaml'), 'none');
    server.child.kill('SIGHUP');
    await server.waitFor(/tokens\.yaml is no list.*The tokens that were loaded before stay in use\./);
  });

  const reading: { tool: string; args: string[] }[] = [
    { tool: 'fs_read_file', args: ['--path', 'keys/tokens.yaml'] },
    { tool: 'fs_copy', args: ['--source', 'keys/tokens.yaml', '--destination', 'copy.yaml'] },
    { tool: 'archive_zip_create', args: ['--paths', '["keys"]', '--destination', 'all.zip'] },
  ];
  for (const { tool, args } of reading)
    it(`is not read by a tool: ${tool}`, async () => {
      const cwd = await project({
        'keys/tokens.yaml': `[{ name: ann, token: ${value} }]\n`,
        'toolkit.config.yaml': 'plugins: [toolkit/standard, [toolkit/plugins/mcp, { transport: http, tokensFile: keys/tokens.yaml }]]\n',
      });
      const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) =>
        execFile(process.execPath, ['--', program, 'run', tool, ...args], { cwd }, (_, out, err) => resolve({ stdout: out, stderr: err })),
      );
      expect(stdout + stderr).to.not.include(value);
      expect(stderr).to.include('the tokens of the server');
    });
});
