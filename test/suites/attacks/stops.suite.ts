import { expect } from 'chai';
import { start, until } from '../../e2e/program.ts';
import { project } from '../../e2e/project.ts';

const drainMs = 100;

const stuck = `${'a'.repeat(60)}!`;
const list = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => item(index));
const names = (count: number, prefix: string): object => Object.fromEntries(list(count, (index) => [`${prefix}${index}`, index]));
const lines = (mark: string): string => list(60_000, (index) => `${mark}${index}`).join('\n');

/** Calls that take longest, by the tool. */
const bombs: Readonly<Record<string, object>> = {
  text_regex_match: { text: stuck, pattern: '^(a+)+$' },
  text_split: { text: stuck, separator: '^(a*)*$', regex: true },
  json_validate: { data: stuck, schema: { pattern: '^(a|a)*$' } },
  json_query: { data: [stuck], query: "$..[?match(@, '(a|a)*b')]" },
  math_evaluate: { expression: 'inv(random([2000, 2000]))' },
  text_diff: { left: lines('a'), right: lines('b'), granularity: 'char' },
  text_render_template: { template: `${'{{#n}}'.repeat(20)}${'{{/n}}'.repeat(20)}`, data: { n: list(100, (index) => index + 1) } },
  convert_yaml_to_json: { text: '? '.repeat(20_000) },
  json_merge: { documents: [names(40_000, 'a'), names(40_000, 'b')] },
  json_flatten: { data: names(90_000, 'n') },
};

const message = (id: number, method: string, params: unknown = {}) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const opening = message(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
});

/** Starts a server, has it begin these messages, and ends it by SIGTERM. Returns what that took, in milliseconds. */
async function timeToEnd(messages: string): Promise<number> {
  const config = `plugins: [toolkit/standard, [toolkit/plugins/mcp, { drainMs: ${drainMs} }]]\n`;
  const server = start(['mcp'], { cwd: await project({ 'toolkit.config.yaml': config }) });
  server.child.stdin?.write(opening + messages + message(3, 'ping'));
  // It has read what came before, and answers others beside it.
  await until(async () => (server.stdout().includes('"id":3') ? true : undefined));
  const startedAt = performance.now();
  server.child.kill('SIGTERM');
  expect(await server.exit).to.deep.equal({ code: 0, signal: null });
  return Math.round(performance.now() - startedAt);
}

describe('SIGTERM ends a server', () => {
  let idleMs: number;

  before(async () => {
    idleMs = await timeToEnd('');
  });

  for (const [name, parameters] of Object.entries(bombs))
    it(`that works on ${name}`, async () => {
      const busyMs = await timeToEnd(message(2, 'tools/call', { name, arguments: parameters }));
      process.stdout.write(`      ended after ${busyMs} ms, without the call after ${idleMs} ms\n`);
    });
});
