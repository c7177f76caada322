/**
 * Part of the build. With the argument `code`: writes the name of this build. With `core` or `packages` and folders: writes the parsed and linked
 * definitions of these folders, so that a start need neither parse nor link them.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { apiVersion, createKernel, createLogger, definePlugin } from '../../kernel/index.ts';
import { writeBuiltLinkCache } from '../shared/definition-files/built-link-cache.ts';
import { readDefinition } from '../shared/definition-files/earlier-form/read-definition.ts';
import { LinkCache } from '../shared/definition-files/link-cache.ts';
import { type ManifestName, manifestFile, writeManifest } from '../shared/definition-files/manifest.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { parseSkill, skillFileName } from '../shared/definition-files/skill-file.ts';
import { listDerivations } from '../shared/exposure/tool-listing.ts';
import { writeBuildName } from '../shared/project/build.ts';
import { standard } from './standard.ts';

const [name, ...roots] = process.argv.slice(2);
if (name === 'code') writeBuildName();
else await writeAll(name as ManifestName);

async function writeAll(manifest: ManifestName): Promise<void> {
  const files = await Promise.all(roots.map(parseFiles));
  await writeManifest(manifestFile(manifest), files.flat());
  const linkCache = new LinkCache();
  const { schemaVersion } = await linkDefinitions(manifest, linkCache);
  await writeBuiltLinkCache(manifest, schemaVersion, linkCache);
}

async function parseFiles(root: string): Promise<{ text: string; value: unknown }[]> {
  const names = (await readdir(root, { recursive: true }))
    .filter((file) => /(\.ya?ml|SKILL\.md)$/.test(file) && !file.includes('node_modules'))
    .sort();
  const files = await Promise.all(
    names.map(async (relative) => {
      const file = path.join(root, relative);
      const text = await readFile(file, 'utf8');
      const parsed = path.basename(file) === skillFileName ? parseSkill(text, file) : readDefinition(text, file);
      return 'value' in parsed ? [{ text, value: parsed.value }] : [];
    }),
  );
  return files.flat();
}

/** Links the definitions in the folders with the standard plugins. A problem ends the build: the cache must be complete. */
async function linkDefinitions(manifest: ManifestName, linkCache: LinkCache): Promise<{ schemaVersion: string }> {
  let schemaVersion = '';
  const reader = definePlugin({
    name: 'reader',
    apiVersion,
    apply: ({ hooks }) =>
      hooks.discover.tapPromise('reader', async (sink, { logger }) => {
        schemaVersion = sink.schemaVersion;
        for (const derivation of listDerivations) sink.derive(derivation);
        for (const root of roots) {
          const owner = manifest === 'core' ? {} : { package: { name: `@toolkit/${path.basename(root)}`, secrets: [] } };
          await scanDirectory(path.resolve(root), sink, logger, { trust: 'package', ...owner, linkCache });
        }
      }),
  });
  const plugins = [...standard({ includeCore: false, autoDiscover: false }), reader()];
  const kernel = await createKernel({ plugins, logger: createLogger({ level: 'error' }) });
  const [problem] = kernel.registry.problems;
  await kernel.close();
  if (problem !== undefined) throw new Error(`${problem.file}: ${problem.message}`);
  return { schemaVersion };
}
