import { messageOf, sentence, ToolkitError } from '../../../kernel/index.ts';

/** Returns the error of an invalid configuration file. */
export function configError(file: string, message: string, cause?: unknown): ToolkitError {
  const text = `${sentence(`${file}: ${message}`)}${namesOldPackage(cause) ? ' The package is named @toolkit/core: import from there.' : ''}`;
  return new ToolkitError('CONFIG_INVALID', text, { file }, cause === undefined ? {} : { cause });
}

/** True for code that imports the package by its former name without a scope, which is another package on npm. */
function namesOldPackage(cause: unknown): boolean {
  return cause !== undefined && /cannot find (?:module|package) 'toolkit['/]/i.test(messageOf(cause));
}
