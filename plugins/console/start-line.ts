import { createLogger, type Logger, logFormatOf } from '../../kernel/index.ts';
import { paths } from './paths.ts';

export interface StartLine {
  readonly baseUrl: string;
  /** A one-time code. Undefined where people log in at an OpenID provider, and while the store is away. */
  readonly code: string | undefined;
  /** File of the self-signed certificate of its own listener, if any. */
  readonly certificateFile?: string | undefined;
}

/**
 * Prints the address of the console and a code to standard error, whatever the log level. Not by the log, which would mask or store the code. With a JSON
 * log the address is a JSON record, and the code is one plain line.
 */
export function printStart({ baseUrl, code, certificateFile }: StartLine, logger: Logger): void {
  const url = `${baseUrl}${paths.shell}`;
  const shown = code === undefined ? '' : `Code: ${code} (once, within 10 minutes; "toolkit console login" prints another)`;
  if (logFormatOf(logger) !== 'json') {
    const certificate = certificateFile === undefined ? '' : `Certificate: ${certificateFile} (browsers must be told to trust it)\n`;
    process.stderr.write(`Console: ${url}${shown === '' ? '' : `  ${shown}`}\n${certificate}`);
    return;
  }
  createLogger({ format: 'json', env: {} }).info(`Console: ${url}`, { url, ...(certificateFile === undefined ? {} : { certificateFile }) });
  if (shown !== '') process.stderr.write(`${shown}\n`);
}
