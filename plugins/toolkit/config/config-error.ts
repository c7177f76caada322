import { sentence, ToolkitError } from '../../../kernel/index.ts';

/** What is wrong with a configuration file. */
export function invalid(file: string, message: string, cause?: unknown): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', sentence(`${file}: ${message}`), { file }, cause === undefined ? {} : { cause });
}
