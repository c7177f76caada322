import { excerpt, messageOf, ToolkitError } from '../../../kernel/index.ts';

interface PatternOptions {
  readonly pattern: string;
  readonly regex: boolean;
  readonly case_sensitive: boolean;
}

/**
 * The regular expression for one line. Unicode mode comes first; a pattern that only the older syntax allows, such as `\-`, gets
 * that, unless it uses what means something else there. Throws INVALID_PARAMETERS.
 */
export function linePattern({ pattern, regex, case_sensitive }: PatternOptions): RegExp {
  if (pattern.includes('\n')) throw refusal('expected a pattern for one line, received one with a line break. Search for one of its lines');
  const flags = case_sensitive ? '' : 'i';
  if (!regex) return new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), `u${flags}`);
  try {
    return new RegExp(pattern, `u${flags}`);
  } catch (error) {
    if (/\\[pP]\{|\\u\{/.test(pattern)) throw invalid(error);
  }
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw invalid(error);
  }
}

function invalid(error: unknown): ToolkitError {
  return refusal(`expected a JavaScript regular expression: ${excerpt(messageOf(error))}. For plain text set "regex" to false`);
}

function refusal(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "pattern": ${message}.`, { issues: [{ path: 'pattern', message }] });
}
