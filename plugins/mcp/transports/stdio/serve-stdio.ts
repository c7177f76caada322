import type { Writable } from 'node:stream';
import { type Kernel, messageOf } from '../../../../kernel/index.ts';
import { reserveStdout } from '../../../shared/process/reserve-stdout.ts';
import type { ProtocolOptions } from '../../protocol/connection.ts';
import { EitherConnection } from '../../protocol/either-connection.ts';
import { messageText } from '../../protocol/message-text.ts';
import type { Message } from '../../protocol/messages.ts';
import type { Wire } from '../../protocol/wire.ts';
import { Outbox } from '../outbox.ts';
import { LineGate } from './line-gate.ts';
import { readLine } from './read-line.ts';

/** Messages that are taken before others get their turn: the answers to all of them may be there at once. */
const maxInTurn = 32;

/** Serves one client on standard input and output. Where the host has not reserved standard output, it is reserved here. */
export async function serveStdio(
  options: ProtocolOptions,
  reserved: Writable | undefined,
): Promise<{ ended: Promise<void>; stop(): Promise<void> }> {
  const output = reserved === undefined ? reserveStdout() : { stream: reserved, release: () => {} };
  const wire = new StdoutWire(output.stream, options.catalog.kernel);
  const connection = new EitherConnection(options, { caller: 'default', tenant: 'default' }, wire);
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // The client no longer reads.
    output.stream.once('error', () => resolve());
  });
  const gate = new LineGate((refusal) => wire.send(refusal as Message));
  const { logger } = options.catalog.kernel;
  let taken = 0;
  gate.on('data', (line: Buffer) => {
    if (taken === 0) setImmediate(() => (taken = 0));
    taken++;
    try {
      const read = readLine(line.toString('utf8'));
      if (read.message !== undefined) connection.receive(read.message);
      if (read.problem !== undefined) logger.debug('a line of the client is no message', { problem: read.problem });
      if (read.refusal !== undefined) wire.send(read.refusal as Message);
    } catch (error) {
      logger.debug('a message of the client was not taken', { error: messageOf(error) });
    }
    if (taken < maxInTurn) return;
    gate.pause();
    setImmediate(() => gate.resume());
  });
  process.stdin.pipe(gate);
  return {
    ended,
    async stop() {
      await connection.close();
      await wire.close();
      process.stdin.unpipe(gate).pause();
      output.release();
    },
  };
}

/** Writes all messages of one turn of the event loop at once, because each write is a system call that wakes the client. */
class StdoutWire implements Wire {
  readonly #lines: Outbox<string>;

  constructor(output: Writable, kernel: Kernel) {
    this.#lines = new Outbox({
      kernel,
      atEndOfTurn: (send) => process.nextTick(send),
      send: (lines) => void output.write(lines.join('')),
    });
  }

  send(message: Message): void {
    this.#lines.add(`${messageText(message)}\n`);
  }

  /** Writes what has not left yet. */
  async close(): Promise<void> {
    await this.#lines.empty();
  }
}
