import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { messageOf, textExcess } from '../../../../kernel/index.ts';
import { LineGate, maxLinesPerTick, type RefusedLine, readLines, refusedLineError } from '../../../shared/json-rpc/lines.ts';
import {
  errorCodes,
  errorResponseId,
  isRequest,
  isUnanswered,
  type Message,
  messageProblem,
  readMessage,
} from '../../../shared/json-rpc/message.ts';
import { reserveStdout } from '../../../shared/process/reserve-stdout.ts';
import { batchProblem, batchRefusals, sortBatch } from '../../protocol/batch.ts';
import { cancelledBy } from '../../protocol/clients/cancellation.ts';
import type { ProtocolOptions } from '../../protocol/clients/connection.ts';
import { EitherClient } from '../../protocol/clients/either-client.ts';
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
    const cancelled = isRequest(message) ? undefined : cancelledBy(message);
    if (cancelled !== undefined) wire.drop(cancelled);
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

/** Response to a line that holds no valid message. */
export interface LineRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** A parsed line of a client: its message, or why it is invalid and the response to it. Undefined for a blank line. */
export interface ReadLine {
  readonly message?: Message;
  /** A batch, in place of a message. */
  readonly batch?: readonly unknown[];
  readonly problem?: string;
  readonly refusal?: LineRefusal;
}

/** Returns the response to a line that was not read. */
export function refusalOf(refused: RefusedLine): LineRefusal {
  return { jsonrpc: '2.0', ...refusedLineError(refused) };
}

export function readLine(text: string): ReadLine {
  if (text.trim() === '') return {};
  let message: unknown;
  try {
    message = readMessage(text);
  } catch (error) {
    return { problem: messageOf(error), refusal: refusal(null, errorCodes.parse, 'The line is not valid JSON in UTF-8.') };
  }
  if (Array.isArray(message)) return { batch: message };
  const problem = messageProblem(message);
  if (problem === undefined) return { message: message as Message };
  if (isUnanswered(message)) return { problem };
  return {
    problem,
    refusal: refusal(errorResponseId(message), errorCodes.invalidRequest, `The line is not a JSON-RPC 2.0 message: ${problem}.`),
  };
}

function refusal(id: string | number | null, code: number, message: string): LineRefusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
