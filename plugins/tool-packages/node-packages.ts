import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ancestors } from '../shared/project/ancestors.ts';
import { codeRoot } from '../shared/project/layout.ts';
import { isInUntrustedLocation } from '../shared/project/untrusted-location.ts';
import { type NamedPackages, readNamedPackages } from './named-packages.ts';

export interface ToolPackage {
  readonly name: string;
  /** Directories or files that contain definitions. */
  readonly paths: readonly string[];
  /** True when the package is installed beside this program and the project does not name it. @default false */
  readonly isUndeclared?: boolean;
}

/** Installed packages: `named` ones are named by the project or the options, `unnamed` ones are not. */
export interface FoundPackages {
  readonly named: readonly ToolPackage[];
  readonly unnamed: readonly ToolPackage[];
}

export interface NodePackagesOptions {
  /** Package names that are always taken. */
  readonly allow?: readonly string[];
  /** Called for a node_modules that another account has put into a world-writable folder: it is skipped. */
  readonly onUntrusted?: (folder: string) => void;
  /** The folder of the running program. @default this program */
  readonly program?: string;
}

const scope = '@toolkit';

/** This program itself, which has no tools. */
const ownNames: readonly string[] = ['core'];

/**
 * Finds the packages under the scope in every node_modules from `cwd` upwards, then from this program upwards. A package is taken when a package.json
 * there names it as a dependency or workspace, or when `allow` names it. Of packages with the same name the nearest wins.
 */
export async function findNodePackages(cwd: string, options: NodePackagesOptions = {}): Promise<FoundPackages> {
  const { allow = [], onUntrusted = () => {}, program = codeRoot() } = options;
  const taken = new Map<string, string>();
  const undeclared = new Set<string>();
  const left = new Map<string, string>();
  const project = ancestors(cwd);
  const { dependencies: projectDependencies } = await readNamedPackages(project);
  const aboveProgram = ancestors(program).filter((folder) => !project.includes(folder));
  for (const folders of [project, aboveProgram]) {
    const named = await readNamedPackages(folders);
    for (const folder of folders) {
      const modules = path.join(folder, 'node_modules');
      const names = (await namesIn(path.join(modules, scope))).filter((name) => !ownNames.includes(name));
      const isForeign = names.length > 0 && isInUntrustedLocation(modules);
      if (isForeign) onUntrusted(modules);
      for (const short of isForeign ? [] : names) {
        const name = `${scope}/${short}`;
        const link = path.join(modules, scope, short);
        // A broken link stays as it is: reading it reports the problem.
        const real = await realpath(link).catch(() => link);
        const isTaken = allow.includes(name) || isNamed(named, name, real) || (folders === aboveProgram && isGlobal(folder, program));
        const found = isTaken ? taken : left;
        if (found.has(name)) continue;
        found.set(name, real);
        if (folders === aboveProgram && !allow.includes(name) && !projectDependencies.has(name)) undeclared.add(name);
      }
    }
  }
  const namedList = sortPackages(taken).map((one) => (undeclared.has(one.name) ? { ...one, isUndeclared: true } : one));
  return { named: namedList, unnamed: sortPackages(left).filter(({ name }) => !taken.has(name)) };
}

function isNamed({ dependencies, isWorkspace }: NamedPackages, name: string, real: string): boolean {
  return dependencies.has(name) || isWorkspace(real);
}

/** True for the global node_modules that holds this program. It belongs to no package.json, and has only packages installed by name. */
function isGlobal(folder: string, program: string): boolean {
  return program.startsWith(path.join(folder, 'node_modules') + path.sep) && !existsSync(path.join(folder, 'package.json'));
}

function sortPackages(found: ReadonlyMap<string, string>): ToolPackage[] {
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, folder]) => ({ name, paths: [folder] }));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  } catch {
    return [];
  }
}
