/**
 * Part of the build: writes the console's page to `dist/plugins/console/assets/` as one script and one style sheet, named by their content, with
 * `assets.json` that says these names. A folder as argument is written instead.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, transform } from 'esbuild';
import { compileTemplates } from './compile-templates.mjs';

const folder = process.argv[2] ?? 'dist/plugins/console/assets';
const page = 'plugins/console/page';

/** Compiles the templates of the page's modules. */
const templates = {
  name: 'templates',
  setup({ onLoad }) {
    onLoad({ filter: /console[\\/]page[\\/].*\.ts$/ }, async ({ path: file }) => {
      // Own text: a module of the page.
      const { code } = await transform(await readFile(file, 'utf8'), {
        loader: 'ts',
        target: 'es2022',
        tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
      });
      return { contents: /\bhtml\.ts"/.test(code) ? `import { h } from 'preact';\n${compileTemplates(code)}` : code, loader: 'js' };
    });
  },
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const { metafile } = await build({
  entryPoints: [
    { in: `${page}/main.ts`, out: 'app' },
    { in: `${page}/style/app.css`, out: 'app' },
  ],
  entryNames: '[name]-[hash]',
  outdir: folder,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  plugins: [templates],
  legalComments: 'none',
  logLevel: 'warning',
  tsconfig: `${page}/tsconfig.json`,
});
const files = Object.keys(metafile.outputs).map((file) => path.basename(file));
const assets = { script: files.find((name) => name.endsWith('.js')), style: files.find((name) => name.endsWith('.css')) };
await writeFile(path.join(folder, 'assets.json'), `${JSON.stringify(assets)}\n`);
