import type { Command } from '../../../kernel/index.ts';

/** `toolkit calls move`: moves durable calls from a file to the store of the configuration. */
export const callsMoveCommand: Command = {
  name: 'calls move',
  description:
    'Move durable calls from a file of storeLibsql() to the store of the configuration, for several machines: what waits, runs or is asked, finished results, and the names of effects, so that nothing acts twice. End every process that uses the file first. The file is then closed for good, also for other configurations that use it; nothing else in it is moved. After a break, run it again: it continues.',
  arguments: [{ name: '<file>', description: 'the file that "path" of storeLibsql() names' }],
  flags: [{ flag: '--json', description: 'print JSON' }],
  examples: [
    { line: 'toolkit calls move state.db', does: 'with a configuration that lists storePostgres() and engineBullmq()' },
    { line: 'toolkit calls move ~/.local/state/toolkit/state.db', does: 'from the file that storeLibsql() has by default' },
  ],
  async run(invocation) {
    const { runMove } = await import('./run-move.ts');
    await runMove(invocation);
  },
};
