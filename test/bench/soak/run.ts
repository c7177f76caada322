/**
 * Many clients, for a long time, with everything that happens to a server: `npm run bench soak`. Prints figures and ends with 1 when a limit is
 * broken. The order of what each client does comes from the seed; what meets what does not.
 */
import { rm } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Random } from '../../support/random.ts';
import { openClients } from './clients.ts';
import { Disturbance } from './disturbance.ts';
import { makeFolder, type SoakFolder } from './folder.ts';
import { type Client, load, Plan } from './load.ts';
import { type SoakOptions, soakOptions } from './options.ts';
import { descendantsOf, keyOf, leftOver } from './processes.ts';
import { type Figures, quietMoment } from './quiet-moment.ts';
import { callsTable, figuresTable, momentLine, unexpectedList } from './report.ts';
import { SoakServer } from './server.ts';
import { startServices } from './services.ts';
import { Tally } from './tally.ts';
import { broken } from './verdict.ts';

/** How long processes may take to be gone after the server, in milliseconds. */
const goneMs = 5000;

/** Niceness of the clients: 0 is usual, 19 the lowest priority. */
const clientNiceness = 10;

const say = (text: string): void => void process.stdout.write(text);

/** How long the clients work before each quiet moment, in milliseconds: first the warm-up, then a minute each, of short runs a part. */
function spans(minutes: number): readonly number[] {
  const all = minutes * 60_000;
  // The first minutes compile code, which stays in the heap.
  const warmUp = minutes >= 10 ? all / 3 : all / 5;
  const count = Math.max(1, Math.min(4, Math.floor((all - warmUp) / 20_000)), Math.floor((all - warmUp) / 60_000));
  return [warmUp, ...Array.from({ length: count }, () => (all - warmUp) / count)];
}

async function soak(options: SoakOptions): Promise<readonly string[]> {
  const { minutes, clients: count, seed, limitsDelay } = options;
  // What runs this file has children as well.
  const own = new Set(descendantsOf(process.pid).map(keyOf));
  const services = await startServices();
  const folder = await makeFolder(services);
  const server = await SoakServer.start(folder.place, folder.httpConfig);
  // Clients have machines of their own elsewhere: here they leave the processors to the server.
  os.setPriority(clientNiceness);
  say(`${count} clients for ${minutes} minutes, seed ${seed}\n`);
  const tally = new Tally();
  const disturbance = new Disturbance(folder.tools, new Random(seed), own);
  let clients: readonly Client[] = [];
  try {
    clients = await openClients({ count, seed, port: server.port, folder, tally });
    const startedAt = performance.now();
    const start = await quietMoment(server, clients, { atMs: 0, isCompared: false, renewsAll: true });
    say(momentLine(start));
    const moments: Figures[] = [];
    const all = spans(minutes);
    const plan = new Plan();
    for (const [number, ms] of all.entries()) {
      await work(ms, server, clients, plan, tally, disturbance);
      const moment = await quietMoment(server, clients, {
        atMs: performance.now() - startedAt,
        isCompared: true,
        renewsAll: number === 0 || number === all.length - 1,
      });
      moments.push(moment);
      say(momentLine(moment));
    }
    const { exitCode, orphans } = await end(server, clients, disturbance, folder);
    for (const line of server.alarms) tally.fail('the log of the server', '', 'said', '', line);
    say(`\n${figuresTable(start, moments)}\n${callsTable(tally)}${deedsLine(disturbance)}\n${unexpectedList(tally)}`);
    const unexpected = tally.unexpected.reduce((sum, one) => sum + one.count, 0);
    return broken({ moments, unexpected, orphans, exitCode, limitsDelay });
  } finally {
    await server.stop();
    services.close();
    await rm(folder.place, { recursive: true, force: true });
  }
}

async function work(
  ms: number,
  server: SoakServer,
  clients: readonly Client[],
  plan: Plan,
  tally: Tally,
  disturbance: Disturbance,
): Promise<void> {
  await server.work();
  const [calls, peace] = [new AbortController(), new AbortController()];
  const disturbing = disturbance.goOn(peace.signal);
  const loading = load(clients, plan, tally, disturbance, calls.signal);
  await wait(ms);
  calls.abort();
  await loading;
  peace.abort();
  await disturbing;
}

/** Stops the server in the middle of calls. */
async function end(
  server: SoakServer,
  clients: readonly Client[],
  disturbance: Disturbance,
  { place }: SoakFolder,
): Promise<{ exitCode: number | undefined; orphans: readonly string[] }> {
  const unfinished = [
    { name: 'soak_command_slow', arguments: { seconds: 300 } },
    { name: 'soak_python_hanging', arguments: {} },
    { name: 'soak_thread_hanging', arguments: {} },
    { name: 'soak_get_slow', arguments: { ms: 30_000 } },
  ];
  const overHttp = clients.filter(({ caller }) => caller.transport === 'http');
  const calls = unfinished.map((call, index) => overHttp[index % overHttp.length]?.caller.request('tools/call', call));
  for (const { caller } of clients) caller.mute();
  await wait(500);
  disturbance.look();
  const exitCode = await server.stop();
  await Promise.all(calls);
  await Promise.all(clients.filter(({ caller }) => caller.transport === 'stdio').map(({ caller }) => caller.close()));
  const find = () => leftOver(disturbance.seen.values(), place);
  for (const until = performance.now() + goneMs; find().length > 0 && performance.now() < until; ) await wait(100);
  const left = find();
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return { exitCode, orphans: left.map(({ pid, command }) => `${pid} ${command.slice(0, 100)}`) };
}

const deedsLine = ({ deeds }: Disturbance): string => `${[...deeds].map(([name, count]) => `${count} × ${name}`).join(', ')}\n`;

const failures = await soak(soakOptions(process.argv.slice(2))).catch((error: unknown) => [`The run broke off: ${inspect(error)}`]);
say(failures.length === 0 ? 'All limits hold.\n' : `FAILED\n${failures.map((failure) => `- ${failure}\n`).join('')}`);
// A run that broke off leaves connections; without them the servers end.
process.exit(failures.length === 0 ? 0 : 1);
