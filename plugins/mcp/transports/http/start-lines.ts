import type { Writable } from 'node:stream';
import { createLogger, type Logger, logFormatOf } from '../../../../kernel/index.ts';

export interface ServerStart {
  readonly url: string;
  /** The token that was made up. */
  readonly generatedToken?: string | undefined;
  /** The certificate that was made here. */
  readonly certificateFile?: string | undefined;
}

/**
 * Tells the person who started a server where it is and what opens it, past the level of the log and past the mask, which would hide the token. Where
 * the log is JSON, on standard error as well, and the token alone is one plain line on standard output.
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
