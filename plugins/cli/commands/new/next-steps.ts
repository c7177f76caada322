import path from 'node:path';
import type { CommandInvocation } from '../../../../kernel/index.ts';
import { codeRoot } from '../../../shared/project/layout.ts';
import { programCommand } from '../../../shared/project/program-command.ts';
import { paint } from '../../../shared/terminal/paint.ts';
import { textTable } from '../../../shared/terminal/table.ts';
import { shellWord } from '../../../shared/text/shell-word.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { type Entry, linesFor } from './config-entry.ts';
import { canImportToolkit } from './project.ts';

/** Minimum width at which files are shown with their purpose. */
const minColumns = 72;

export interface WrittenFile {
  /** Absolute. */
  readonly file: string;
  /** Purpose in a few words. */
  readonly what: string;
}

export interface Step {
  readonly title: string;
  /** Lines to type or to add to a file, verbatim. */
  readonly lines: readonly string[];
}

/** Returns the words that start this program here, before a command. */
export function programOf({ program, env }: CommandInvocation): Promise<string> {
  return programCommand(program, env, process.cwd());
}

/** Returns the path of a file, quoted for the shell. */
export function shellPath(file: string): string {
  return shellWord(displayPath(file));
}

/** Returns the step that adds an entry to an existing configuration. */
export function configStep(configFile: string, entry: Entry): Step {
  const file = visibleText(displayPath(configFile));
  const title =
    entry.from === undefined
      ? `Say in ${file} where it is, beside the other options of ${entry.module}`
      : `List it in ${file}, at the end of plugins`;
  return { title, lines: linesFor(configFile, entry) };
}

/** Returns the step that installs toolkit for the tests; none when the folder can already import it. */
export function installSteps(folder: string): readonly Step[] {
  if (canImportToolkit(folder)) return [];
  // `dist` is inside the package.
  const root = path.basename(codeRoot()) === 'dist' ? path.dirname(codeRoot()) : codeRoot();
  return [{ title: 'Let the tests import toolkit', lines: [`npm install --save-dev ${shellWord(root)}`] }];
}

/** Prints the written files and the next steps. */
export async function report({ terminal, write }: CommandInvocation, files: readonly WrittenFile[], steps: readonly Step[]): Promise<void> {
  const hasRoom = (terminal.columns ?? minColumns) >= minColumns;
  const rows = files.map(({ file, what }) => [`  ${paint(terminal, 'name', visibleText(displayPath(file)))}`, hasRoom ? what : '']);
  // An empty line after the prompts.
  const gap = terminal.isInteractive ? '\n' : '';
  write(`${gap}${paint(terminal, 'good', 'Written:')}\n${await textTable(terminal, [{}, { narrow: 'wrap' }], rows)}`);
  write(`\n${paint(terminal, 'heading', `Next, in ${visibleText(process.cwd())}:`)}\n`);
  for (const { title, lines } of steps)
    write(`\n  ${title}:\n${lines.map((line) => `    ${paint(terminal, 'name', visibleText(line))}\n`).join('')}`);
}

function displayPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}
