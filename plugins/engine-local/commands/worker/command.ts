import type { Command } from '../../../../kernel/index.ts';
import { providerNames } from '../../../shared/flags/tool-choice.ts';
import { toolNames } from '../../../shared/flags/tool-names.ts';
import { parseList, parseWhole } from '../../../shared/flags/values.ts';

/** Default time for running calls to end after a signal, in milliseconds. */
const drainMs = 10_000;

/** `toolkit worker`: a process that runs durable calls and serves no clients. */
export const workerCommand: Command = {
  name: 'worker',
  description:
    'Run durable calls that this and other processes have submitted, of all callers in turn, until a signal. It serves no clients, and also runs plugins that work by themselves, such as a schedule. On SIGTERM or Ctrl-C it takes no more calls, lets running ones end, and leaves the others to other workers. Needs an engine and a store in the configuration.',
  flags: [
    { flag: '--concurrency <number>', description: 'calls at the same time, from 1 to 1000', default: '4', parse: parseWhole(1, 1000) },
    {
      flag: '--tools <names>',
      description: 'comma-separated tools whose calls it runs; * stands for any characters (default: all)',
      parse: parseList,
      complete: toolNames,
    },
    {
      flag: '--providers <names>',
      description: 'comma-separated providers whose tools those are; * stands for any characters (default: all, and tools without one)',
      parse: parseList,
      complete: providerNames,
    },
    {
      flag: '--drain-ms <number>',
      description: 'milliseconds for running calls to end after it was told to stop',
      default: String(drainMs),
      parse: parseWhole(0, 2 ** 31 - 1),
    },
    {
      flag: '--health-port <number>',
      description: 'port on which it answers GET /live and GET /ready, without a token; 0 takes a free one (default: none)',
      parse: parseWhole(0, 65_535),
    },
    {
      flag: '--health-host <address>',
      description: 'address of that port; 0.0.0.0 where probes come from another machine',
      default: '127.0.0.1',
    },
  ],
  topics: ['tools'],
  examples: [
    { line: 'toolkit worker --concurrency 8', does: 'calls of all tools, eight at the same time' },
    { line: 'toolkit worker --health-port 3001', does: 'and answers probes: GET /live, GET /ready' },
    { line: "toolkit worker --tools 'report_*' --drain-ms 600000", does: 'only reports, which may take ten minutes' },
  ],
  async run(invocation) {
    const { runWorker } = await import('./run-worker.ts');
    await runWorker(invocation);
  },
};
