import { acceptChanges, readAcceptChanges } from './accept-changes.ts';
import type { Endpoint } from './endpoint.ts';
import { sourcesPage } from './sources-page.ts';

/** The sources with what waits to be accepted, and accepting it. */
export const sourcesEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'sources', answer: (_request, { kernel }) => sourcesPage(kernel) },
  {
    method: 'POST',
    path: 'sources/{name}/accept',
    async answer({ values: { name = '' }, body, by }, { kernel, logger }) {
      const given = readAcceptChanges(body);
      await acceptChanges(kernel, name, given);
      logger.info('changes of a source were accepted', { source: name, names: given.changes.map((change) => change.name), by: by.name });
      return sourcesPage(kernel);
    },
  },
];
