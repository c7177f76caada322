import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatProblem, type Kernel, type Problem, type Registry } from '../../../../../kernel/index.ts';
import { withDisplayPaths } from '../../../../shared/terminal/display-path.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';
import { optionsOf } from '../../../options-of.ts';
import { count, type Finding } from './finding.ts';

/** Maximum number of definition problems that are printed. */
const maxProblems = 5;

/** Reports the loaded tools, problems of definitions, and configured folders without definitions. */
export async function checkTools(kernel: Kernel, projectFolder: string, cwd: string): Promise<Finding[]> {
  return [toolsFinding(kernel.registry), ...definitionFindings(kernel.registry, cwd), ...(await folderFindings(kernel, projectFolder))];
}

function toolsFinding({ tools }: Registry): Finding {
  const byProvider = new Map<string, number>();
  for (const { provider } of tools.values()) {
    const name = provider?.name ?? 'without a provider';
    byProvider.set(name, (byProvider.get(name) ?? 0) + 1);
  }
  const most = [...byProvider].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  if (tools.size > 0)
    return {
      check: 'Tools',
      state: 'ok',
      message: `${tools.size}: ${formatFew(
        most.map(([name, number]) => `${number} ${name}`),
        12,
      )}`,
    };
  return {
    check: 'Tools',
    state: 'warning',
    message: 'there are none',
    hint: 'Write one with "toolkit new tool", name a folder with --tool-paths, or install a package of tools.',
  };
}

function definitionFindings({ problems }: Registry, cwd: string): Finding[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.length - errors.length;
  const check = 'Definitions';
  if (problems.length === 0) return [{ check, state: 'ok', message: 'nothing is wrong with them' }];
  const hint = '"toolkit validate" shows all there is to say about them.';
  if (errors.length === 0) return [{ check, state: 'warning', message: count(warnings, 'warning'), details: lines(problems, cwd), hint }];
  const message = `${count(errors.length, 'error')}: what they stand in is not loaded`;
  return [{ check, state: 'problem', message, details: lines(errors, cwd), hint }];
}

function lines(problems: readonly Problem[], cwd: string): string[] {
  const shown = problems.slice(0, maxProblems).map((problem) => withDisplayPaths(` ${formatProblem(problem)}`, cwd).trim());
  return [...shown, ...(problems.length > maxProblems ? [`and ${problems.length - maxProblems} more`] : [])];
}

/** Warns about folders without a definition, which are easily overlooked. Discovery itself reports a missing folder. */
async function folderFindings(kernel: Kernel, projectFolder: string): Promise<Finding[]> {
  const options = { 'tool-files': 'toolPaths', 'skill-files': 'skillPaths' };
  const configured = Object.entries(options).flatMap(([plugin, option]) =>
    [optionsOf(kernel, plugin)[option] ?? []].flat().map((folder) => ({ option, folder: path.resolve(projectFolder, String(folder)) })),
  );
  const origins = [kernel.registry.tools, kernel.registry.providers, kernel.registry.skills].flatMap((things) =>
    [...things.values()].map(({ origin }) => origin.file ?? ''),
  );
  const files = [...origins, ...kernel.registry.problems.map(({ file }) => file ?? '')];
  const idle = configured.filter(({ folder }) => !files.some((file) => file === folder || file.startsWith(folder + path.sep)));
  return Promise.all(
    idle.map(async ({ option, folder }) => ({
      check: 'Folder',
      state: 'warning' as const,
      message: `${folder} (${option}) ${(await isNotEmpty(folder)) ? 'holds no definition' : 'is empty'}`,
      hint: 'Write a tool there with "toolkit new tool", or take the folder out of the configuration.',
    })),
  );
}

async function isNotEmpty(folder: string): Promise<boolean> {
  try {
    return !(await stat(folder)).isDirectory() || (await readdir(folder)).length > 0;
  } catch {
    return false;
  }
}
