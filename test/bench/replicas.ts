import os from 'node:os';
import pg from 'pg';
import { startOwnServer } from '../suites/postgres/own-server.ts';
import { benchFolder, program, token } from './bench-folder.ts';
import { median, type Row, shown } from './rows.ts';
import { HttpProcess } from './server-process.ts';
import { listening } from './toolkit-over-http.ts';

const rounds = 5;
const warmUpCalls = 1000;
const callsPerRound = 2000;
const inFlight = 32;
const sessions = 200;

/** Nothing asks a store but the second one: each of its calls counts there. */
const tools = { 'a call that asks no store': 'plain_hash', 'a call that counts in the store (rate_limit)': 'limited_hash' } as const;

const toolText = (name: string, more = ''): string =>
  `name: ${name}\ndescription: Hashes a text.\nparameters: { text: { type: string, required: true } }\nexecution: { type: function, code: ../hash.mjs }\n${more}`;

const files = {
  'hash.mjs': `import { createHash } from 'node:crypto';\nexport default ({ text }) => createHash('sha256').update(text).digest('hex');\n`,
  'tools/plain_hash.yaml': toolText('plain_hash'),
  'tools/limited_hash.yaml': toolText('limited_hash', 'rate_limit: { requests: 1000000, per_ms: 60000 }\n'),
};

const configOf = (store: string): string => `plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: true }]\n${store}`;

const stores = {
  memory: configOf(''),
  libsql: configOf('  - [toolkit/plugins/store-libsql, { path: state.db }]\n'),
  PostgreSQL: configOf('  - toolkit/plugins/store-postgres\n'),
} as const;

/** What one server costs and carries, by its store, and three of them against one. No budget: figures for who plans. Needs PostgreSQL. */
export async function replicas(): Promise<Row[]> {
  const database = await startOwnServer();
  const { cwd, remove } = await benchFolder({ ...files, ...configFiles() });
  const start = (store: keyof typeof stores): HttpProcess =>
    new HttpProcess(
      {
        args: [program, 'mcp', '--transport', 'http', '--port', '0', '--config', `${store}.yaml`],
        cwd,
        env: { TOOLKIT_MCP_TOKEN: token, TOOLKIT_KEY: 'a key of thirty-two bytes or more', TOOLKIT_STORE_URL: database.url.href },
      },
      listening,
    );
  try {
    const rows: Row[] = [row('this machine', `${os.availableParallelism()} processors, load ${os.loadavg()[0]?.toFixed(1)}`)];
    for (const store of Object.keys(stores) as (keyof typeof stores)[]) {
      const server = start(store);
      await opened(server);
      rows.push(row(`${store}: idle memory`, `${shown(server.residentMiB)} MiB`));
      for (const [what, tool] of Object.entries(tools)) rows.push(row(`${store}: ${what}`, figures(await measure([server], tool))));
      if (store === 'PostgreSQL') rows.push(await sessionRow(server, database.url.href));
      await server.end();
    }
    const three = [start('PostgreSQL'), start('PostgreSQL'), start('PostgreSQL')];
    for (const server of three) await opened(server);
    for (const [what, tool] of Object.entries(tools)) rows.push(row(`three over PostgreSQL: ${what}`, figures(await measure(three, tool))));
    await Promise.all(three.map((server) => server.end()));
    return rows;
  } finally {
    await remove();
    await database.stop();
  }
}

function configFiles(): Record<string, string> {
  return Object.fromEntries(Object.entries(stores).map(([name, text]) => [`${name}.yaml`, text]));
}

async function opened(server: HttpProcess): Promise<void> {
  await server.open();
  await server.request('tools/list');
}

interface Measured {
  readonly perSecond: number;
  /** Processor time of the servers for one call, in microseconds. */
  readonly cpuUs: number;
}

/** Calls go to one after the other. The client, and the database, take of the same processors. */
async function measure(servers: readonly HttpProcess[], tool: string): Promise<Measured> {
  await callAll(servers, tool, warmUpCalls);
  const [rates, costs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const cpu = (): number => servers.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
    const [cpuBefore, startedAt] = [cpu(), performance.now()];
    await callAll(servers, tool, callsPerRound);
    rates.push((callsPerRound * 1000) / (performance.now() - startedAt));
    costs.push(((cpu() - cpuBefore) * 1000) / callsPerRound);
  }
  return { perSecond: median(rates), cpuUs: median(costs) };
}

async function callAll(servers: readonly HttpProcess[], tool: string, count: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) await servers[left % servers.length]?.call(tool, { text: `hello ${left}` });
  };
  await Promise.all(Array.from({ length: inFlight }, one));
}

async function sessionRow(server: HttpProcess, url: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = async (): Promise<{ entries: number; bytes: number }> => {
    const { rows } = await client.query(
      `select count(*)::int as entries, coalesce(sum(length(key) + length(value)), 0)::int as bytes from toolkit_entries where key like 'mcp/session/%'`,
    );
    return rows[0] as { entries: number; bytes: number };
  };
  const before = await count();
  for (let number = 0; number < sessions; number++) await server.openAnother();
  const after = await count();
  await client.end();
  const each = (what: 'entries' | 'bytes'): string => shown((after[what] - before[what]) / sessions);
  return row(`PostgreSQL: what a session keeps there, of ${sessions}`, `${each('entries')} entries, ${each('bytes')} bytes`);
}

function figures({ perSecond, cpuUs }: Measured): string {
  return `${shown(perSecond)} /s, ${shown(cpuUs)} µs each`;
}

function row(what: string, figure: string): Row {
  return { what, goal: '', figure, isKept: true };
}
