// A server of 2025 without an SDK, which starts in the time of Node alone.
import { spawn } from 'node:child_process';
import { appendFileSync, closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const flags = process.argv.slice(2);
const has = (flag) => flags.includes(flag);
const note = (event) => process.env.EVENTS && appendFileSync(process.env.EVENTS, `${JSON.stringify(event)}\n`);
const child = has('child') ? spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' }).pid : undefined;
note({ event: 'started', pid: process.pid, child, env: Object.keys(process.env).sort() });
if (has('deaf')) process.on('SIGTERM', () => {});
if (has('hang') || has('deaf')) setInterval(() => {}, 1000);
if (has('noise')) process.stderr.write('a banner on standard error\n');
if (has('noise')) process.stdout.write('a banner on standard output\n');
if (has('flood')) setInterval(() => process.stdout.write(`${'x'.repeat(1000)}\n`.repeat(1000)), 1);

const inputSchema = { type: 'object', additionalProperties: true };
const names = ['echo', 'die', 'slow', 'who', 'change', ...(has('old') ? ['old'] : [])];
let tools = names.map((name) => ({ name, description: process.env.ABOUT ?? `The tool ${name}.`, inputSchema }));
const slow = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function call(id, { name, arguments: given }) {
  note({ event: 'called', name, given });
  if (name === 'die' || has('dies')) process.exit(3);
  if (name === 'slow') {
    slow.set(id, true);
    note({ event: 'waiting' });
    return;
  }
  if (name === 'change') {
    tools = tools.map((tool) => (tool.name === given.tool ? { ...tool, ...given.members } : tool));
    if (given.remove !== undefined) tools = tools.filter((tool) => tool.name !== given.remove);
    for (let times = 0; times < (given.times ?? 1); times++) send({ method: 'notifications/tools/list_changed' });
  }
  if (given.closeInput === true) closeSync(0);
  const text = name === 'who' ? (process.env.WHO ?? '') : (given.text ?? name);
  send({ id, result: { content: [{ type: 'text', text }] } });
}

const answers = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'plain', version: '1' },
  }),
  'tools/list': () => {
    note({ event: 'listed' });
    return { tools };
  },
  ping: () => ({}),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (has('mute')) return;
  if (method === 'server/discover' && has('exits-at-discover')) process.exit(1);
  if (method === 'tools/call') call(id, params);
  else if (method === 'notifications/cancelled' && slow.delete(params.requestId)) note({ event: 'cancelled' });
  else if (Object.hasOwn(answers, method)) send({ id, result: answers[method]() });
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'unknown' } });
});
