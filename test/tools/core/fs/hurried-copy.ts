import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

/**
 * Like `hurriedTool`, for a tool that gives work to a thread by the name of a module beside its definition: those modules and
 * their folders are links in the folder.
 */
export async function hurriedCopy(folder: string, definition: URL, timeoutMs: number): Promise<void> {
  const original = parse(await readFile(definition, 'utf8')) as { execution: object };
  const source = path.dirname(definition.pathname);
  const modules = (await readdir(source)).filter((name) => !name.endsWith('.yaml'));
  await Promise.all(modules.map((name) => symlink(path.join(source, name), path.join(folder, name))));
  const copy = { ...original, name: 'hurried', execution: { ...original.execution, timeout_ms: timeoutMs }, examples: [] };
  await writeFile(path.join(folder, 'hurried.yaml'), JSON.stringify(copy));
}
