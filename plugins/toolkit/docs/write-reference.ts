/** `npm run docs`: writes the reference from the source. Needs a build, which writes the schemas that it reads. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { referenceFolder, referencePages } from './reference-pages.ts';
import { loadShippedTools } from './shipped-tools.ts';

const root = process.cwd();
const folder = path.join(root, referenceFolder);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await referencePages(root, await loadShippedTools(root))))
  await writeFile(path.join(folder, name), text);
