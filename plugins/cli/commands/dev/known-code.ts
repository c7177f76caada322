import type { Kernel, Problem } from '../../../../kernel/index.ts';
import { type CodeProblems, codeProblems } from '../../code/code-problems.ts';

/** What is wrong inside of the code of somebody's own tools: of each it is known until the tool or its code changes. */
export class KnownCode {
  readonly #kernel: Kernel;
  readonly #byTool = new Map<string, readonly Problem[]>();

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
  }

  /** Several tools of one file have the same. */
  get problems(): readonly Problem[] {
    return [...this.#byTool.values()].flat();
  }

  /** Looks at these tools again, as far as they are still there. Returns what could not be looked at. */
  async look(names: Iterable<string>): Promise<CodeProblems['unchecked']> {
    const tools = [...names].flatMap((name) => {
      this.#byTool.delete(name);
      const tool = this.#kernel.registry.tools.get(name);
      return tool?.origin.trust === 'operator' ? [tool] : [];
    });
    const { problems, unchecked } = await codeProblems(this.#kernel, tools);
    for (const problem of problems) this.#byTool.set(problem.tool ?? '', [...(this.#byTool.get(problem.tool ?? '') ?? []), problem]);
    return unchecked;
  }
}
