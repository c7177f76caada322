import type { Origin } from './check-written.ts';
import type { Problem } from './problem.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Collects what is wrong with one definition, with its place in the file. */
export interface Reporter {
  readonly problems: Problem[];
  error(pointer: string, message: string, code?: Problem['code']): void;
  warning(pointer: string, message: string): void;
}

export function reporter(definition: ToolDefinition, origin: Origin): Reporter {
  const problems: Problem[] = [];
  const add = (severity: Problem['severity'], pointer: string, message: string, code: Problem['code']): void => {
    const position = origin.locate?.(pointer);
    const path = pointer.slice(1).replaceAll('/', '.');
    problems.push({
      severity,
      code,
      message,
      plugin: origin.plugin,
      tool: definition.name,
      path,
      ...(origin.file === undefined ? {} : { file: origin.file }),
      ...(position === undefined ? {} : { position }),
    });
  };
  return {
    problems,
    error: (pointer, message, code = 'TOOL_INVALID') => add('error', pointer, message, code),
    warning: (pointer, message) => add('warning', pointer, message, 'TOOL_INVALID'),
  };
}
