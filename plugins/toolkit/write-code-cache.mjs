/** Part of the build: runs the writer of the code cache, as its MCP client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const messages = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'build', version: '1.0.0' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'time_now', arguments: {} } },
];

const writer = spawn(process.execPath, ['dist/plugins/toolkit/write-code-cache.js', 'dist/toolkit.cache'], {
  stdio: ['pipe', 'ignore', 'inherit'],
});
writer.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
const [code] = await once(writer, 'exit');
process.exitCode = code ?? 1;
