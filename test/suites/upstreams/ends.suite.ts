import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import type { Kernel } from '../../../kernel/index.ts';
import type { UpstreamServer } from '../../../plugins/upstreams/index.ts';
import { descendantsOf, descriptorsOf } from '../../bench/soak/processes.ts';
import { kernelWith, serverFile, stdioServer } from '../../plugins/upstreams/kernel-with.ts';
import { httpServer } from '../../plugins/upstreams/servers/over-http.ts';
import { inRound } from '../../support/round.ts';
import { until } from '../../support/until.ts';

const open = { pin: 'first-use', gate: 'none' } as const satisfies UpstreamServer;

const plain = (...flags: readonly string[]): UpstreamServer => ({
  ...open,
  command: process.execPath,
  args: [serverFile('plain'), ...flags],
});

const script = (text: string): UpstreamServer => ({ ...open, command: process.execPath, args: ['-e', text] });

const call = (kernel: Kernel, tool: string, parameters = {}): Promise<unknown> =>
  kernel.call({ tool, parameters, caller: 'ada' }).catch((error: unknown) => error);

/** The processes of the server `bad`, which has the mark in its command. */
const processesOf = (mark: string) => descendantsOf(process.pid).filter(({ command }) => command.includes(mark));

interface Ending {
  readonly title: string;
  readonly whole: number;
  readonly bad: UpstreamServer;
  round(kernel: Kernel): Promise<unknown>;
}

const connectAgain = (kernel: Kernel): Promise<unknown> => kernel.sources.relist('bad').catch(() => {});

/** Kills the server, and waits until it is reaped: before that a call may be written to it. */
async function kill(mark: string): Promise<void> {
  const pids = processesOf(mark).map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until(() => !pids.some((pid) => existsSync(`/proc/${pid}`)) || undefined);
}

const killBetweenCalls = async (kernel: Kernel): Promise<void> => {
  expect(await call(kernel, 'bad_echo', { text: 'hello' })).to.have.nested.property('output', 'hello');
  await kill('mark-killed');
};

const killInACall = async (kernel: Kernel): Promise<void> => {
  let isEnded = false;
  const ended = call(kernel, 'bad_slow').then(() => {
    isEnded = true;
  });
  // A kill before the call is sent starts the server again.
  await until(() => {
    for (const { pid } of processesOf('mark-slow')) process.kill(pid, 'SIGKILL');
    return isEnded || undefined;
  });
  await ended;
};

/** A thousand in all. */
const endings: readonly Ending[] = [
  { title: 'it ends itself in a call', whole: 250, bad: plain(), round: (kernel) => call(kernel, 'bad_die') },
  { title: 'it is killed between two calls', whole: 150, bad: plain('mark-killed'), round: killBetweenCalls },
  { title: 'it is killed in a call, with a process that it started', whole: 100, bad: plain('mark-slow', 'child'), round: killInACall },
  { title: 'it ends before it answers', whole: 100, bad: script('process.exit(1)'), round: connectAgain },
  {
    title: 'it answers the handshake with what is no answer',
    whole: 100,
    bad: script(`console.log('{"jsonrpc":"2.0","id":0,"result":"x"}\\n{"jsonrpc":"2.0","id":1,"result":[]}'); process.exit(0)`),
    round: connectAgain,
  },
  { title: 'it does not answer the handshake', whole: 50, bad: { ...plain('mute', 'deaf'), startTimeoutMs: 50 }, round: connectAgain },
  { title: 'it does not exist', whole: 50, bad: { ...open, command: '/nowhere/server' }, round: connectAgain },
  {
    title: 'its lists change a hundred times',
    whole: 100,
    bad: plain(),
    round: (kernel) => call(kernel, 'bad_change', { tool: 'slow', members: { description: 'The tool slow.' }, times: 100 }),
  },
  {
    title: 'the definitions are read again',
    whole: 100,
    bad: plain(),
    round: async (kernel) => {
      await call(kernel, 'bad_die');
      await kernel.reload();
    },
  },
];

/** Runs the rounds, and expects that nothing is left of them. */
async function expectNothingLeft(kernel: Kernel, rounds: number, round: () => Promise<unknown>): Promise<void> {
  const before = { processes: descendantsOf(process.pid).length, descriptors: descriptorsOf(process.pid) };
  for (let number = 0; number < rounds; number++) await round();
  await until(() => descendantsOf(process.pid).length <= before.processes || undefined);
  await until(() => descriptorsOf(process.pid) <= before.descriptors || undefined);
  expect((await kernel.call({ tool: 'good_echo', parameters: { text: 'still here' }, caller: 'ada' })).output).to.equal('still here');
  await kernel.close();
}

describe('a server whose connection ends again and again leaves no process and no descriptor', function () {
  this.timeout(900_000);

  for (const { title, whole, bad, round } of endings)
    it(`when ${title}`, async () => {
      const kernel = await kernelWith({ good: stdioServer('plain'), bad });
      // The watchdog and the libraries are there after a first round.
      await round(kernel);
      await expectNothingLeft(kernel, inRound({ whole, short: Math.ceil(whole / 25) }), () => round(kernel));
      await until(() => processesOf('plain.mjs').length === 0 || undefined);
    });

  it("when it is npm's server-everything", async () => {
    const everything = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    const bad = { ...open, command: process.execPath, args: [everything, 'stdio'] };
    const kernel = await kernelWith({ good: stdioServer('plain'), bad });
    const round = async (): Promise<void> => {
      expect(await call(kernel, 'bad_echo', { message: 'hello' })).to.have.nested.property('output', 'Echo: hello');
      await kill('server-everything');
    };
    await round();
    await expectNothingLeft(kernel, inRound({ whole: 20, short: 3 }), round);
  });

  for (const kind of ['legacy', 'modern'] as const)
    it(`when it is one over HTTP that drops its connections and sessions (${kind})`, async () => {
      const { url, forget, drop } = await httpServer(kind);
      const kernel = await kernelWith({ good: stdioServer('plain'), bad: { ...open, url } });
      const round = async (): Promise<void> => {
        await call(kernel, 'bad_echo', { text: 'hello' });
        forget();
        drop();
      };
      await round();
      await expectNothingLeft(kernel, inRound({ whole: 500, short: 20 }), round);
    });
});
