/**
 * Part of the build: copies files that are read as they are to dist, such as definitions, templates and Python handlers. The bundle has the code;
 * pages for people and files that only the build runs are not copied.
 */
import { chmodSync, cpSync } from 'node:fs';

const left = [
  /\.m?ts$/,
  /^plugins\/.*\.md$/,
  /^plugins\/toolkit\/(build|build-console|build-packages|compile-templates|bundle|bundle-options|copy-assets|write-code-cache)\.mjs$/,
  /^plugins\/toolkit\/schemas\/.*\.mjs$/,
  /^plugins\/toolkit\/(docs|reference)$/,
  /^plugins\/mcp\/docker$/,
  /^plugins\/console\/page$/,
  /^plugins\/python-sdk$/,
  /^plugins\/executor-function\/source-threads\.mjs$/,
];

for (const folder of ['tools/core', 'plugins'])
  cpSync(folder, `dist/${folder}`, {
    recursive: true,
    filter: (file) => !left.some((pattern) => pattern.test(file.replaceAll('\\', '/'))),
  });
chmodSync('dist/plugins/toolkit/main.js', 0o755);
