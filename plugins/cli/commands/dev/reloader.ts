import { existsSync } from 'node:fs';
import path from 'node:path';
import { formatProblem, type Kernel, messageOf, type Problem, problemLines, type Registry } from '../../../../kernel/index.ts';
import { isCodeFile } from '../../../shared/folder-watch/is-code.ts';
import { displayPath, withDisplayPaths } from '../../../shared/terminal/display-path.ts';
import { formatFew } from '../../../shared/terminal/few.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import type { BufferedLogger } from './buffered-logger.ts';
import { CodeProblemCache } from './code-problem-cache.ts';
import { compareRegistries, listModules } from './compare-registries.ts';
import type { Journal } from './journal.ts';

/** Maximum number of problem lines that are printed at once. */
const maxLines = 20;

/** Reloads changed files and prints the result. */
export class Reloader {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #log: BufferedLogger;
  readonly #configFile: string | undefined;
  readonly #code: CodeProblemCache;
  #reported: ReadonlySet<string> = new Set();

  constructor(kernel: Kernel, journal: Journal, log: BufferedLogger, configFile: string | undefined) {
    this.#kernel = kernel;
    this.#journal = journal;
    this.#log = log;
    this.#configFile = configFile;
    this.#code = new CodeProblemCache(kernel);
  }

  /** Prints the problems found at start. */
  async start(): Promise<void> {
    for (const [reason, tools] of await this.#code.check(this.#kernel.registry.tools.keys()))
      this.#journal.printLine('warning', visibleText(`the code of ${formatFew(tools)} is not checked: ${reason}`));
    this.printProblems();
  }

  /** Reloads after these files changed. Never throws: errors are printed. */
  async reload(files: ReadonlySet<string>): Promise<void> {
    if (this.#configFile !== undefined && files.has(this.#configFile))
      this.#journal.printLine('warning', `${this.#displayPath(this.#configFile)} has changed: start again for it to take effect`);
    const others = new Set([...files].filter((file) => file !== this.#configFile));
    if (others.size === 0) return;
    const before = this.#kernel.registry;
    const startedAt = performance.now();
    this.#log.hold();
    try {
      const after = await this.#kernel.reload({ code: [...others].some(isCodeFile) });
      const { changed, added, removed } = await compareRegistries(before, after, others);
      await this.#code.check([...changed, ...added, ...removed]);
      const counts = `${changed.length} changed, ${added.length} added, ${removed.length} removed`;
      const time = Math.round(performance.now() - startedAt);
      this.#journal.printLine(undefined, `reloaded: ${counts} (${time} ms)${brokenNote(after)}${this.#codeNote(others)}`);
    } catch (error) {
      this.#journal.printLine('bad', visibleText(`not reloaded: ${messageOf(this.#kernel.mask(error))}. What was loaded stays.`));
    } finally {
      this.printProblems(others);
    }
  }

  /** Prints a line for each problem that is new or lies in one of these files. */
  printProblems(files: ReadonlySet<string> = new Set()): void {
    const { problems: registered } = this.#kernel.registry;
    const problems = [...registered, ...this.#code.problems];
    const texts = new Map(problems.map((problem) => [this.#kernel.mask(formatProblem(problem)), problem]));
    this.#log.release(new Set(problemLines(registered).map(({ message }) => this.#kernel.mask(message))));
    const isOwn = ({ file }: Problem): boolean => file !== undefined && files.has(file);
    const toPrint = [...texts].filter(([text, problem]) => !this.#reported.has(text) || isOwn(problem));
    this.#reported = new Set(texts.keys());
    for (const [text, { severity }] of toPrint.slice(0, maxLines)) {
      const line = withDisplayPaths(` ${text}`, process.cwd()).trim();
      this.#journal.printLine(severity === 'error' ? 'bad' : 'warning', visibleText(`${line}${severity === 'error' ? '' : ' (warning)'}`));
    }
    if (toPrint.length > maxLines) this.#journal.printLine('bad', `and ${toPrint.length - maxLines} more: "toolkit validate" shows all`);
  }

  /** Names the changed modules that no tool names: other modules import them. */
  #codeNote(files: ReadonlySet<string>): string {
    const code = [...files].filter((file) => isCodeFile(file) && existsSync(file));
    if (code.length === 0) return '';
    const named = new Set([...this.#kernel.registry.tools.values()].flatMap(listModules));
    const others = code.filter((file) => !named.has(file)).map((file) => path.basename(file));
    if (others.length === 0) return '';
    return visibleText(`; code is imported anew because of ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' and others' : ''}`);
  }

  #displayPath(file: string): string {
    return visibleText(displayPath(file, process.cwd()));
  }
}

function brokenNote({ problems }: Registry): string {
  const broken = new Set(problems.filter(({ severity, file }) => severity === 'error' && file !== undefined).map(({ file }) => file));
  if (broken.size === 0) return '';
  return `; ${broken.size === 1 ? 'a file is broken: its former definition' : `${broken.size} files are broken: their former definitions`} stay${broken.size === 1 ? 's' : ''}`;
}
