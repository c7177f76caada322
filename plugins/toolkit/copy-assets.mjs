/**
 * Part of the build: copies into dist what is read as it is, such as definitions, templates and handlers in Python. Code comes by the bundle;
 * pages for people, and what only the build runs, stay where they are.
 */
import { chmodSync, cpSync } from 'node:fs';

const left = [
  /\.m?ts$/,
  /^plugins\/.*\.md$/,
  /^plugins\/toolkit\/(build|build-packages|bundle|bundle-options|copy-assets|write-code-cache)\.mjs$/,
  /^plugins\/toolkit\/schemas\/.*\.mjs$/,
  /^plugins\/toolkit\/(docs|reference)$/,
  /^plugins\/mcp\/docker$/,
  /^plugins\/python-sdk$/,
  /^plugins\/executor-function\/source-threads\.mjs$/,
];

for (const folder of ['tools/core', 'plugins'])
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (file) => !left.some((pattern) => pattern.test(file.replaceAll('\\', '/'))),
  });
chmodSync('dist/plugins/toolkit/main.js', 0o755);
