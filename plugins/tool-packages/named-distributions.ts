import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type CodeFile, isPlainObject } from '../../kernel/index.ts';
import { pin, requirementNames, requirementPattern } from '../shared/pinned-code/code-file.ts';
import { ancestors } from '../shared/project/ancestors.ts';
import { isInUntrustedLocation } from '../shared/project/untrusted-location.ts';
import { readTextIfReadable } from '../shared/text/read-text.ts';

/**
 * Returns the Python distributions that the project names, normalized as in PEP 503: in pyproject.toml (its own name, PEP 621 dependencies and
 * optional dependencies, PEP 735 groups) and in requirements*.txt, from `cwd` upwards.
 */
export async function readNamedDistributions(cwd: string): Promise<ReadonlySet<string>> {
  const named: string[] = [];
  for (const folder of ancestors(cwd)) {
    const names = await readdir(folder).catch(() => []);
    const texts = names.filter((name) => name === 'pyproject.toml' || requirementPattern.test(name));
    for (const file of texts.map((name) => path.join(folder, name)).filter((file) => !isInUntrustedLocation(file))) {
      const text = (await readTextIfReadable(file)) ?? '';
      named.push(...(file.endsWith('.toml') ? await requirementsIn(text) : text.split(/\r?\n/)));
    }
  }
  return new Set(named.flatMap((line) => nameOf(line) ?? []));
}

/** Pins the files that name distributions, and the list of these files. */
export async function requirementFiles(cwd: string): Promise<readonly CodeFile[]> {
  const found: CodeFile[] = [];
  for (const folder of ancestors(cwd)) {
    const names = await readdir(folder).catch(() => []);
    found.push(pin(folder, requirementNames), pin(path.join(folder, 'pyproject.toml')));
    found.push(...names.filter((name) => requirementPattern.test(name)).map((name) => pin(path.join(folder, name))));
  }
  return found;
}

/** Normalizes a name: `toolkit_Shop` and `toolkit.shop` become `toolkit-shop`. */
export function normalizeName(name: string): string {
  return name.replace(/[-_.]+/g, '-').toLowerCase();
}

async function requirementsIn(text: string): Promise<string[]> {
  const { parse } = await import('smol-toml');
  try {
    const { project, 'dependency-groups': groups } = parse(text);
    const { name, dependencies, 'optional-dependencies': optional } = membersOf(project);
    const lists = [[name], dependencies, ...Object.values(membersOf(optional)), ...Object.values(membersOf(groups))];
    return lists.flatMap((list) => (Array.isArray(list) ? list : [])).filter((entry) => typeof entry === 'string');
  } catch {
    return [];
  }
}

/** Returns the name at the start of a requirement (PEP 508). */
function nameOf(requirement: string): string | undefined {
  const [, name] = /^\s*([A-Za-z0-9][\w.-]*)/.exec(requirement) ?? [];
  return name === undefined ? undefined : normalizeName(name);
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
