import { expect } from 'chai';
import type { ApprovalRecord } from '../../kernel/index.ts';
import { randomNumbers } from '../support/random.ts';
import { inRound } from '../support/round.ts';
import { until } from '../support/until.ts';
import { type Attempt, commandLine, library, webhookAnswers } from './approvals/approvers.ts';
import { askingClient, plainClient } from './approvals/clients.ts';
import type { ActParameters, End, NamedCall } from './approvals/orders.ts';
import { expectOneDecision, raceFor } from './approvals/races.ts';
import type { Server } from './approvals/server.ts';
import { Site } from './approvals/site.ts';
import { figures } from './faults/figures.ts';
import { RealServer } from './postgres/server.ts';

const clients = inRound({ whole: 50, short: 10 });
/** Held calls of each client. */
const callsOfClient = inRound({ whole: 10, short: 5 });
const held = clients * callsOfClient;
const durable = held;
/** Records that are also decided by elicitation. */
const fresh = inRound({ whole: 100, short: 10 });

const callers = Array.from({ length: clients }, (_, index) => `client ${index}`);

/** Far more than what messages and questions show of an argument. */
const longText = 'A line of an argument that nobody cuts. '.repeat(100);

const parametersOf = (key: string): ActParameters => ({
  key,
  text: `${longText}${key}`,
  order: { for: key, items: [{ number: 1, of: key }] },
});
const callsOf = (what: string, count: number): readonly NamedCall[] =>
  Array.from({ length: count }, (_, index) => ({
    caller: callers[index % clients] ?? '',
    parameters: parametersOf(`${what} ${index}`),
  }));

const heldCalls = callsOf('held', held);
const durableCalls = callsOf('durable', durable).map((call) => ({ ...call, id: call.parameters.key }));
const keyOf = ({ shown }: ApprovalRecord): string => String(shown.parameters['key']);
const isApproved = ({ decisions }: ApprovalRecord): boolean => decisions.at(0)?.approve === true;

