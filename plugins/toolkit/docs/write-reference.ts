/** `npm run docs`: writes the reference and the list of built-in definition keys from the source. Reads the schemas that the script writes before. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { builtInKeysFile, builtInKeysText } from './built-in-keys.ts';
import { referenceFolder, referencePages } from './reference-pages.ts';
import { loadShippedTools } from './shipped-tools.ts';

const root = process.cwd();
const folder = path.join(root, referenceFolder);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await referencePages(root, await loadShippedTools(root))))
  await writeFile(path.join(folder, name), text);
await writeFile(path.join(root, builtInKeysFile), await builtInKeysText());
