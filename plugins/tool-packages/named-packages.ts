import path from 'node:path';
import { isPlainObject } from '../../kernel/index.ts';
import { isInUntrustedLocation } from '../shared/project/untrusted-location.ts';
import { readTextIfReadable } from '../shared/text/read-text.ts';

/** Packages that the package.json files of some folders name. */
export interface NamedPackages {
  readonly dependencies: ReadonlySet<string>;
  /** True for the folder of a workspace. */
  isWorkspace(folder: string): boolean;
}

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Reads the package.json files. Ignores a damaged one, and one that another account has put into a world-writable folder. */
export async function readNamedPackages(folders: readonly string[]): Promise<NamedPackages> {
  const dependencies = new Set<string>();
  const workspaces: RegExp[] = [];
  for (const folder of folders) {
    const file = path.join(folder, 'package.json');
    const packageJson = isInUntrustedLocation(file) ? {} : parsePackageJson((await readTextIfReadable(file)) ?? '{}');
    for (const key of dependencyKeys) for (const name of Object.keys(asObject(packageJson[key]))) dependencies.add(name);
    const patterns = Array.isArray(packageJson['workspaces']) ? packageJson['workspaces'] : asObject(packageJson['workspaces'])['packages'];
    if (Array.isArray(patterns)) workspaces.push(...patterns.map((pattern) => folderPattern(folder, String(pattern))));
  }
  return { dependencies, isWorkspace: (folder) => workspaces.some((pattern) => pattern.test(folder)) };
}

/** Converts a workspace pattern such as `packages/*` as npm does; `**` matches any folders. */
function folderPattern(folder: string, pattern: string): RegExp {
  const absolute = path.join(folder, pattern).replace(/[\\/]$/, '');
  const source = absolute
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/\\\\]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function parsePackageJson(text: string): Readonly<Record<string, unknown>> {
  try {
    // No number: names of packages.
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isPlainObject(value) ? value : {};
}
