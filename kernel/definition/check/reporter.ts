import { maxIssues } from '../../json/cost.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';

/** Collects the issues of one definition with their positions in the file: at most `maxIssues` errors and as many warnings. */
export interface Reporter {
  readonly problems: Problem[];
  /** True when no further error is recorded: expensive checks can be skipped. */
  readonly isFull: boolean;
  error(pointer: string, message: string, code?: Problem['code']): void;
  warning(pointer: string, message: string): void;
}

export function createReporter({ name }: Pick<ToolDefinition, 'name'>, origin: Origin): Reporter {
  const problems: Problem[] = [];
  const reported = { error: 0, warning: 0 };
  const add = (severity: Problem['severity'], pointer: string, message: string, code: Problem['code']): void => {
    if (reported[severity ?? 'error']++ >= maxIssues) return;
    const position = origin.locate?.(pointer);
    const path = pointer.slice(1).replaceAll('/', '.');
    problems.push({
      severity,
      code,
      message,
      plugin: origin.plugin,
      tool: name,
      path,
      ...(origin.file === undefined ? {} : { file: origin.file }),
      ...(position === undefined ? {} : { position }),
    });
  };
  return {
    problems,
    get isFull() {
      return reported.error >= maxIssues;
    },
    error: (pointer, message, code = 'TOOL_INVALID') => add('error', pointer, message, code),
    warning: (pointer, message) => add('warning', pointer, message, 'TOOL_INVALID'),
  };
}
