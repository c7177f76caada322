/** `npm run docs:site`: writes the reference, the guides and a page for each tool as a site, `dist/site`. Run after a build. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { referencePages } from '../reference-pages.ts';
import { shippedTools } from '../shipped-tools.ts';
import { siteFiles } from './site-files.ts';
import { sitePages } from './site-pages.ts';

const root = process.cwd();
const folder = path.join(root, 'dist', 'site');
const tools = await shippedTools(root);
const reference = await referencePages(root, tools);
const files = await siteFiles(await sitePages(root, tools, reference), reference['llms.txt']);
await rm(folder, { recursive: true, force: true });
for (const [address, text] of files) {
  const file = path.join(folder, address);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
process.stdout.write(`${files.size} files in dist/site: open dist/site/index.html\n`);
