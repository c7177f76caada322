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

/** Measures what one server costs and carries, by its store, and three servers beside one. It has no budget: the figures are for planning. Needs PostgreSQL. */
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
    const one = { memory: start('memory'), libsql: start('libsql'), PostgreSQL: start('PostgreSQL') };
    const groups: Readonly<Record<string, readonly HttpProcess[]>> = {
      ...Object.fromEntries(Object.entries(one).map(([store, server]) => [store, [server]])),
      'three over PostgreSQL': [one.PostgreSQL, start('PostgreSQL'), start('PostgreSQL')],
    };
    const servers = [...new Set(Object.values(groups).flat())];
    for (const server of servers) await opened(server);
    const idle = Object.entries(one).map(([store, { residentMiB }]) => row(`${store}: idle memory`, `${shown(residentMiB)} MiB`));
    const figures = await inTurns(groups);
    const ofSession = await sessionRow(one.PostgreSQL, database.url.href);
    await Promise.all(servers.map((server) => server.end()));
    return [
      row('this machine', `${os.availableParallelism()} processors, load ${os.loadavg()[0]?.toFixed(1)}`),
      ...idle,
      ...figures,
      ofSession,
    ];
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

/**
 * All of them in each round, so that what else the machine does troubles all alike. Calls go to the servers of a group one after the other. The
 * client, and the database, take of the same processors.
 */
async function inTurns(groups: Readonly<Record<string, readonly HttpProcess[]>>): Promise<Row[]> {
  const cases = Object.entries(groups).flatMap(([group, servers]) =>
    Object.entries(tools).map(([what, tool]) => ({
      what: `${group}: ${what}`,
      servers,
      tool,
      rates: [] as number[],
      costs: [] as number[],
    })),
  );
  for (const { servers, tool } of cases) await callAll(servers, tool, warmUpCalls);
  for (let round = 0; round < rounds; round++)
    for (const { servers, tool, rates, costs } of cases) {
      const cpu = (): number => servers.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
      const [cpuBefore, startedAt] = [cpu(), performance.now()];
      await callAll(servers, tool, callsPerRound);
      rates.push((callsPerRound * 1000) / (performance.now() - startedAt));
      costs.push(((cpu() - cpuBefore) * 1000) / callsPerRound);
    }
  return cases.map(({ what, rates, costs }) => row(what, `${shown(median(rates))} /s, ${shown(median(costs))} µs each`));
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

function row(what: string, figure: string): Row {
  return { what, goal: '', figure, isKept: true };
}
