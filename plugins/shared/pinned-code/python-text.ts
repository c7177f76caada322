import path from 'node:path';

/** A module that a text imports. */
export interface PythonImport {
  /** Dotted; empty in `from . import x`. */
  readonly name: string;
  /** Of the names behind `from … import`, each of which may be a module. */
  readonly members: readonly string[];
  /** How many dots stand before the name: 0 for an absolute one. */
  readonly level: number;
}

const name = '[\\p{L}\\p{N}_.]+';
const fromImport = new RegExp(`(?:^|[;:\\n])[ \\t]*from[ \\t]+(\\.*)[ \\t]*(${name}|)[ \\t]*import\\b[ \\t]*(\\([^)]*\\)|[^\\n;#]+)`, 'gu');
const plainImport = /(?:^|[;:\n])[ \t]*import[ \t]+([^\n;#(]+)/gu;
const named = new RegExp(`(?:import_module|__import__|run_module)[ \\t]*\\(\\s*['"](\\.*)(${name})['"]`, 'gu');

/** Finds the imports that stand in a text of Python, at any depth. A comment that looks like one is taken for one, which does no harm. */
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
 * Finds folders that a text may add to `sys.path`: the texts on each line that names it, below its own folder or as many above it as any line with
 * `__file__` goes up. More than are there is no harm.
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

/** Each `dirname` or `.parent` of a file goes up once; the first one leads to its own folder. */
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
