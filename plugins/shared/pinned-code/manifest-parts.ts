import { isPlainObject } from '../../../kernel/index.ts';

/** Keys of a package.json that decide which code runs, by part name. Scripts, versions and other keys are not pinned. */
const parts: Readonly<Record<string, readonly string[]>> = {
  /** Targets of `#name` imports. */
  imports: ['imports'],
  /** Module format, and the names by which others import it. */
  module: ['type', 'name', 'exports', 'main', 'module'],
  workspaces: ['workspaces'],
};

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Returns one part of a package.json as text, without order and versions, which do not matter. Empty for a damaged file. */
export function manifestPart(text: string, part: string): string {
  const written = parsed(text);
  if (part !== 'dependencies') return JSON.stringify((parts[part] ?? []).map((key) => written[key] ?? null));
  const names = dependencyKeys.flatMap((key) => (isPlainObject(written[key]) ? Object.keys(written[key]) : []));
  return JSON.stringify([...new Set(names)].sort());
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    // No number: names, imports and workspaces.
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
