import { type ErrorCode, excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';
import { fileError } from '../fs/files/file-error.ts';

interface BadArchiveOptions {
  /** Path of the entry in the archive. */
  readonly entry?: string;
  /** Error code. @default 'EXECUTION_FAILED' */
  readonly code?: ErrorCode;
}

/** Reason why an archive cannot be used: the end of a sentence, and advice. */
export class BadArchive extends Error {
  readonly entry: string | undefined;
  readonly code: ErrorCode;

  constructor(message: string, { entry, code = 'EXECUTION_FAILED' }: BadArchiveOptions = {}) {
    super(message);
    this.entry = entry;
    this.code = code;
  }
}

/** Plain messages for errors of zlib: data that ends too early, and invalid data. */
const zlibProblems: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'it ends in the middle of compressed data. Get the whole file again',
  Z_DATA_ERROR: 'its compressed data is damaged. Get the file again',
};

/** Converts an error while reading an archive for the caller of a tool. A ToolkitError passes unchanged. */
export function archiveError(error: unknown, action: 'extract' | 'list', file: string): ToolkitError {
  if (ToolkitError.is(error)) return error;
  if (error instanceof BadArchive) return archiveFailure(error, error.message, error.code, { action, file, entry: error.entry });
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall !== undefined)
    return fileError(error, action === 'extract' ? 'write' : 'read', (error as NodeJS.ErrnoException).path ?? file);
  const problem = zlibProblems[code] ?? `it is damaged, or no archive of this kind: ${excerpt(messageOf(error), 150).replace(/\.$/, '')}`;
  return archiveFailure(error, problem, 'EXECUTION_FAILED', { action, file, entry: undefined });
}

interface ArchiveAction {
  readonly action: 'extract' | 'list';
  readonly file: string;
  readonly entry: string | undefined;
}

function archiveFailure(cause: unknown, problem: string, code: ErrorCode, { action, file, entry }: ArchiveAction): ToolkitError {
  const where = entry === undefined ? '' : `entry "${excerpt(entry, 150)}" `;
  const end = action === 'extract' ? ' Nothing was extracted.' : '';
  const details = { file, ...(entry === undefined ? {} : { entry: excerpt(entry) }) };
  return new ToolkitError(code, `Cannot ${action} "${excerpt(file)}": ${where}${problem}.${end}`, details, { cause });
}
