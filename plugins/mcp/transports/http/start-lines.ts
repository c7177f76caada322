import type { Writable } from 'node:stream';
import { createLogger, type Logger, logFormatOf } from '../../../../kernel/index.ts';

export interface ServerStart {
  readonly url: string;
  /** Generated token, if any. */
  readonly generatedToken?: string | undefined;
  /** Generated certificate, if any. */
  readonly certificateFile?: string | undefined;
}

/**
 * Prints the address and the generated token, whatever the log level and the mask, which would hide the token. With a JSON log the address
 * is a JSON record on standard error, and the token alone is one plain line on standard output.
 */
export function writeStart({ url, generatedToken, certificateFile }: ServerStart, logger: Logger, output: Writable): void {
  const token = generatedToken === undefined ? [] : [`Token:      ${generatedToken}\n`];
  const certificate = certificateFile === undefined ? [] : [`Certificate: ${certificateFile} (clients must be told to trust it)`];
  if (logFormatOf(logger) !== 'json') {
    process.stderr.write(`MCP server: ${url}\n${token.join('')}${certificate.map((line) => `${line}\n`).join('')}`);
    return;
  }
  const records = createLogger({ format: 'json', env: {} });
  records.info(`MCP server: ${url}`, { url });
  for (const line of certificate) records.info(line, { certificateFile });
  for (const line of token) output.write(line);
}
