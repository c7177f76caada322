/** `npm run docs:site [-- --base /toolkit/]`: makes a site of the guides, the reference and a page for each tool, `dist/site`. Run after a build. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { referencePages } from '../reference-pages.ts';
import { loadShippedTools } from '../shipped-tools.ts';
import { buildSite } from './build-site.ts';
import { sitePages } from './site-pages.ts';
import { siteSource } from './site-source.ts';

const given = parseArgs({ options: { base: { type: 'string', default: '/' } } }).values.base;
const base = `/${given}/`.replace(/\/+/g, '/');
const root = process.cwd();
const tools = await loadShippedTools(root);
const reference = await referencePages(root, tools);
// Own text: package.json.
const { description } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { readonly description: string };
const pages = await sitePages(root, tools, reference);
const source = await siteSource(pages, { root, base, title: 'toolkit', description, llms: reference['llms.txt'] });
await buildSite(source, { root, outDir: path.join(root, 'dist', 'site') });
process.stdout.write(`${pages.length} pages in dist/site, for a web server that has them at ${base}\n`);
