import path from 'node:path';

/** A module that a text imports. */
export interface PythonImport {
  /** Dotted name; empty in `from . import x`. */
  readonly name: string;
  /** Names after `from … import`. Each may be a module. */
  readonly members: readonly string[];
  /** Number of dots before the name: 0 for an absolute import. */
  readonly level: number;
}

const name = '[\\p{L}\\p{N}_.]+';
const fromImport = new RegExp(`(?:^|[;:\\n])[ \\t]*from[ \\t]+(\\.*)[ \\t]*(${name}|)[ \\t]*import\\b[ \\t]*(\\([^)]*\\)|[^\\n;#]+)`, 'gu');
const plainImport = /(?:^|[;:\n])[ \t]*import[ \t]+([^\n;#(]+)/gu;
const named = new RegExp(`(?:import_module|__import__|run_module)[ \\t]*\\(\\s*['"](\\.*)(${name})['"]`, 'gu');

/** Finds the imports in a Python text, at any depth. Matches in comments are harmless. */
export function pythonImports(source: string): readonly PythonImport[] {
  const text = source.replace(/\\\r?\n/g, ' ').replace(/\r\n/g, '\n');
  return [
    ...[...text.matchAll(fromImport)].map(([, dots = '', module = '', members = '']) => ({
      name: module,
      members: namesOf(members.replace(/#[^\n]*/g, '').replace(/[()]/g, '')),
      level: dots.length,
    })),
    ...[...text.matchAll(plainImport)].flatMap(([, names = '']) =>
      namesOf(names).map((module) => ({ name: module, members: [], level: 0 })),
    ),
    ...[...text.matchAll(named)].map(([, dots = '', module = '']) => ({ name: module, members: [], level: dots.length })),
  ];
}

/**
 * Finds folders that a text may add to `sys.path`: the texts on lines that mention it, below the file's own folder or as many levels above
 * as any line with `__file__` goes up. Extra folders are harmless.
 */
export function pythonFolders(source: string, file: string): readonly string[] {
  if (!/sys\.path|addsitedir/.test(source)) return [];
  const lines = source.split('\n');
  const own = path.dirname(file);
  const ups = [0, ...lines.filter((line) => line.includes('__file__')).map(stepsUp)];
  const bases = [...new Set(ups)].map((count) => path.resolve(own, ...Array<string>(count).fill('..')));
  const joined = lines.filter((line) => /sys\.path|addsitedir|__file__/.test(line)).map((line) => textsIn(line).join('/'));
  return [...new Set(bases.flatMap((base) => ['', ...joined].map((part) => path.resolve(base, part))))];
}

/** Counts the levels that a line goes up: each `dirname` or `.parent` is one; the first leads to the file's own folder. */
function stepsUp(line: string): number {
  const parents = [...line.matchAll(/\.parents\[(\d+)\]/g)].reduce((sum, [, count]) => sum + Number(count) + 1, 0);
  const steps = [...line.matchAll(/\.parent\b|\bdirname\b/g)].length + parents;
  return Math.max(0, steps - 1);
}

function textsIn(line: string): readonly string[] {
  return [...line.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map(([, single, double]) => single ?? double ?? '');
}

function namesOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) => /^[\s]*([\p{L}\p{N}_.]+)/u.exec(entry)?.[1] ?? '')
    .filter((found) => found !== '');
}
