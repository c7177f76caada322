/** Pings an MCP server without a pause between the answers; says what the longest took since it was last asked. */
import { parentPort, workerData } from 'node:worker_threads';

const { url, token } = workerData;
const headers = {
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

async function send(message) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  await response.text();
  return response;
}

const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pinger', version: '1.0.0' } };
const opened = await send({ id: 0, method: 'initialize', params });
headers['mcp-session-id'] = opened.headers.get('mcp-session-id');

let longestMs = 0;
let sentAt = performance.now();
parentPort.on('message', () => {
  // A ping that has no answer yet counts as well.
  parentPort.postMessage(Math.max(longestMs, performance.now() - sentAt));
  longestMs = 0;
});
for (let id = 1; ; id++) {
  sentAt = performance.now();
  await send({ id, method: 'ping' });
  longestMs = Math.max(longestMs, performance.now() - sentAt);
  if (id === 1) parentPort.postMessage('ready');
}
