import { formatProblem, messageOf, type Problem } from '../../../../../kernel/index.ts';
import type { TestKit } from '../../test-kit.ts';
import { type ContractCheck, fail, failIf } from '../contract-check.ts';
import type { Subject } from '../subject.ts';

/** Checks of discovery, and of discovery after a reload. */
export const discoveringChecks: readonly ContractCheck[] = [
  {
    title: 'discovers without failing',
    run: (subject) =>
      failIfProblem(subject, ({ severity, code }) => severity === 'error' && code.startsWith('PLUGIN_'), 'Fails in "discover"'),
  },
  {
    title: 'has every definition that it adds accepted',
    run: (subject) =>
      failIfProblem(subject, ({ severity, code }) => severity === 'error' && !code.startsWith('PLUGIN_'), 'A definition of it is refused'),
  },
  {
    title: 'adds definitions without a warning',
    run: (subject) => failIfProblem(subject, ({ severity }) => severity === 'warning', 'A definition of it gives a warning'),
  },
  {
    title: 'finds the same tools after a reload',
    run: (subject) =>
      subject.withKernel(async (kit) => {
        const before = namesOf(kit);
        await kit.reload();
        const after = namesOf(kit);
        const lost = before.find((name) => !after.includes(name));
        const found = after.find((name) => !before.includes(name));
        failIf(lost !== undefined, `The tool "${lost}" is gone after a reload. Add everything in each "discover": the list starts empty.`);
        failIf(found !== undefined, `The tool "${found}" is there after a reload and not before. Name a tool the same in each "discover".`);
      }),
  },
  {
    title: 'has no more problems after a reload',
    run: (subject) =>
      subject.withKernel(async (kit) => {
        const { length } = problemsOf(subject, kit);
        await kit.reload();
        const [problem] = problemsOf(subject, kit).slice(length);
        failIf(problem !== undefined, `A reload makes a problem: ${problem === undefined ? '' : formatProblem(problem)}`);
      }),
  },
  {
    title: 'takes calls after a reload',
    run: (subject) =>
      subject.withCalls(async (kit) => {
        await kit.reload();
        await kit.call('contract_echo', { text: 'after' }).catch((error: unknown) => {
          const isBroken = (error as { code?: string }).code?.startsWith('PLUGIN_');
          if (isBroken === true) fail(`After a reload calls break: ${messageOf(error)}`);
        });
      }),
  },
];

function failIfProblem(subject: Subject, isMeant: (problem: Problem) => boolean, label: string): Promise<void> {
  return subject.withKernel(async (kit) => {
    const problem = problemsOf(subject, kit).find(isMeant);
    if (problem !== undefined) fail(`${label}: ${formatProblem(problem)}`);
  });
}

function problemsOf(subject: Subject, { kernel }: TestKit): readonly Problem[] {
  return kernel.registry.problems.filter(({ plugin }) => plugin === subject.plugin().name);
}

function namesOf({ kernel }: TestKit): readonly string[] {
  return [...kernel.registry.tools.keys()];
}
