import { messageOf, sentence, ToolkitError } from '../../../kernel/index.ts';

/** What is wrong with a configuration file. */
export function invalid(file: string, message: string, cause?: unknown): ToolkitError {
  const text = `${sentence(`${file}: ${message}`)}${namesOldPackage(cause) ? ' The package is named @toolkit/core: import from there.' : ''}`;
  return new ToolkitError('CONFIG_INVALID', text, { file }, cause === undefined ? {} : { cause });
}

/** Code that was written before the package had a scope: on npm, `toolkit` is something else. */
function namesOldPackage(cause: unknown): boolean {
  return cause !== undefined && /cannot find (?:module|package) 'toolkit['/]/i.test(messageOf(cause));
}
