import os from 'node:os';
import { expect } from 'chai';
import { pollIntervalMs } from '../../plugins/store-libsql/sql-file.ts';
import { percentile } from '../bench/rows.ts';
import { inRound, isWholeRound } from '../support/round.ts';
import type { Server } from './approvals/server.ts';
import { Site, type SiteOptions } from './approvals/site.ts';
import { type OwnBrowser, startBrowser } from './console/browser.ts';
import { InboxPage } from './console-latency/inbox-page.ts';
import { figures } from './faults/figures.ts';
import { RealServer } from './postgres/server.ts';

const count = inRound({ whole: 50, short: 3 });
const caller = 'client';

/** Limit of the 95th percentile, from the time of the record to its row in the page, in milliseconds. */
const oneProcessMs = 250;

interface Case {
  readonly title: string;
  readonly maker: 0 | 1;
  readonly limitMs: number;
}

let database: RealServer;

const stores: readonly {
  readonly name: string;
  readonly open: () => Promise<Pick<SiteOptions, 'storeUrl'>>;
  /** Limit where another process has made the record. */
  readonly ofOthersMs: number;
}[] = [
  // One poll of the file more.
  { name: 'a SQLite file', open: async () => ({}), ofOthersMs: oneProcessMs + pollIntervalMs },
  { name: 'PostgreSQL', open: async () => ({ storeUrl: await database.makeDatabase() }), ofOthersMs: 1000 },
];

describe('a record that is made while the inbox is open', function () {
  this.timeout(600_000);

  let own: OwnBrowser;
  before(async () => {
    database = await RealServer.start();
    own = await startBrowser();
  });
  after(async () => {
    await own?.close();
    await database?.undo();
    await database?.stop();
  });

  for (const { name, open, ofOthersMs } of stores)
    describe(`on ${name}`, () => {
      let site: Site;
      let servers: readonly [Server, Server];
      let inbox: InboxPage;
      before(async () => {
        site = await Site.open({ ...(await open()), callers: [caller], hasConsole: true, approvals: { maxWaiting: 1000 } });
        servers = [await site.start(), await site.start()];
        inbox = await InboxPage.open(own.browser, servers[0].port, await site.consoleCode());
      });
      after(async () => {
        await inbox?.close();
        await site?.close();
      });

      const cases: readonly Case[] = [
        { title: 'by the process of the page', maker: 0, limitMs: oneProcessMs },
        { title: 'by another process', maker: 1, limitMs: ofOthersMs },
      ];
      for (const { title, maker, limitMs } of cases)
        it(`shows without a reload${isWholeRound ? `, p95 within ${limitMs} ms` : ''}, made ${title}`, async () => {
          const server = servers[maker];
          const ages: number[] = [];
          // The first one may come while the page still connects.
          for (let number = 0; number <= count; number++) {
            const id = await hold(server, `${maker}-${number}`);
            const shownAt = await inbox.shownAt(id);
            const { createdAt } = await server.order('show', { approval: id });
            ages.push(shownAt - createdAt);
          }
          const counted = ages.slice(1);
          expect(counted.filter(Number.isFinite)).to.have.length(count);
          if (!isWholeRound) return;
          const [p50, p95, max] = [0.5, 0.95, 1].map((share) => percentile(counted, share));
          // Times say something on a machine that does nothing else.
          const load = `load ${os.loadavg()[0]?.toFixed(1)} on ${os.availableParallelism()} cores`;
          figures(`${name}, made ${title}: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms of ${count}; ${load}`);
          expect(p95, load).to.be.at.most(limitMs);
        });

      it('shows also when it was made after the page has read the list and before it hears of changes', async () => {
        let connect = (): void => {};
        const connects = new Promise<void>((resolve) => {
          connect = resolve;
        });
        const late = await InboxPage.open(own.browser, servers[0].port, await site.consoleCode(), connects);
        try {
          const id = await hold(servers[1], 'before the connection');
          // The page that hears of it: whatever was on its way to all pages has come.
          await inbox.shownAt(id);
          connect();
          expect(await late.shownAt(id)).to.be.a('number');
        } finally {
          await late.close();
        }
      });
    });

  async function hold(server: Server, key: string): Promise<string> {
    const { failure } = await server.order('call', { caller, parameters: { key } });
    expect(failure?.code, JSON.stringify(failure)).to.equal('APPROVAL_REQUIRED');
    return String(failure?.details?.['approval']);
  }
});
