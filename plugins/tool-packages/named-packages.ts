import path from 'node:path';
import { isPlainObject } from '../../kernel/index.ts';
import { isInUntrustedLocation } from '../shared/project/untrusted-location.ts';
import { readTextIfReadable } from '../shared/text/read-text.ts';

/** What the package.json files of some folders name. */
export interface NamedPackages {
  readonly dependencies: ReadonlySet<string>;
  /** True for the folder of a workspace. */
  isWorkspace(folder: string): boolean;
}

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** A package.json that another account has put into a folder of all accounts names nothing, and neither does a damaged one. */
export async function namedPackages(folders: readonly string[]): Promise<NamedPackages> {
  const dependencies = new Set<string>();
  const workspaces: RegExp[] = [];
  for (const folder of folders) {
    const file = path.join(folder, 'package.json');
    const written = isInUntrustedLocation(file) ? {} : parsed((await readTextIfReadable(file)) ?? '{}');
    for (const key of dependencyKeys) for (const name of Object.keys(asObject(written[key]))) dependencies.add(name);
    const patterns = Array.isArray(written['workspaces']) ? written['workspaces'] : asObject(written['workspaces'])['packages'];
    if (Array.isArray(patterns)) workspaces.push(...patterns.map((pattern) => folderPattern(folder, String(pattern))));
  }
  return { dependencies, isWorkspace: (folder) => workspaces.some((pattern) => pattern.test(folder)) };
}

/** `packages/*` as npm reads it; `**` stands for any folders. */
function folderPattern(folder: string, pattern: string): RegExp {
  const place = path.join(folder, pattern).replace(/[\\/]$/, '');
  const source = place
    .split(/(\*\*|\*)/)
    .map((part) => (part === '**' ? '.*' : part === '*' ? '[^/\\\\]*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function parsed(text: string): Readonly<Record<string, unknown>> {
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
