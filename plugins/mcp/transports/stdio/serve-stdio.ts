import type { Writable } from 'node:stream';
import { type Kernel, messageOf, textExcess } from '../../../../kernel/index.ts';
import { LineGate } from '../../../shared/lines/line-gate.ts';
import { takeLines } from '../../../shared/lines/take-lines.ts';
import { reserveStdout } from '../../../shared/process/reserve-stdout.ts';
import type { ProtocolOptions } from '../../protocol/connection.ts';
import { EitherConnection } from '../../protocol/either-connection.ts';
import { messageText } from '../../protocol/message-text.ts';
import type { Message } from '../../protocol/messages.ts';
import type { Wire } from '../../protocol/wire.ts';
import { Outbox } from '../outbox.ts';
import { readLine, refusalOf } from './read-line.ts';

/** Longest line that is taken, in bytes: less than the SDK's transport takes, which ends the connection behind its limit. */
const maxLineBytes = 8 * 1024 * 1024;

/** Serves one client on standard input and output. Where the host has not reserved standard output, it is reserved here. */
export async function serveStdio(
  options: ProtocolOptions,
  reserved: Writable | undefined,
): Promise<{ ended: Promise<void>; answered(limitMs: number): Promise<void>; stop(): Promise<void> }> {
  const output = reserved === undefined ? reserveStdout() : { stream: reserved, release: () => {} };
  const wire = new StdoutWire(output.stream, options.catalog.kernel);
  const connection = new EitherConnection(options, { caller: 'default', tenant: 'default' }, wire);
  const gate = new LineGate({
    maxBytes: maxLineBytes,
    excessOf: textExcess,
    refuse: (refused) => wire.send(refusalOf(refused) as Message),
  });
  const { logger } = options.catalog.kernel;
  const ended = new Promise<void>((resolve) => {
    // The last line was taken: standard input itself ends before.
    gate.once('end', () => {
      connection.refuseQuestions();
      resolve();
    });
    process.stdin.once('close', () => {
      if (!process.stdin.readableEnded) resolve();
    });
    // The client no longer reads.
    output.stream.once('error', () => resolve());
  });
  const release = takeLines(process.stdin, gate, (line) => {
    try {
      const read = readLine(line);
      if (read.message !== undefined) connection.receive(read.message);
      if (read.problem !== undefined) logger.debug('a line of the client is no message', { problem: read.problem });
      if (read.refusal !== undefined) wire.send(read.refusal as Message);
    } catch (error) {
      logger.debug('a message of the client was not taken', { error: messageOf(error) });
    }
    return undefined;
  });
  return {
    ended,
    answered: (limitMs) => connection.drain(limitMs),
    async stop() {
      await connection.close();
      await wire.close();
      release();
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
