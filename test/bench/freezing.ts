/**
 * Measures how long one caller can make another wait: sends each of these inputs to the built program, and prints the longest ping of another
 * session meanwhile, with the answer. `npx tsx test/bench/freezing.ts [word]` runs the inputs with the word in their title.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

const goalMs = 250;
const token = 'the-token';

const config = `import { apiVersion, definePlugin, defineConfig, standard } from '@toolkit/core';
const words = ['order', 'invoice', 'customer', 'ticket', 'page', 'report', 'refund', 'contract'];
const verbs = ['get', 'list', 'create', 'update', 'delete'];
const text = { type: 'string', description: 'Which one is meant.' };
const tool = (name, handler, more = {}) =>
  ({ name, description: name.replaceAll('_', ' ') + ' of a company.', parameters: { text }, execution: { type: 'function', handler }, risk: 'low', ...more });
const many = definePlugin({ name: 'many', apiVersion, apply: ({ hooks }) => hooks.discover.tap('many', (sink) => {
  for (let i = 0; i < 10000; i++) sink.addTool(tool(words[i % 8] + '_' + verbs[(i >> 3) % 5] + '_' + words[(i >> 6) % 8] + '_' + i, () => null));
  sink.addTool(tool('long_line', () => 'x'.repeat(20 * 1024 * 1024)));
  sink.addTool(tool('long_lines', () => 'a line of text\\n'.repeat(1300000)));
  sink.addTool(tool('rows', () => Array.from({ length: 9000 }, (_, n) => ({ n, name: 'name ' + n, text: 'a text', a: 1, b: true, c: null, d: 'x', e: 2, f: 3 }))));
  sink.addTool(tool('more_rows', () => Array.from({ length: 500000 }, (_, n) => ({ n, name: 'name ' + n }))));
  sink.addTool(tool('deep', () => { let value = 1; for (let i = 0; i < 400; i++) value = [value]; return value; }));
  sink.addTool(tool('take_list', () => null, { parameters: { list: { type: 'array', items: { type: 'string' }, uniqueItems: true } } }));
}) });
export default defineConfig({ plugins: [standard(), many()] });
`;

const call = (name: string, parameters: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } });

const request = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

const names = (count: number, value: unknown = 1): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));

/** A JSON text, because no writer makes values so deep. */
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const definition =
  'name: shop_get_order\ndescription: Reads one order.\nexecution: { type: http, method: get, url: "https://shop.example/" }\n';

const mebibyte = 1024 * 1024;

