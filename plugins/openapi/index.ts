import path from 'node:path';
import { apiVersion, definePlugin } from '../../kernel/index.ts';
import { lockSource } from '../shared/lock/lock-source.ts';
import { SourceCaches } from '../shared/source-cache/source-caches.ts';
import { addCommand } from './commands/add/command.ts';
import { diffCommand } from './commands/diff/command.ts';
import { ejectCommand } from './commands/eject/command.ts';
import { inspectCommand } from './commands/inspect/command.ts';
import { testSourceCommand } from './commands/test/command.ts';
import { updateCommand } from './commands/update/command.ts';
import { isUrl } from './location.ts';
import { OpenapiOptionsSchema } from './options.ts';
import { documentSource } from './source.ts';

export type { DocumentSource, OpenapiOptions } from './options.ts';

/** Makes tools of OpenAPI documents: each document is a source with a name, which its tools begin with. */
export const openapi = definePlugin({
  name: 'openapi',
  apiVersion,
  optionsSchema: OpenapiOptionsSchema,
  commands: [inspectCommand, addCommand, diffCommand, updateCommand, ejectCommand, testSourceCommand],
  apply({ extend, cwd, hooks }, { sources = {} }) {
    for (const name of ['toolkit.lock', 'toolkit.lock.*'])
      extend.controlFiles(path.join(cwd, name), { what: 'what was accepted of sources' });
    if (Object.keys(sources).length === 0) return;
    const caches = new SourceCaches();
    hooks.dispose.tapPromise('openapi', () => caches.settled());
    for (const [name, source] of Object.entries(sources)) {
      for (const file of [source.document, source.overlay])
        if (file !== undefined && !isUrl(file))
          extend.controlFiles(path.resolve(cwd, file), { what: `the document of the source ${name}` });
      extend.source(name, documentSource({ name, source, folder: cwd, cache: caches.of(name) }));
      extend.fact(lockSource, {
        section: 'documents',
        name,
        entry: isUrl(source.document) ? 'required' : 'optional',
        async compare(invocation) {
          const { compareForLock } = await import('./commands/compare-for-lock.ts');
          return compareForLock(invocation, name);
        },
      });
    }
  },
});
