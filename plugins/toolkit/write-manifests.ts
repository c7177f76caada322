/** Part of the build: writes the manifest that is named first, of the folders that follow, so that a start need not parse their YAML files. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDefinition } from '../shared/definition-files/definition-text.ts';
import { type ManifestName, manifestFile, writeManifest } from '../shared/definition-files/manifest.ts';
import { parseSkill, skillFileName } from '../shared/definition-files/skill-file.ts';

const [name, ...roots] = process.argv.slice(2);
const files = await Promise.all(roots.map(parsedFiles));
await writeManifest(manifestFile(name as ManifestName), files.flat());

async function parsedFiles(root: string): Promise<{ text: string; value: unknown }[]> {
  const names = (await readdir(root, { recursive: true }))
    .filter((file) => /(\.ya?ml|SKILL\.md)$/.test(file) && !file.includes('node_modules'))
    .sort();
  const files = await Promise.all(
    names.map(async (relative) => {
      const file = path.join(root, relative);
      const text = await readFile(file, 'utf8');
      const parsed = path.basename(file) === skillFileName ? parseSkill(text, file) : parseDefinition(text, file);
      return 'value' in parsed ? [{ text, value: parsed.value }] : [];
    }),
  );
  return files.flat();
}