/** Inputs by title; a list is sent all at once. */
const inputs: Readonly<Record<string, () => string | readonly string[]>> = {
  '300,000 unknown argument names': () => call('time_now', names(300_000)),
  '99,000 unknown argument names': () => call('time_now', names(99_000)),
  '1,300,000 empty lists': () => call('time_now', { timezone: Array.from({ length: 1_300_000 }, () => []) }),
  'a list of 1,900,000 numbers': () => call('take_list', { list: Array.from({ length: 1_900_000 }, () => 1) }),
  'a list of 99,000 wrong items': () => call('take_list', { list: Array.from({ length: 99_000 }, () => 1) }),
  'a list of 99,000 different items': () => call('take_list', { list: Array.from({ length: 99_000 }, (_, index) => `item ${index}`) }),
  'lists, 2,000,000 deep': () =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"time_now","arguments":{"a":${nested(2_000_000)}}}}`,
  'lists, 100,000 deep': () =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"time_now","arguments":{"a":${nested(100_000)}}}}`,
  'a name of 3 MiB': () => call('time_now', { ['x'.repeat(3 * mebibyte)]: 1 }),
  'a text of 4 MiB as a time zone': () => call('time_now', { timezone: 'x'.repeat(3.9 * mebibyte) }),
  'the name of a tool of 3 MiB': () => call('x'.repeat(3 * mebibyte), {}),
  '500 unknown tools': () => Array.from({ length: 500 }, (_, index) => call(`ordr_gte_invoyce_${index}`, {})),
  'validate: 14,000 unknown keys': () =>
    call('toolkit_validate_tool', {
      yaml: `${definition}${Object.keys(names(14_000))
        .map((name) => `${name}: 1\n`)
        .join('')}`,
    }),
  'validate: 14,000 wrong parameters': () =>
    call('toolkit_validate_tool', {
      yaml: `${definition}parameters:\n${Object.keys(names(14_000))
        .map((name) => `  ${name}: 1\n`)
        .join('')}`,
    }),
  'validate: 20,000 placeholders': () =>
    call('toolkit_validate_tool', {
      yaml: definition.replace(
        'shop.example/',
        `shop.example/${Object.keys(names(20_000))
          .map((name) => `{${name}}`)
          .join('')}`,
      ),
    }),
  'validate: lists, 90,000 deep': () => call('toolkit_validate_tool', { yaml: nested(90_000) }),
  'a result with a line of 20 MiB': () => call('long_line', {}),
  'a result with 1,300,000 lines': () => call('long_lines', {}),
  'a result of 81,000 members': () => call('rows', {}),
  'a result of 1,000,000 members': () => call('more_rows', {}),
  'a result 400 deep': () => call('deep', {}),
  'a first search over 10,000 tools': () => call('toolkit_search_tools', { query: 'create an invoice' }),
  'a search for many beginnings': () =>
    call('toolkit_search_tools', { query: 'ord inv cus tic pag rep ref con get lis cre upd del com whi one '.repeat(8).slice(0, 500) }),
  'all tools listed': () => call('toolkit_list_tools', { limit: 1000 }),
  'prompts/get with 90,000 arguments': () => request('prompts/get', { name: 'nothing', arguments: names(90_000, 'x') }),
  'completion of a text of 3 MiB': () =>
    request('completion/complete', {
      ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' },
      argument: { name: 'name', value: 'x'.repeat(3 * mebibyte) },
    }),
  'a resource of 3 MiB': () => request('resources/read', { uri: `skill://${'a/'.repeat(1.5 * mebibyte)}` }),
  'a resource with 2,000 slashes': () => request('resources/read', { uri: `skill://${'a/'.repeat(1000)}` }),
  'a cursor of 3 MiB': () => request('tools/list', { cursor: 'A'.repeat(3 * mebibyte) }),
  'a progress token of 3 MiB': () =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'time_now', arguments: {}, _meta: { progressToken: 'x'.repeat(3 * mebibyte) } },
    }),
  '_meta with 90,000 members': () =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'time_now', arguments: {}, _meta: names(90_000) } }),
  'a method of 3 MiB': () => request('x'.repeat(3 * mebibyte), {}),
  "validate: '? ' 100 times": () => call('toolkit_validate_tool', { yaml: '? '.repeat(100) }),
};

const folder = await mkdtemp(path.join(os.tmpdir(), 'toolkit-freezing-'));
await writeFile(path.join(folder, 'toolkit.config.mjs'), config);
const program = path.resolve('dist/plugins/toolkit/main.js');
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_STATE_HOME: folder };
const server = spawn(process.execPath, [program, 'mcp', '--transport', 'http', '--port', '0', '--token', token], { cwd: folder, env });
let said = '';
const url = await new Promise<string>((resolve, reject) => {
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const found = /MCP server: (\S+)\n/.exec(said)?.[1];
    if (found !== undefined) resolve(found);
  });
  server.once('exit', () => reject(new Error(said)));
});

const headers: Record<string, string> = {
  authorization: `Bearer ${token}`,
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** A session for each message: two requests of one session may not have the same id. */
async function send(body: string): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'sender', version: '1.0.0' } };
  const opened = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  });
  await opened.text();
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const response = await fetch(url, { method: 'POST', headers: session, body });
  const text = await response.text();
  await (await fetch(url, { method: 'DELETE', headers: session })).text();
  return `${response.status} ${text.replace(/^event: message\n(id: .*\n)?data: /, '')}`;
}

const pinger = new Worker(path.resolve('test/bench/pinger.mjs'), { workerData: { url, token } });
await once(pinger, 'message');

async function longestPing(): Promise<number> {
  pinger.postMessage('how long');
  const [longestMs] = (await once(pinger, 'message')) as [number];
  return longestMs;
}

const wanted = process.argv[2] ?? '';
let tooLong = 0;
for (const [title, make] of Object.entries(inputs)) {
  if (!title.includes(wanted)) continue;
  const bodies = [make()].flat();
  await longestPing();
  const answers = await Promise.all(bodies.map(send));
  const longestMs = await longestPing();
  if (longestMs > goalMs) tooLong++;
  process.stdout.write(
    `${longestMs.toFixed(0).padStart(6)} ms  ${title}: ${answers[0]?.replace(/^(: keepalive|event: .*|id: .*)?\n/gm, '').slice(0, 150)}\n`,
  );
}
process.stdout.write(`${tooLong} over the goal of ${goalMs} ms\n`);

await pinger.terminate();
server.kill('SIGKILL');
await rm(folder, { recursive: true, force: true });
