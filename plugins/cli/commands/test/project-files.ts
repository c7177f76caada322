import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Tool } from '../../../../kernel/index.ts';
import { isInside } from '../../../shared/project/is-inside.ts';
import type { Cassette } from './cassette/cassette.ts';

/** Maximum size in bytes. A larger file is not copied: a test needs a small one. */
const maxBytes = 64 * 1024;

/**
 * Reads the project files that the tool's examples name (`path: read`), for its first cassette. Leaves out hidden files, which may hold
 * secrets, and everything that is not a file.
 */
export async function projectFiles({ definition, parameters }: Tool, cwd: string): Promise<NonNullable<Cassette['files']>> {
  const read = Object.keys(parameters).filter((name) => parameters[name]?.path === 'read');
  const named = (definition.examples ?? []).flatMap((example) => read.flatMap((name) => [example.parameters[name]].flat()));
  const files: Record<string, string | { base64: string }> = {};
  for (const name of new Set(named.filter((value) => typeof value === 'string'))) {
    const file = path.resolve(cwd, name);
    const isHidden = path
      .normalize(name)
      .split(path.sep)
      .some((part) => part.startsWith('.'));
    if (isHidden || !isInside(file, cwd)) continue;
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true || found.size > maxBytes) continue;
    const bytes = await readFile(file);
    // Own text: compared with its bytes below
    const text = bytes.toString('utf8');
    files[path.relative(cwd, file).split(path.sep).join('/')] = Buffer.from(text).equals(bytes)
      ? text
      : { base64: bytes.toString('base64') };
  }
  return files;
}
