import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';

export interface Source {
  /** Relative to this repository. */
  readonly file: string;
  readonly content: Buffer;
  /** Holds the provider of the tool and the modules that are named, so that more than their absence is found. */
  readonly folder: string;
  /** Where a mutant of it lies. */
  readonly place: string;
}

/** All definitions and skills that come with this program, and those of the tests. */
export function sourceFiles(): Promise<string[]> {
  const patterns = ['tools', 'fixtures'].flatMap((folder) => [`${folder}/**/*.{yaml,yml}`, `${folder}/**/SKILL.md`]);
  return glob(patterns, { ignore: ['**/node_modules/**'], dot: false }).then((found) => found.sort());
}

/** The file with what lies around it, in a folder of its own below `ground`. */
export async function sourceIn(ground: string, file: string): Promise<Source> {
  const content = await readFile(file);
  const folder = path.join(ground, file.replaceAll(/[^\w.-]+/g, '+'), path.basename(path.dirname(file)));
  await mkdir(folder, { recursive: true });
  for (const [name = ''] of content.toString('utf8').matchAll(/\.\/[\w./-]+\.(?:ts|js|mjs|cjs|py)\b/g)) {
    const module = path.join(folder, name);
    await mkdir(path.dirname(module), { recursive: true });
    await writeFile(module, '');
  }
  const provider = path.join(path.dirname(file), 'definition.yaml');
  const name = path.basename(file) === 'SKILL.md' ? 'SKILL.md' : 'mutant.yaml';
  if (path.basename(file) !== 'definition.yaml' && existsSync(provider))
    await writeFile(path.join(folder, 'definition.yaml'), await readFile(provider));
  return { file, content, folder, place: path.join(folder, name) };
}
