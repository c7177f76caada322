import type { Finding } from '../../../../../kernel/index.ts';
import { formatProblem, type Kernel, type Problem, type Registry } from '../../../../../kernel/index.ts';
import { count } from '../../../../shared/checks/count.ts';
import { withDisplayPaths } from '../../../../shared/terminal/display-path.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

/** Maximum number of definition problems that are printed. */
const maxProblems = 5;

/** Reports the loaded tools and problems of definitions. `cwd`: folder that printed paths are relative to. */
export function checkTools({ registry }: Pick<Kernel, 'registry'>, cwd: string): Finding[] {
  return [toolsFinding(registry), ...definitionFindings(registry, cwd)];
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
