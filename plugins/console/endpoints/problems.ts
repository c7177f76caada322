import { excerpt, type Finding, type Kernel, messageOf, type Problem } from '../../../kernel/index.ts';
import { type ListedCheck, pluginChecks, runPluginCheck } from '../../shared/checks/plugin-checks.ts';
import { withinLimit } from '../../shared/checks/within-limit.ts';
import type { ProblemsPage } from '../wire/state.ts';
import type { ConsoleServices, Endpoint } from './endpoint.ts';

/** Time limit of one check, in milliseconds. */
const timeoutMs = 5000;

/** Time for which findings are shown again: a check may start a program, or write to the store. In milliseconds. */
const freshMs = 60_000;

interface KnownFindings {
  readonly foundAt: number;
  readonly findings: Promise<readonly Finding[]>;
}

const known = new WeakMap<Kernel, KnownFindings>();

/** Problems of definitions, and the findings of the checks of plugins that take little time. */
export const problemsEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'problems', answer: (_request, services) => problemsPage(services) },
];

async function problemsPage(services: ConsoleServices): Promise<ProblemsPage> {
  const { kernel } = services;
  const findings = await findingsOf(services);
  return kernel.mask({ problems: kernel.registry.problems.map(shownProblem), findings });
}

function shownProblem({ severity, code, message, file, position, path, tool }: Problem): ProblemsPage['problems'][number] {
  const field = path === undefined || path === '' ? '' : `${path}: `;
  const shownFile = file === undefined || position === undefined ? file : `${file}:${position.line}:${position.column}`;
  return {
    ...{ severity, code, message: field + message },
    ...(shownFile === undefined ? {} : { file: shownFile }),
    ...(tool === undefined ? {} : { tool }),
  };
}

/** Returns the findings of the last minute, or new ones. */
function findingsOf(services: ConsoleServices): Promise<readonly Finding[]> {
  const { kernel, now } = services;
  const last = known.get(kernel);
  if (last !== undefined && now() - last.foundAt < freshMs) return last.findings;
  const findings = runChecks(services);
  known.set(kernel, { foundAt: now(), findings });
  return findings;
}

async function runChecks({
  kernel,
  checks = { cwd: process.cwd(), env: process.env, state: undefined },
}: ConsoleServices): Promise<readonly Finding[]> {
  const cheap = pluginChecks(kernel, []).filter(({ check }) => !check.isThorough);
  const found = await Promise.all(cheap.map((one) => guarded(one, kernel, { ...checks, kernel, isServing: true })));
  // Two plugins may look at one file, such as `.env`.
  return [...new Map(found.flat().map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function guarded(one: ListedCheck, kernel: Kernel, services: Parameters<typeof runPluginCheck>[1]): Promise<readonly Finding[]> {
  const { name } = one.check;
  try {
    return await withinLimit(() => runPluginCheck(one, services), timeoutMs, `the check "${name}"`);
  } catch (error) {
    return [{ check: name, state: 'not checked', message: excerpt(kernel.mask(messageOf(error))).replace(/\.$/, '') }];
  }
}
