import { createKernel, formatProblem, type Kernel, type Logger } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { executorCommand } from '../../../plugins/executor-command/index.ts';
import { executorFunction } from '../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../plugins/executor-http/index.ts';
import { toolFiles } from '../../../plugins/tool-files/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { validateOutput } from '../../../plugins/validate-output/index.ts';

/** A kernel over these tool paths, with the three executors. Nothing of it has to be closed while no Python or thread tool runs. */
export function fileKernel(toolPaths: readonly string[], cwd?: string, logger: Logger = memoryLogger()): Promise<Kernel> {
  const executors = [executorHttp(), executorCommand(), executorFunction()];
  return createKernel({
    plugins: [toolFiles({ toolPaths: [...toolPaths] }), ...executors, approvalGate(), validateOutput()],
    logger,
    ...(cwd === undefined ? {} : { cwd }),
  });
}

/** A tool that runs everywhere. */
export function toolYaml(name: string, more = ''): string {
  return `name: ${name}\ndescription: Says its name.\nexecution:\n  type: command\n  command: echo\n  args: [${name}]\n${more}`;
}

export function namesOf(kernel: Kernel): string[] {
  return [...kernel.registry.tools.keys()];
}

/** As a person reads them. */
export function problemsOf(kernel: Kernel): string[] {
  return kernel.registry.problems.map((problem) => `${problem.severity} ${formatProblem(problem)}`);
}
