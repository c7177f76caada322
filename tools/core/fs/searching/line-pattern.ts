import { ToolkitError } from '../../../../kernel/index.ts';
import { compileRegex } from '../../text/compile-regex.ts';
import { invalidParameter } from '../../text/invalid-parameter.ts';

interface PatternOptions {
  readonly pattern: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
}

/** Compiles the regular expression for one line. Throws INVALID_PARAMETERS. */
export function linePattern({ pattern, regex, case_sensitive }: PatternOptions): RegExp {
  if (pattern.includes('\n'))
    throw invalidParameter('pattern', 'expected a pattern for one line, received one with a line break. Search for one of its lines');
  const { source, flags } = compilePattern(pattern, regex, case_sensitive ? '' : 'i');
  return new RegExp(source, flags.replace('g', ''));
}

/** Compiles a regular expression, or one for a plain text, that finds all matches; `flags` are added. Throws INVALID_PARAMETERS. */
export function compilePattern(pattern: string, isRegex: boolean, flags: '' | 'i' | 'm'): RegExp {
  if (!isRegex) return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `gu${flags}`);
  if (/^\(\?[a-z]+\)/.test(pattern)) {
    throw invalidParameter(
      'pattern',
      'expected a JavaScript regular expression, received flags at its beginning. For both cases write [Aa], or set "case_sensitive" where there is one',
    );
  }
  try {
    return compileRegex({ pattern, flags });
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    throw new ToolkitError(error.code, `${error.message} For plain text set "regex" to false.`, error.details, { cause: error });
  }
}
