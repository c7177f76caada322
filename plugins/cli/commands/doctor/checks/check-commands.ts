import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import type { Finding, Kernel, Tool } from '../../../../../kernel/index.ts';
import { count } from '../../../../shared/checks/count.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

/** Maximum number of concurrent lookups. */
const maxLookups = 64;

/** Reports the programs of command tools that are missing. Starts none of them. */
export async function checkCommands(kernel: Kernel, env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const users = new Map<string, number>();
  for (const tool of kernel.registry.tools.values()) {
    if (tool.execution.type !== 'command') continue;
    const program = programOf(tool);
    users.set(program, (users.get(program) ?? 0) + 1);
  }
  if (users.size === 0) return [];
  const programs = [...users.keys()].sort();
  const missing: string[] = [];
  for (let start = 0; start < programs.length; start += maxLookups) {
    const batch = programs.slice(start, start + maxLookups);
    const found = await Promise.all(batch.map((program) => isExecutable(program, env)));
    missing.push(...batch.filter((_program, index) => found[index] !== true));
  }
  const check = 'Commands';
  if (missing.length === 0) return [{ check, state: 'ok', message: `${count(programs.length, 'program')} of command tools found` }];
  const tools = missing.reduce((sum, program) => sum + (users.get(program) ?? 0), 0);
  return [
    {
      check,
      state: 'warning',
      message: `not found, or not to be executed: ${formatFew(missing)}; ${count(tools, 'command tool')} cannot run`,
      hint: 'Install what is missing, or correct "execution.command" in the definitions.',
    },
  ];
}

/** Resolves a program as the executor does: a path that begins with a dot is relative to the definition. */
function programOf({ execution, origin: { directory } }: Tool): string {
  const command = String(execution['command']);
  return command.startsWith('.') && directory !== undefined ? path.resolve(directory, command) : command;
}

async function isExecutable(program: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  if (path.isAbsolute(program))
    return access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
  const { default: which } = await import('which');
  return (await which(program, { nothrow: true, path: env['PATH'] ?? '' })) !== null;
}
