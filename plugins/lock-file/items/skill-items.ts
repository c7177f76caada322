import { hash } from 'node:crypto';
import { opendir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { JsonObject, Registry } from '../../../kernel/index.ts';
import { codeDigest, definitionDigest, plainJson } from './digests.ts';
import type { LockItem } from './lock-item.ts';

/** Maximum number of files of one skill. With more, none is recorded. */
const maxFiles = 1000;

/** Returns the skills of a registry, each with the files in its folder. */
export async function skillItems(
  { skills }: Pick<Registry, 'skills'>,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly LockItem[]> {
  const wanted = [...skills.values()].filter(({ name, origin }) => origin.isBuiltIn !== true && isWanted(name));
  return Promise.all(
    wanted.map(async ({ origin, ...skill }): Promise<LockItem> => {
      const definition = (): JsonObject => plainJson(skill);
      const files = origin.file === undefined ? new Map<string, string>() : await filesBeside(origin.file);
      const code = codeDigest(files);
      return {
        section: 'skills',
        name: skill.name,
        digest: definitionDigest(definition()),
        ...(code === undefined ? {} : { code }),
        definition,
        files,
      };
    }),
  );
}

/** Returns the SHA-256 of each file in the folder of a skill, by path with `/`. Links count by their presence alone: they are not followed. */
async function filesBeside(skillFile: string): Promise<ReadonlyMap<string, string>> {
  const folder = path.dirname(skillFile);
  const files = new Map<string, string>();
  const walk = async (at: string): Promise<void> => {
    for await (const entry of await opendir(path.join(folder, at))) {
      const place = at === '' ? entry.name : `${at}/${entry.name}`;
      // Front matter and text are the definition.
      if (path.join(folder, place) === skillFile) continue;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (files.size > maxFiles) return;
      if (entry.isDirectory()) await walk(place);
      else files.set(place, entry.isFile() ? hash('sha256', await readFile(path.join(folder, place)), 'hex') : 'no file');
    }
  };
  await walk('');
  return files.size > maxFiles ? new Map([[`more than ${maxFiles} files`, 'not read']]) : files;
}
