import { isPlainObject } from '../../../kernel/index.ts';

/** The keys of a package.json that decide which code runs, by the word under which a part is pinned. Scripts, versions and the rest are anybody's. */
const parts: Readonly<Record<string, readonly string[]>> = {
  /** Where `#name` leads. */
  imports: ['imports'],
  /** How its modules are read, and what they are called by others. */
  module: ['type', 'name', 'exports', 'main', 'module'],
  workspaces: ['workspaces'],
};

const dependencyKeys = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Returns one part of a package.json as text, without the order and the versions that decide nothing; a damaged one has none. */
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
