import { existsSync } from 'node:fs';
import path from 'node:path';
import { formatProblem, type Kernel, messageOf, type Problem, problemLines, type Registry } from '../../../../kernel/index.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { few } from '../../terminal/few.ts';
import { shownPath, withShownPaths } from '../../terminal/shown-path.ts';
import { isCode } from '../../watch/is-code.ts';
import { differenceOf, modulesOf } from './difference.ts';
import type { HeldLogger } from './held-logger.ts';
import type { Journal } from './journal.ts';
import { KnownCode } from './known-code.ts';

/** Maximum number of problem lines that are printed at once. */
const maxLines = 20;

/** Reloads changed files and prints the result. */
export class Reloader {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #log: HeldLogger;
  readonly #configFile: string | undefined;
  readonly #code: KnownCode;
  #told: ReadonlySet<string> = new Set();

  constructor(kernel: Kernel, journal: Journal, log: HeldLogger, configFile: string | undefined) {
    this.#kernel = kernel;
    this.#journal = journal;
    this.#log = log;
    this.#configFile = configFile;
    this.#code = new KnownCode(kernel);
  }

  /** Prints the problems found at start. */
  async start(): Promise<void> {
    for (const [reason, tools] of await this.#code.look(this.#kernel.registry.tools.keys()))
      this.#journal.tell('warning', visibleText(`the code of ${few(tools)} is not checked: ${reason}`));
    this.tellProblems();
  }

  /** Reloads after these files changed. Never throws: errors are printed. */
  async reload(files: ReadonlySet<string>): Promise<void> {
    if (this.#configFile !== undefined && files.has(this.#configFile))
      this.#journal.tell('warning', `${this.#shown(this.#configFile)} has changed: start again for it to take effect`);
    const others = new Set([...files].filter((file) => file !== this.#configFile));
    if (others.size === 0) return;
    const before = this.#kernel.registry;
    const startedAt = performance.now();
    this.#log.hold();
    try {
      const after = await this.#kernel.reload({ code: [...others].some(isCode) });
      const { changed, added, removed } = await differenceOf(before, after, others);
      await this.#code.look([...changed, ...added, ...removed]);
      const counts = `${changed.length} changed, ${added.length} added, ${removed.length} removed`;
      const time = Math.round(performance.now() - startedAt);
      this.#journal.tell(undefined, `reloaded: ${counts} (${time} ms)${brokenNote(after)}${this.#codeNote(others)}`);
    } catch (error) {
      this.#journal.tell('bad', visibleText(`not reloaded: ${messageOf(this.#kernel.mask(error))}. What was loaded stays.`));
    } finally {
      this.tellProblems(others);
    }
  }

  /** Prints a line for each problem that is new or lies in one of these files. */
  tellProblems(files: ReadonlySet<string> = new Set()): void {
    const { problems: registered } = this.#kernel.registry;
    const problems = [...registered, ...this.#code.problems];
    const texts = new Map(problems.map((problem) => [this.#kernel.mask(formatProblem(problem)), problem]));
    this.#log.release(new Set(problemLines(registered).map(({ message }) => this.#kernel.mask(message))));
    const isOwn = ({ file }: Problem): boolean => file !== undefined && files.has(file);
    const worth = [...texts].filter(([text, problem]) => !this.#told.has(text) || isOwn(problem));
    this.#told = new Set(texts.keys());
    for (const [text, { severity }] of worth.slice(0, maxLines)) {
      const line = withShownPaths(` ${text}`, process.cwd()).trim();
      this.#journal.tell(severity === 'error' ? 'bad' : 'warning', visibleText(`${line}${severity === 'error' ? '' : ' (warning)'}`));
    }
    if (worth.length > maxLines) this.#journal.tell('bad', `and ${worth.length - maxLines} more: "toolkit validate" shows all`);
  }

  /** Names the changed modules that no tool names: other modules import them. */
  #codeNote(files: ReadonlySet<string>): string {
    const code = [...files].filter((file) => isCode(file) && existsSync(file));
    if (code.length === 0) return '';
    const named = new Set([...this.#kernel.registry.tools.values()].flatMap(modulesOf));
    const others = code.filter((file) => !named.has(file)).map((file) => path.basename(file));
    if (others.length === 0) return '';
    return visibleText(`; code is imported anew because of ${others.slice(0, 3).join(', ')}${others.length > 3 ? ' and others' : ''}`);
  }

  #shown(file: string): string {
    return visibleText(shownPath(file, process.cwd()));
  }
}

function brokenNote({ problems }: Registry): string {
  const broken = new Set(problems.filter(({ severity, file }) => severity === 'error' && file !== undefined).map(({ file }) => file));
  if (broken.size === 0) return '';
  return `; ${broken.size === 1 ? 'a file is broken: its former definition' : `${broken.size} files are broken: their former definitions`} stay${broken.size === 1 ? 's' : ''}`;
}
