import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { benchFolder, program } from '../bench-folder.ts';
import { figureRow, median, type Row } from '../rows.ts';
import { StdioProcess } from '../server-process.ts';

const rounds = 10;
const callsPerRound = 20_000;
const inFlight = 32;

/** Most that a call may cost more, in microseconds. */
const most = { idle: 3, traced: 40 } as const;

/** One way to make calls. */
interface Way {
  /** Makes so many calls. Returns the processor time of one, in microseconds. */
  round(calls: number): Promise<number>;
  end(): Promise<void>;
}

type Ways = Readonly<Record<'without' | keyof typeof most, Way>>;

/**
 * Measures what `telemetry()` adds to the processor time of a call of a tool that does nothing: with nothing that listens, and with all traces sent in
 * batches to a collector that takes them. In the library, where a call has one SERVER span, and over stdio, where the server makes that span.
 */
export async function telemetry(): Promise<Row[]> {
  const collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  const rows = [
    ...(await compared('in the library', {
      without: await libraryWay([], {}),
      idle: await libraryWay(['telemetry'], {}),
      traced: await libraryWay(['telemetry'], env),
    })),
    ...(await compared('over stdio', {
      without: await stdioWay('', {}),
      idle: await stdioWay('  - toolkit/plugins/telemetry\n', {}),
      traced: await stdioWay('  - toolkit/plugins/telemetry\n', env),
    })),
  ];
  collector.close();
  return rows;
}

async function compared(where: string, ways: Ways): Promise<Row[]> {
  const names = Object.keys(ways) as (keyof Ways)[];
  for (const name of names) await ways[name].round(callsPerRound);
  const more = { idle: [] as number[], traced: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const spent = { without: 0, idle: 0, traced: 0 };
    for (const name of round % 2 === 0 ? names : [...names].reverse()) spent[name] = await ways[name].round(callsPerRound);
    more.idle.push(spent.idle - spent.without);
    more.traced.push(spent.traced - spent.without);
  }
  for (const name of names) await ways[name].end();
  return (['idle', 'traced'] as const).map((name) =>
    figureRow(`telemetry, ${name === 'idle' ? 'nothing listens' : 'all traces sent'}, ${where}, more processor time of a call`, {
      value: median(more[name]),
      unit: 'µs',
      most: most[name],
    }),
  );
}

/** Takes everything, in this process, whose time is not measured. */
async function startCollector(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function libraryWay(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Way> {
  const child = fork(path.join(import.meta.dirname, 'kernel-process.ts'), args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    execArgv: ['--import', 'tsx'],
  });
  await answerOf(child);
  return {
    async round(calls) {
      child.send(calls);
      return Number(await answerOf(child));
    },
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The next message of a child. Rejects when it ends instead. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The program ended with ${code}.`);
  });
  try {
    const [answer] = await Promise.race([once(child, 'message', { signal }), ended]);
    return answer;
  } finally {
    ended.catch(() => {});
    over.abort();
  }
}

async function stdioWay(plugin: string, env: Readonly<Record<string, string>>): Promise<Way> {
  const { cwd, remove } = await benchFolder({
    'toolkit.config.yaml': `plugins:\n  - toolkit/standard\n  - [toolkit/plugins/tool-files, { toolPaths: [tools] }]\n${plugin}`,
    'tools/noop.yaml':
      'name: noop\ndescription: Does nothing.\nrisk: low\nparameters: { n: { type: integer } }\nexecution: { type: function, code: "./noop.mjs#noop" }\n',
    'tools/noop.mjs': 'export const noop = () => null;\n',
  });
  const server = new StdioProcess({ args: [program, 'mcp'], cwd, env });
  await server.open();
  return {
    async round(calls) {
      const before = server.cpuMs;
      let left = calls;
      const one = async (): Promise<void> => {
        while (left-- > 0) await server.call('noop', { n: left });
      };
      await Promise.all(Array.from({ length: inFlight }, one));
      return ((server.cpuMs - before) * 1000) / calls;
    },
    async end() {
      await server.end();
      await remove();
    },
  };
}
