import path from 'node:path';
import { writeAccepted } from '../../plugins/upstreams/accepted/accepted-in-lock.ts';
import { benchFolder, program } from './bench-folder.ts';
import { median, type Row, ratioRow } from './rows.ts';
import { StdioProcess } from './server-process.ts';

const rounds = 10;

const fixture = path.resolve('test/plugins/upstreams/servers/plain.mjs');

const plain = (...flags: readonly string[]) => ({ command: process.execPath, args: [fixture, ...flags], gate: 'none' });

const good = Object.fromEntries(['one', 'two', 'three', 'four', 'five', 'six'].map((name) => [name, plain()]));
const bad = {
  hangs: plain('mute', 'hang'),
  dies: plain('dies'),
  floods: plain('flood'),
  missing: { ...plain(), command: '/nowhere/server' },
};

const inputSchema = { type: 'object', additionalProperties: true };
const tools = ['echo', 'die', 'slow', 'who', 'change'].map((name) => ({ name, description: `The tool ${name}.`, inputSchema }));

interface Spent {
  readonly listedMs: number;
  readonly listedCpuMs: number;
  readonly calledMs: number;
}

/** Start to tools/list with ten MCP servers, of which one hangs, one dies at each call, one floods its output and one does not exist, to that with the six others. */
export async function tenServers(): Promise<Row[]> {
  const six = await projectOf(good);
  const ten = await projectOf({ ...good, ...bad });
  const spent = { six: [] as Spent[], ten: [] as Spent[] };
  for (let round = -1; round < rounds; round++)
    for (const [name, { cwd }] of [['six', six] as const, ['ten', ten] as const]) {
      const one = await start(cwd);
      if (round >= 0) spent[name].push(one);
    }
  await six.remove();
  await ten.remove();
  const row = (what: string, member: keyof Spent, most: number): Row => {
    const of = (name: 'six' | 'ten'): number => median(spent[name].map((one) => one[member]));
    return ratioRow(`${what}, ten MCP servers of which four are bad`, {
      bare: of('six'),
      toolkit: of('ten'),
      unit: 'ms',
      most,
      to: 'six good',
    });
  };
  return [
    row('time of a start to tools/list', 'listedMs', 1.15),
    row('processor time of that', 'listedCpuMs', 1.15),
    row('time of a call to each good one after it', 'calledMs', 1.15),
  ];
}

async function projectOf(servers: Readonly<Record<string, object>>): ReturnType<typeof benchFolder> {
  const plugins = [
    ['toolkit/standard', { includeCore: false }],
    ['toolkit/plugins/mcp', {}],
    ['toolkit/plugins/upstreams', { servers }],
  ];
  const folder = await benchFolder({ 'toolkit.config.yaml': `plugins: ${JSON.stringify(plugins)}\n` });
  const lists = { tools, resources: [], resourceTemplates: [], prompts: [], completes: false };
  for (const name of Object.keys(servers)) await writeAccepted(folder.cwd, name, lists);
  return folder;
}

async function start(cwd: string): Promise<Spent> {
  const begunAt = performance.now();
  const server = new StdioProcess({ args: [program, 'mcp'], cwd });
  await server.open();
  const { result } = await server.request('tools/list');
  const listedMs = performance.now() - begunAt;
  const listedCpuMs = server.cpuMs;
  const names = (result as { readonly tools: readonly { readonly name: string }[] }).tools.map(({ name }) => name);
  const missing = Object.keys(good).filter((name) => !names.includes(`${name}_echo`));
  if (missing.length > 0) throw new Error(`tools/list lacks the tools of ${missing.join(', ')}`);
  const calledAt = performance.now();
  await Promise.all(Object.keys(good).map((name) => server.call(`${name}_echo`, { text: 'hello' })));
  const calledMs = performance.now() - calledAt;
  await server.end();
  return { listedMs, listedCpuMs, calledMs };
}
