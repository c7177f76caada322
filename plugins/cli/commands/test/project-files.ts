import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Tool } from '../../../../kernel/index.ts';
import { isInside } from '../../../shared/project/is-inside.ts';
import type { Cassette } from './cassette/cassette.ts';

/** Bytes. A larger file is not copied: whoever needs it writes a small one for the test. */
const maxBytes = 64 * 1024;

/**
 * The files of the project that the examples of a tool read (`path: read`), for its first cassette. Hidden ones, which may hold secrets, are left
 * out, and so is what is no file.
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
