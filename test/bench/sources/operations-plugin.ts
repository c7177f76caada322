import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Type from 'typebox';
import { apiVersion, definePlugin } from '../../../kernel/index.ts';
import { SourceCaches } from '../../../plugins/shared/source-cache/source-caches.ts';
import { definitionsOf } from './operations.mjs';

const Document = Type.Object({ document: Type.String() }, { additionalProperties: false });

/** Sources as plugins make them of documents: the version of a listing is the text of its document, from which definitions are generated. */
export default definePlugin({
  name: 'operations',
  apiVersion,
  optionsSchema: Type.Object({ sources: Type.Record(Type.String(), Document) }, { additionalProperties: false }),
  apply({ extend, hooks, cwd }, { sources }) {
    const caches = new SourceCaches({ build: 'bench' });
    hooks.dispose.tapPromise('operations', () => caches.settled());
    for (const [name, { document }] of Object.entries(sources))
      extend.source(name, {
        executionTypes: ['http'],
        trust: 'all',
        cache: caches.of(name),
        timeoutMs: 60_000,
        async list({ sink }) {
          const text = await readFile(path.resolve(cwd, document), 'utf8');
          if (sink.useCached(text)) return;
          // Own text: a few numbers that the benchmark wrote.
          const { provider, tools } = definitionsOf(name, JSON.parse(text));
          sink.addProvider(provider);
          for (const tool of tools) sink.addTool(tool);
        },
      });
  },
});
