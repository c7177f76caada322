import type { Kernel, Problem } from '../../../../kernel/index.ts';
import { type CodeProblems, findCodeProblems } from '../../code/code-problems.ts';

/** Caches the code problems of the operator's tools until a tool or its code changes. */
export class CodeProblemCache {
  readonly #kernel: Kernel;
  readonly #byTool = new Map<string, readonly Problem[]>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Tools that share a file may repeat a problem. */
  get problems(): readonly Problem[] {
    return [...this.#byTool.values()].flat();
  }

  /** Checks these tools again, unless they are gone. Returns the tools that could not be checked, by reason. */
  async check(names: Iterable<string>): Promise<CodeProblems['unchecked']> {
    const tools = [...names].flatMap((name) => {
      this.#byTool.delete(name);
      const tool = this.#kernel.registry.tools.get(name);
      return tool?.origin.trust === 'operator' ? [tool] : [];
    });
    const { problems, unchecked } = await findCodeProblems(this.#kernel, tools);
    for (const problem of problems) this.#byTool.set(problem.tool ?? '', [...(this.#byTool.get(problem.tool ?? '') ?? []), problem]);
    return unchecked;
  }
}
