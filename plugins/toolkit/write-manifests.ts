/** Part of the build: writes the manifest of each folder that is named, so that a start need not parse its YAML files. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDefinition } from '../shared/definition-files/definition-text.ts';
import { writeManifest } from '../shared/definition-files/manifest.ts';
import { parseSkill, skillFileName } from '../shared/definition-files/skill-file.ts';

for (const root of process.argv.slice(2)) {
  const names = (await readdir(root, { recursive: true }))
    .filter((name) => /(\.ya?ml|SKILL\.md)$/.test(name) && !name.includes('node_modules'))
    .sort();
  const files = await Promise.all(
    names.map(async (name) => {
      const file = path.join(root, name);
      const text = await readFile(file, 'utf8');
      const parsed = path.basename(file) === skillFileName ? parseSkill(text, file) : parseDefinition(text, file);
      return 'value' in parsed ? [{ text, value: parsed.value }] : [];
    }),
  );
  await writeManifest(root, files.flat());
}
