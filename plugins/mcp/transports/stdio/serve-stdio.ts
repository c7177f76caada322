import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { messageOf, textExcess } from '../../../../kernel/index.ts';
import { LineGate } from '../../../shared/json-rpc/line-gate.ts';
import { isRequest, type Message, type RequestId } from '../../../shared/json-rpc/message.ts';
import { maxLinesPerTick, readLines } from '../../../shared/json-rpc/read-lines.ts';
import { reserveStdout } from '../../../shared/process/reserve-stdout.ts';
import { batchProblem, batchRefusals, sortBatch } from '../../protocol/batch.ts';
import type { ProtocolOptions } from '../../protocol/clients/connection.ts';
import { EitherClient } from '../../protocol/clients/either-client.ts';
import { readLine, refusalOf } from './read-line.ts';
import { StdoutWire } from './stdout-wire.ts';

/** Maximum length of a line in bytes: below the limit of the SDK's transport, which ends the connection above it. */
const maxLineBytes = 8 * 1024 * 1024;

/** Serves one client on standard input and output. Reserves standard output unless the host has done so. */
export async function serveStdio(
  options: ProtocolOptions,
  reserved: Writable | undefined,
): Promise<{ ended: Promise<void>; answered(limitMs: number): Promise<void>; stop(): Promise<void> }> {
  const output = reserved === undefined ? reserveStdout() : { stream: reserved, release: () => {} };
  const wire = new StdoutWire(output.stream, options.catalog.kernel);
  const connection = new EitherClient(options, { caller: 'default', tenant: 'default' }, wire);
  const gate = new LineGate({
    maxBytes: maxLineBytes,
    excessOf: textExcess,
    refuse: (refused) => wire.send(refusalOf(refused) as Message),
  });
  const { logger } = options.catalog.kernel;
  const ended = new Promise<void>((resolve) => {
    // The last line has been handled here; standard input itself ends earlier.
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
  const receive = (message: Message): void => {
    connection.receive(message);
    if ('method' in message && message.method === 'notifications/cancelled') wire.drop(message.params?.['requestId'] as RequestId);
  };
  /** Yields to the event loop between messages, as between lines. */
  const receiveBatch = async (batch: readonly unknown[]): Promise<void> => {
    const problem = batchProblem(batch, connection.version);
    if (problem !== undefined) {
      for (const refusal of batchRefusals(batch, problem)) wire.send(refusal);
      return;
    }
    const { messages, refusals } = sortBatch(batch, (id) => connection.isRunning(id));
    wire.beginBatch(
      messages.filter(isRequest).map(({ id }) => id),
      refusals,
    );
    for (const [index, message] of messages.entries()) {
      if (index > 0 && index % maxLinesPerTick === 0) await setImmediate();
      receive(message);
    }
  };
  const release = readLines(process.stdin, gate, (line) => {
    try {
      const read = readLine(line);
      if (read.message !== undefined) receive(read.message);
      if (read.batch !== undefined) return receiveBatch(read.batch);
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
