import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { servers } from './equal/cases.ts';
import { differences } from './equal/differences.ts';
import { KnownDifferences } from './equal/known-differences.ts';
import type { Asked, Era, RecordedClient } from './equal/recorded-client.ts';
import { prefix, rewritten, rewrittenNotice } from './equal/rewrites.ts';
import { byOurNames, directly, throughUs } from './equal/through-us.ts';

const known = new KnownDifferences();

const title = ({ method, params }: Asked): string => `${method} ${JSON.stringify(params).slice(0, 90)}`;

for (const server of servers) {
  describe(`${server.name}, answered through us and directly`, () => {
    let folder: string;
    let change: unknown;
    const answers = new Map<number, unknown>();

    before(async () => {
      folder = await realpath(await mkdtemp(path.join(tmpdir(), 'upstreams-')));
      await server.prepare?.(folder);
      const client = await directly(server, folder);
      for (const [index, request] of server.requests(folder).entries()) answers.set(index, rewritten(await client.ask(request)));
      if (server.watched !== undefined) change = rewrittenNotice(await client.changeOf(server.watched, 'touch'));
      await client.close();
    });

    after(() => rm(folder, { recursive: true, force: true }));

    for (const era of ['2025', '2026'] as const satisfies readonly Era[])
      describe(`to a client of ${era}`, () => {
        let client: RecordedClient;

        before(async () => {
          await server.prepare?.(folder);
          client = await throughUs(era, server, folder);
        });

        after(() => client?.close());

        if (server.watched !== undefined)
          it('reports a change of a resource in the same way', async () => {
            const notice = await client.changeOf(server.watched as string, `${prefix}touch`);
            expect(rewrittenNotice(notice)).to.deep.equal(change);
          });

        // The requests depend on each other: a file is read after it is written.
        for (const [index, request] of server.requests('/').entries())
          it(`is equal for ${index + 1}: ${title(request)}`, async () => {
            const asked = server.requests(folder)[index] as Asked;
            const found = differences(rewritten(await client.ask(byOurNames(asked))), answers.get(index));
            expect(found.filter((difference) => !known.has(asked.method, difference))).to.deep.equal([]);
          });
      });
  });
}

describe('the known differences', () => {
  it('are all found: none is left that is mended', () => {
    expect(known.unseen).to.deep.equal([]);
  });
});
