import path from 'node:path';
import type { Origin, PinnedCode } from '../../../kernel/index.ts';
import { codeRoot } from '../project/layout.ts';
import { CodeReader } from './code-reader.ts';
import { isInstalled } from './installed.ts';
import { followJavaScript, followText } from './javascript-imports.ts';
import { followPython, followPythonText } from './python-imports.ts';

type Owner = Pick<Origin, 'directory' | 'trust'>;

const none: PinnedCode = { files: [], reserved: [] };

/** True when no tool could write the code of a definition: code of this program, and of installed packages. */
function isSealed({ directory = '.', trust }: Owner): boolean {
  if (trust === 'operator') return false;
  return directory.startsWith(codeRoot() + path.sep) || isInstalled(directory);
}

/** Finds the files of the modules that a definition names (`./file.ts#export`), with their imports, up to the packages. */
export function findModuleCode(codes: readonly string[], origin: Owner, reads: Map<string, unknown>): PinnedCode {
  if (codes.length === 0 || isSealed(origin)) return none;
  const reader = new CodeReader(reads);
  for (const code of codes) {
    const [relative = ''] = code.split('#');
    const written = path.resolve(origin.directory ?? '.', relative);
    const compiled = written.replace(/\.ts$/, '.js');
    const isWritten = reader.isFile(written);
    // The source takes precedence over the compiled file.
    if (!isWritten) reader.reserve(written);
    followEntry(isWritten ? written : compiled, reader);
  }
  return reader.code;
}

/** Follows an entry file. A Python handler sees its own folder, or the one above its package. */
export function followEntry(file: string, reader: CodeReader): void {
  const language = languageOf(file, reader);
  if (language === 'javascript') followJavaScript(file, reader, true);
  if (language !== 'python') return;
  let root = path.dirname(file);
  reader.reserve(path.join(root, '__init__.py'));
  while (reader.isFile(path.join(root, '__init__.py'))) {
    followPython(path.join(root, '__init__.py'), [path.dirname(root)], reader);
    root = path.dirname(root);
  }
  followPython(file, [root, ...pythonPath(process.env['PYTHONPATH'])], reader, true);
}

/** Detects the language by the file extension, else by the interpreter in the first line. */
function languageOf(file: string, reader: CodeReader): 'javascript' | 'python' | undefined {
  if (/\.[cm]?[jt]sx?$/.test(file)) return 'javascript';
  if (file.endsWith('.py')) return 'python';
  const [line = ''] = reader.startOf(file).split('\n');
  if (!line.startsWith('#!')) return undefined;
  return /python|pypy/.test(line) ? 'python' : /\b(?:node|tsx|bun|deno)\b/.test(line) ? 'javascript' : undefined;
}

/** A program as a definition starts it, without values that are only known at a call. */
export interface StartedProgram {
  readonly command: string;
  /** Arguments without placeholders. */
  readonly args: readonly string[];
  /** Absolute path. */
  readonly cwd: string;
  readonly pythonPath?: string | undefined;
}

const scriptNames = /\.(?:py|[cm]?[jt]sx?|sh|bash|zsh|rb|pl|php|lua|r|jl|ps1|exs?|clj|groovy|jar)$/i;

/** Finds the files that a program gets as arguments and, for an interpreter, the code that runs with them. */
export function codeOfProgram(program: StartedProgram, origin: Owner, reads: Map<string, unknown>): PinnedCode {
  if (isSealed(origin)) return none;
  const reader = new CodeReader(reads);
  const { args, cwd } = program;
  const command = path.basename(program.command).replace(/\.exe$/i, '');
  const isPython = /^(?:python|pypy)[\d.]*$/.test(command);
  const isNode = /^(?:node|nodejs|tsx|ts-node|bun|deno)$/.test(command);
  const paths = pythonPath(program.pythonPath).map((folder) => path.resolve(cwd, folder));
  reserveProgram(program, reader);
  for (const [index, argument] of args.entries()) {
    const before = args[index - 1];
    if (isPython && before === '-m') followMain(cwd, argument, paths, reader);
    else if (isPython && before === '-c') followPythonText(argument, path.join(cwd, '-c'), [cwd, ...paths], reader);
    else if (isNode && (before === '-e' || before === '--eval' || before === '-p')) followText(argument, path.join(cwd, '-e'), reader);
    else followArgument(argument, { cwd, isPython, isNode, paths }, reader);
  }
  return reader.code;
}

interface Interpreter {
  readonly cwd: string;
  readonly isPython: boolean;
  readonly isNode: boolean;
  readonly paths: readonly string[];
}

/** Follows an argument such as `scripts/report.py` or `--config=report.json`. */
function followArgument(argument: string, { cwd, isPython, isNode, paths }: Interpreter, reader: CodeReader): void {
  for (const name of new Set([argument, argument.replace(/^-[^=]*=/, '')])) {
    if (name === '' || name.includes('\0')) continue;
    const file = path.resolve(cwd, name);
    const isScript = scriptNames.test(name);
    if (isPython && reader.isFolder(file)) followPython(path.join(file, '__main__.py'), [file, ...paths], reader);
    if (!reader.isFile(file)) {
      if (isScript) reader.reserve(file);
    } else if (name.endsWith('.py') || (isPython && !name.startsWith('-'))) followPython(file, [path.dirname(file), ...paths], reader);
    else if (isNode || /\.[cm]?[jt]sx?$/.test(name)) followJavaScript(file, reader, false);
    else reader.open(file);
  }
}

/** Follows a module started by `python3 -m reports.monthly`, below the working directory. */
function followMain(cwd: string, name: string, paths: readonly string[], reader: CodeReader): void {
  followPythonText(`import ${name}\nimport ${name}.__main__\n`, path.join(cwd, '-m'), [cwd, ...paths], reader);
}

/** Reserves each path where the program is searched before it is found. */
function reserveProgram({ command, cwd }: StartedProgram, reader: CodeReader): void {
  if (command.startsWith('.')) return;
  if (/[\\/]/.test(command)) {
    const file = path.resolve(cwd, command);
    reader.reserve(file);
    reader.open(file);
    return;
  }
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    const place = path.resolve(cwd, folder, command);
    reader.reserve(place);
    if (reader.isFile(place)) return;
  }
}

function pythonPath(folders: string | undefined): readonly string[] {
  return (folders ?? '').split(path.delimiter).filter((folder) => folder !== '');
}