describe(`${held + durable} calls that wait for a person, of three servers that are killed`, function () {
  this.timeout(1_800_000);

  const random = randomNumbers(51);
  let database: RealServer;
  let site: Site;
  let servers: readonly Server[] = [];
  let records: readonly ApprovalRecord[] = [];

  before(async () => {
    database = await RealServer.start();
    site = await Site.open({ storeUrl: await database.makeDatabase(), callers });
  });
  after(async () => {
    await site?.close();
    await database?.undo();
    await database?.stop();
  });

  /** Returns the records with these keys. */
  const recordsOf = async (calls: readonly NamedCall[]): Promise<readonly ApprovalRecord[]> => {
    const keys = new Set(calls.map(({ parameters }) => parameters.key));
    return ((await servers[0]?.order('list', {})) ?? []).filter((record) => keys.has(keyOf(record)));
  };

  it('are all there, uncut, when their servers were killed', async () => {
    // The calls of the last server wait there for a decision from elsewhere, until it is killed.
    servers = [...(await site.startAll(2)), await site.start({ waitMs: 240_000 })];
    const total = held + durable;
    const asked = new Set<string>();
    const allAsked = new Promise<void>((resolve) => {
      for (const server of servers)
        server.onEvent = ({ event, id }) => {
          if (event === 'asked') asked.add(id);
          if (asked.size === total) resolve();
        };
    });
    const begin = performance.now();
    const ends = servers.map(async (server, index) => {
      const mine = <T>(calls: readonly T[]): readonly T[] => calls.filter((_, call) => call % servers.length === index);
      const submitted = server.order('submit', { calls: mine(durableCalls) });
      const ends = await Promise.all(callers.map((caller) => holdCalls(server, caller, mine(heldCalls))));
      await submitted;
      return ends.flat();
    });
    // Those of the last server fail when it is killed.
    for (const end of ends) end.catch(() => {});
    await Promise.race([allAsked, ...servers.map(({ died }) => died)]);
    const [first, second] = await Promise.all(ends.slice(0, 2));
    await site.killAll();
    for (const end of [...(first ?? []), ...(second ?? [])]) {
      expect(end.failure?.code, JSON.stringify(end)).to.equal('APPROVAL_REQUIRED');
      expect([...asked]).to.include(end.failure?.details?.['approval']);
    }
    await Promise.allSettled(ends);

    servers = await site.startAll(3);
    records = (await servers[0]?.order('list', { filter: { status: 'waiting' } })) ?? [];
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    figures(`${records.length} records, and three servers killed, in ${seconds} s`);
    expect(new Set(records.map(({ id }) => id))).to.deep.equal(asked);
    const given = new Map([...heldCalls, ...durableCalls].map(({ caller, parameters }) => [parameters.key, { caller, parameters }]));
    const kept = new Map(records.map((record) => [keyOf(record), { caller: record.caller, parameters: record.shown.parameters }]));
    expect(kept).to.deep.equal(given);
    expect(records.filter(({ isKept, count, decisions }) => !isKept || count !== 1 || decisions.length > 0)).to.deep.equal([]);
    expect(records.filter((record) => site.runs(keyOf(record)) > 0)).to.deep.equal([]);
  });

  it('get one decision each of three approvers who race, and run once where it is a yes', async () => {
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('there are no servers');
    const begin = performance.now();
    const attempts = await raceFor(records, [commandLine(site), library(first), webhookAnswers(second)], random);
    const seconds = (performance.now() - begin) / 1000;
    records = await recordsOf([...heldCalls, ...durableCalls]);
    expect(records).to.have.length(held + durable);
    const wins = expectOneDecision(records, attempts);
    const approved = records.filter(isApproved);
    figures(
      `decided in ${seconds.toFixed(1)} s: ${[...wins].map(([way, count]) => `${count} by ${way}`).join(', ')}; ${approved.length} approved`,
    );
    await until(() => (approved.every((record) => site.runs(keyOf(record)) > 0) ? true : undefined));
    await allEnded();
    expectRuns();
  });

  it('have results that the same calls get, without another run', async () => {
    const approved = new Set(records.filter(isApproved).map(keyOf));
    const calls = heldCalls.filter(({ parameters }) => approved.has(parameters.key));
    await Promise.all(
      callers.map(async (caller, index) => {
        const client = await plainClient(servers[index % servers.length]?.port ?? 0, caller);
        for (const { parameters } of calls.filter((call) => call.caller === caller))
          expect(await client.act(parameters)).to.deep.equal({ value: `acted ${parameters.key}: 1` });
        await client.close();
      }),
    );
    expectRuns();
  });

  it(`get one decision each when ${fresh} others are also asked by elicitation, and their clients get the result`, async () => {
    if (servers.length === 0) servers = await site.startAll(3);
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error('there are no servers');
    const calls = callsOf('fresh', fresh);
    const answers = new Map<string, (approve: boolean) => void>();
    const open = await Promise.all(
      calls.map(async ({ caller, parameters }, index) => {
        const port = servers[index % servers.length]?.port ?? 0;
        const client = await askingClient(port, caller, () => new Promise((resolve) => answers.set(parameters.key, resolve)));
        return { client, parameters, end: client.act(parameters) };
      }),
    );
    await until(() => (answers.size === fresh ? true : undefined));
    const waiting = await recordsOf(calls);
    expect(waiting.map(keyOf).sort()).to.deep.equal([...answers.keys()].sort());
    const attempts = await raceFor(
      waiting,
      [
        commandLine(site),
        library(first),
        webhookAnswers(second),
        {
          way: 'elicitation',
          prepare: async (batch, approve) => async () => {
            for (const record of batch) answers.get(keyOf(record))?.(approve);
            return [];
          },
        },
      ],
      random,
    );
    const ends = new Map<string, End<string>>();
    for (const { client, parameters, end } of open) {
      ends.set(parameters.key, await end);
      await client.close();
    }
    const decided = await recordsOf(calls);
    expect(decided.map(({ id }) => id)).to.have.members(waiting.map(({ id }) => id));
    const byElicitation = decided.flatMap(({ id, caller, decisions: [decision] }): readonly Attempt[] => {
      if (decision?.by.way !== 'elicitation') return [];
      return [{ id, way: 'elicitation', name: caller, approve: decision.approve }];
    });
    const wins = expectOneDecision(decided, [...attempts, ...byElicitation]);
    figures([...wins].map(([way, count]) => `${count} by ${way}`).join(', '));
    for (const record of decided) {
      const [decision] = record.decisions;
      const key = keyOf(record);
      const end = ends.get(key);
      if (isApproved(record)) expect(end, key).to.deep.equal({ value: `acted ${key}: 1` });
      else {
        expect(end?.failure?.code, JSON.stringify(end)).to.equal('APPROVAL_DENIED');
        if (decision?.by.way !== 'elicitation') expect(end?.failure?.message).to.include(decision?.by.name);
      }
      expect(site.runs(key), key).to.equal(isApproved(record) ? 1 : 0);
    }
  });

  async function holdCalls(server: Server, caller: string, calls: readonly NamedCall[]): Promise<readonly End<string>[]> {
    const client = await plainClient(server.port, caller);
    return Promise.all(calls.filter((call) => call.caller === caller).map(({ parameters }) => client.act(parameters)));
  }

  /** Resolves when no durable call has anything left to do. */
  async function allEnded(): Promise<void> {
    await until(async () => {
      for (const status of ['waiting', 'running', 'asked'] as const)
        if ((await servers[0]?.order('listCalls', { filter: { status } }))?.length !== 0) return undefined;
      return true;
    });
  }

  function expectRuns(): void {
    const wrong = records.filter((record) => site.runs(keyOf(record)) !== (isApproved(record) ? 1 : 0));
    expect(wrong.map((record) => `${keyOf(record)}: ${site.runs(keyOf(record))} runs, ${record.status}`)).to.deep.equal([]);
  }
});
