import Type from 'typebox';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { LinkCaches } from '../shared/definition-files/link-caches.ts';
import { builtManifest } from '../shared/definition-files/manifest.ts';
import { reserveKeys } from '../shared/definition-files/reserved-keys.ts';
import { scanDirectory } from '../shared/definition-files/scan-directory.ts';
import { codeRoot, runsFromSource } from '../shared/project/layout.ts';

/** Loads the tools of this package. */
export const coreTools = definePlugin({
  name: 'core-tools',
  apiVersion,
  optionsSchema: Type.Object({ directory: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  apply(kernel, { directory }) {
    reserveKeys(kernel);
    kernel.extend.controlFiles(runsFromSource ? directory : codeRoot(), { what: 'this program' });
    const known = builtManifest('core');
    const linkCaches = new LinkCaches({ built: 'core' });
    const owner = { trust: 'package', isBuiltIn: true } as const;
    kernel.hooks.discover.tapPromise('core-tools', (sink, { logger }) =>
      scanDirectory(directory, sink, logger, { ...owner, known, linkCache: linkCaches.forRoot(directory, owner, sink) }),
    );
    kernel.hooks.dispose.tapPromise('core-tools', () => linkCaches.settled());
  },
});
