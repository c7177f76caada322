/** Prints the packages that a build needs in addition to the installed ones, for an install without the other development dependencies. */
import { readFile } from 'node:fs/promises';
import { inlined } from './bundle-options.mjs';

/** The packages of the console's page, which its script is made of. */
const ofPage = ['htm', 'preact'];

// Own text: package.json.
const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'));
const needed = ['esbuild', ...inlined, ...ofPage].filter((name) => name in devDependencies);
process.stdout.write(needed.map((name) => `${name}@${devDependencies[name]}\n`).join(''));
