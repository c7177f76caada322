import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { servers } from './equal/cases.ts';
import type { Asked, Era, RecordedClient } from './equal/recorded-client.ts';
import { rewritten } from './equal/rewrites.ts';
import { byOurNames, directly, throughUs } from './equal/through-us.ts';

const title = ({ method, params }: Asked): string => `${method} ${JSON.stringify(params).slice(0, 90)}`;

for (const server of servers) {
  describe(`${server.name}, answered through us and directly`, function () {
    this.timeout(120_000);
    let folder: string;
    const answers = new Map<string, unknown>();

    before(async () => {
      folder = await realpath(await mkdtemp(path.join(tmpdir(), 'upstreams-')));
      await server.prepare?.(folder);
      const client = await directly(server, folder);
      for (const request of server.requests(folder)) answers.set(title(request), rewritten(await client.ask(request)));
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

        // The requests depend on each other: a file is read after it is written.
        for (const [index, request] of server.requests('/').entries())
          it(`is equal for ${index + 1}: ${title(request)}`, async () => {
            const asked = server.requests(folder)[index] as Asked;
            const expected = answers.get(title(asked));
            expect(rewritten(await client.ask(byOurNames(asked)))).to.deep.equal(expected);
          });
      });
  });
}
