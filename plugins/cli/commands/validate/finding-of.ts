import { type Problem, pointerSegments, type Tool } from '../../../../kernel/index.ts';
import { displayPath, withDisplayPaths } from '../../../shared/terminal/display-path.ts';
import type { Finding } from './report.ts';
import { type ReportRule, rules } from './rules.ts';

/** Converts a problem that loading found to a finding. */
export function findingOf({ severity, code, message, file, position, path, tool, plugin }: Problem, cwd: string): Finding {
  return {
    severity,
    rule: code,
    // The message contains the paths of both files.
    message: code === 'TOOL_DUPLICATE' ? withDisplayPaths(message, cwd) : message,
    ...(file === undefined ? {} : { file: displayPath(file, cwd) }),
    ...position,
    ...(path === undefined || path === '' ? {} : { path }),
    ...(tool === undefined ? {} : { tool }),
    ...(plugin === undefined ? {} : { plugin }),
  };
}

/** Runs a check on a loaded tool and returns its findings. */
export function checkTool({ name, origin }: Tool, cwd: string, check: (report: ReportRule) => void): readonly Finding[] {
  const findings: Finding[] = [];
  check((rule, pointer, message) =>
    findings.push({
      severity: rules[rule].severity,
      rule,
      message,
      ...(origin.file === undefined ? {} : { file: displayPath(origin.file, cwd) }),
      ...origin.locate?.(pointer),
      path: fieldOf(pointer),
      tool: name,
      plugin: origin.plugin,
    }),
  );
  return findings;
}

/** Sorts by file, line and column. Findings without a file come first. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const byFile = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
  return [...findings].sort(
    (a, b) => byFile(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
}

/** Converts a pointer to a field path: `/examples/0/parameters/city` becomes `examples[0].parameters.city`. */
function fieldOf(pointer: string): string {
  return pointerSegments(pointer).reduce((field, segment) => {
    if (/^\d+$/.test(segment)) return `${field}[${segment}]`;
    return field === '' ? segment : `${field}.${segment}`;
  }, '');
}
