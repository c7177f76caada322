import { expect } from 'chai';
import type { ApprovalRecord } from '../../kernel/index.ts';
import { randomNumbers } from '../support/random.ts';
import { inRound } from '../support/round.ts';
import { until } from '../support/until.ts';
import { type Approver, type Attempt, commandLine } from './approvals/approvers.ts';
import { plainClient } from './approvals/clients.ts';
import { decideBefore, expectOneDecision, raceFor } from './approvals/races.ts';
import type { Server } from './approvals/server.ts';
import { Site, type SiteOptions } from './approvals/site.ts';
import { consoleDecisions, consoleSelection } from './console-race/console-approvers.ts';
import { ConsoleSession } from './console-race/console-session.ts';
import { figures } from './faults/figures.ts';
import { RealServer } from './postgres/server.ts';

const count = inRound({ whole: 200, short: 24 });
/** Records that each way decides before the others, so that it wins some in every round. */
const foreseen = 2;

const callers = Array.from({ length: 8 }, (_, index) => `client ${index}`);

let database: RealServer;

const stores: readonly { readonly name: string; readonly store: () => Promise<Pick<SiteOptions, 'storeUrl'>> }[] = [
  { name: 'a SQLite file', store: async () => ({}) },
  { name: 'PostgreSQL', store: async () => ({ storeUrl: await database.makeDatabase() }) },
];

describe('racing approvers over console and command line', function () {
  this.timeout(600_000);

  before(async () => {
    database = await RealServer.start();
  });
  after(async () => {
    await database?.undo();
    await database?.stop();
  });

  for (const { name, store } of stores)
    describe(`on ${name}`, () => {
      let site: Site;
      let servers: readonly [Server, Server];
      let records: readonly ApprovalRecord[];
      let attempts: readonly Attempt[];

      before(async () => {
        site = await Site.open({ ...(await store()), callers, hasConsole: true });
        servers = [await site.start(), await site.start()];
        await Promise.all(callers.map(hold));
        records = await readRecords();
        expect(records).to.have.length(count);
      });
      after(() => site?.close());

      it(`decide ${count} records once each, and the late ones are told who was first and by what`, async () => {
        const random = randomNumbers(53);
        const approvers = await openApprovers();
        const begin = performance.now();
        const [byConsole, byCommandLine, others] = [
          records.slice(0, foreseen),
          records.slice(foreseen, 2 * foreseen),
          records.slice(2 * foreseen),
        ];
        const [one, another, selection, command, ...more] = approvers;
        attempts = [
          ...(await decideBefore(byConsole, [one, another, selection, command, ...more], true)),
          ...(await decideBefore(byCommandLine, [command, another, selection, one, ...more], false)),
          ...(await raceFor(others, approvers, random)),
        ];
        const seconds = ((performance.now() - begin) / 1000).toFixed(1);
        records = await readRecords();
        expect(records).to.have.length(count);
        const wins = expectOneDecision(records, attempts);
        const late = attempts.filter(({ lost }) => lost !== undefined);
        figures(
          `decided in ${seconds} s: ${[...wins].map(([way, won]) => `${won} by ${way}`).join(', ')}; ${approved().length} approved; ${late.length} late answers told who was first`,
        );
        expect(late).to.have.length(count * (approvers.length - 1));
        expect([...wins.keys()]).to.have.members(['console', 'command line']);
      });

      it('let an approved call run once, and a refused one never', async () => {
        await until(async () => ((await readRecords()).some(({ status }) => status !== 'used' && status !== 'refused') ? undefined : true));
        await until(async () => ((await hasOpenCalls()) ? undefined : true));
        records = await readRecords();
        const runs = records.map((record) => ({ key: keyOf(record), status: record.status, runs: site.runs(keyOf(record)) }));
        expect(runs.filter(({ status, runs: ran }) => ran !== (status === 'used' ? 1 : 0))).to.deep.equal([]);
        expect(runs.filter(({ status }) => status === 'used')).to.have.length(approved().length);
        figures(`${approved().length} calls ran once each, ${count - approved().length} never`);
      });

      /** Makes the calls of a caller, all of which are held. */
      async function hold(caller: string, index: number): Promise<void> {
        const client = await plainClient(servers[index % servers.length]?.port ?? 0, caller);
        for (let call = index; call < count; call += callers.length) {
          const { failure } = await client.act({ key: `call ${call}` });
          expect(failure?.code, JSON.stringify(failure)).to.equal('APPROVAL_REQUIRED');
        }
        await client.close();
      }

      /** Opens sessions at both servers, and takes the command line twice. */
      async function openApprovers(): Promise<readonly [Approver, Approver, Approver, Approver, Approver]> {
        const [first, second] = servers;
        return [
          consoleDecisions(await ConsoleSession.open(site, first)),
          consoleDecisions(await ConsoleSession.open(site, second)),
          consoleSelection(await ConsoleSession.open(site, second)),
          commandLine(site),
          commandLine(site),
        ];
      }

      function readRecords(): Promise<readonly ApprovalRecord[]> {
        return servers[0].order('list', {});
      }

      function approved(): readonly ApprovalRecord[] {
        return records.filter(({ decisions }) => decisions.at(0)?.approve === true);
      }

      async function hasOpenCalls(): Promise<boolean> {
        for (const status of ['waiting', 'running', 'asked'] as const)
          if ((await servers[0].order('listCalls', { filter: { status } })).length > 0) return true;
        return false;
      }
    });
});

function keyOf({ shown }: ApprovalRecord): string {
  return String(shown.parameters['key']);
}
