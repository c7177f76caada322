import { expect } from 'chai';
import { before, describe, it } from 'mocha';
import { isPlainObject } from '../../../../../kernel/index.ts';
import { methodsOf } from '../../../../../plugins/mcp/protocol/methods/methods.ts';
import { negotiateRevision, type Revision, revisions } from '../../../../../plugins/mcp/protocol/revisions.ts';
import { type Started, start } from '../../../../e2e/program.ts';
import { isWholeRound } from '../../../../support/round.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { until } from '../../../../support/until.ts';
import { saysModern } from '../../support/modern-client.ts';
import { initialize } from '../../support/wire-client.ts';

/** A whole round (`npm run test:suite answered:whole`) has each kind for itself, so often. */
const rounds = isWholeRound ? 30 : 3;
const requestsOfKind = 5;

type Params = Readonly<Record<string, unknown>>;

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: Params;
  readonly error?: { readonly code: number; readonly message: string };
}

const skill = 'skill://apiclient/SKILL.md';

/** By method, parameters with which it is answered by more than a refusal, where there are any. */
const params: Readonly<Record<string, Params>> = {
  initialize: initialize.params,
  ping: {},
  'tools/list': {},
  'tools/call': { name: 'math_evaluate', arguments: { expression: '1 + 1' } },
  'resources/list': {},
  'resources/templates/list': {},
  'resources/read': { uri: skill },
  'resources/subscribe': { uri: skill },
  'resources/unsubscribe': { uri: skill },
  'prompts/list': {},
  'prompts/get': { name: 'nothing' },
  'completion/complete': { ref: { type: 'ref/resource', uri: 'skill://{name}/{+path}' }, argument: { name: 'path', value: '' } },
  'logging/setLevel': { level: 'error' },
  'server/discover': {},
  'skills/list': {},
  'skills/get': { uri: skill },
  'subscriptions/listen': { notifications: { toolsListChanged: true } },
  'tasks/get': { taskId: 'none' },
  'tasks/update': { taskId: 'none', inputResponses: {} },
  'tasks/cancel': { taskId: 'none' },
};

const eras: Readonly<Record<string, readonly string[]>> = {
  'of sessions': [...methodsOf(negotiateRevision(undefined)).keys(), 'no/such'],
  'of 2026-07-28': [...methodsOf(revisions.get('2026-07-28') as Revision).keys(), 'no/such'],
};

function requestsOf(era: string, method: string, from = 0): readonly object[] {
  const own = params[method] ?? {};
  return Array.from({ length: requestsOfKind }, (_, count) => ({
    jsonrpc: '2.0',
    id: `${method} ${from + count}`,
    method,
    params: era === 'of sessions' ? own : { ...own, _meta: saysModern() },
  }));
}

/** Writes these messages, closes the input at once, and gives what was answered until the server ended. */
async function ended(era: string, messages: readonly object[], files: Readonly<Record<string, string>> = {}): Promise<readonly Answer[]> {
  const server = start(['mcp'], { cwd: await temporaryFolder(files) });
  const all = era === 'of sessions' ? [initialize, ...messages] : messages;
  server.child.stdin?.end(all.map((message) => `${JSON.stringify(message)}\n`).join(''));
  expect((await server.exit).code, server.stderr()).to.equal(0);
  return answersOf(server);
}

function answersOf(server: Started): readonly Answer[] {
  return server
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer);
}

const idsOf = (found: readonly (Answer | object)[]): readonly unknown[] => found.map((one) => (one as Answer).id);

function expectAnswered(method: string, requests: readonly object[], answered: readonly Answer[]): void {
  const own = answered.filter(({ id, result, error }) => String(id).startsWith(`${method} `) && (result ?? error) !== undefined);
  expect(idsOf(own).toSorted()).to.deep.equal(idsOf(requests).toSorted());
}

for (const [era, kinds] of Object.entries(eras)) {
  describe(`requests ${era} whose client closes its input at once`, function () {
    this.timeout(rounds * 200_000);
    const requests = kinds.map((method) => requestsOf(era, method));
    const answered: (readonly Answer[])[] = [];

    before(async () => {
      // Each time other kinds come last.
      for (let round = 0; round < rounds && !isWholeRound; round++) {
        const first = Math.floor((round * kinds.length) / rounds);
        answered.push(await ended(era, [...requests.slice(first), ...requests.slice(0, first)].flat()));
      }
    });

    for (const [index, method] of kinds.entries()) {
      it(`are each answered where they are ${method}`, async () => {
        expect(method === 'no/such' || method in params, 'parameters in the table above').to.equal(true);
        const own = requests[index] ?? [];
        for (let round = 0; round < rounds; round++) expectAnswered(method, own, answered[round] ?? (await ended(era, own)));
      });
    }
  });
}

const tool = (name: string, more: object = {}): Record<string, string> => ({
  [`tools/${name}.yaml`]: JSON.stringify({ name, description: 'd', execution: { type: 'function', code: `./${name}.mjs` }, ...more }),
});

const config = (text: string): Record<string, string> => ({
  'toolkit.config.mjs': `import { apiVersion, definePlugin, mcp, standard } from '@toolkit/core';\n${text}`,
});

const served = config("export default { plugins: [standard({ toolPaths: ['./tools'] }), mcp({ drainMs: 600_000 })] };");

describe('a server over stdio whose client closes its input', () => {
  const questions: readonly [what: string, body: string, more?: object][] = [
    [
      'the person',
      "client.elicit({ message: 'Which?', schema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] } })",
    ],
    ['the model', "client.sample({ maxTokens: 9, messages: [{ role: 'user', content: { type: 'text', text: 'Which?' } }] })"],
    ['for the roots', 'client.roots()'],
    ['for an approval', "'ran'", { requires_approval: true }],
  ];
  for (const [what, body, more] of questions) {
    it(`refuses what it has asked ${what}, and ends`, async () => {
      const files = { ...tool('ask', more), 'tools/ask.mjs': `export default async (_, { client }) => ${body};`, ...served };
      const server = start(['mcp', ...(more === undefined ? [] : ['--approval', 'elicit'])], { cwd: await temporaryFolder(files) });
      const capabilities = { elicitation: {}, sampling: {}, roots: {} };
      const call = { jsonrpc: '2.0', id: 'asks', method: 'tools/call', params: { name: 'ask', arguments: {} } };
      const opening = { ...initialize, params: { ...initialize.params, capabilities } };
      server.child.stdin?.write(`${JSON.stringify(opening)}\n${JSON.stringify(call)}\n`);
      await until(() => (/"method":"(elicitation|sampling|roots)/.test(server.stdout()) ? true : undefined));
      server.child.stdin?.end();
      expect((await server.exit).code).to.equal(0);
      const { result } = answersOf(server).find(({ id }) => id === 'asks') ?? {};
      expect(result).to.include({ isError: true });
      expect(JSON.stringify(result)).to.include('The client has closed its input');
    });
  }

  it('gives an error for what does not end, a call as well as what a plugin reads, and ends', async () => {
    const files = {
      ...tool('hang'),
      'tools/hang.mjs': 'export default () => new Promise(() => {});',
      ...config(`
        const read = () => new Promise(() => {});
        const apply = ({ hooks }) => hooks.discover.tap('slow', (sink) => sink.addResource({ uri: 'slow://it', name: 'it', read }));
        const slow = definePlugin({ name: 'slow', apiVersion, apply });
        export default { plugins: [standard({ toolPaths: ['./tools'] }), slow(), mcp({ drainMs: 10 })] };
      `),
    };
    const requests = [
      { jsonrpc: '2.0', id: 'call', method: 'tools/call', params: { name: 'hang', arguments: {} } },
      { jsonrpc: '2.0', id: 'read', method: 'resources/read', params: { uri: 'slow://it' } },
      { jsonrpc: '2.0', id: 'cancelled', method: 'resources/read', params: { uri: 'slow://it' } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'cancelled' } },
    ];
    const found = await ended('of sessions', requests, files);
    expect(idsOf(found).toSorted()).to.deep.equal(['call', 'initialize', 'read']);
    expect(JSON.stringify(found.find(({ id }) => id === 'call')?.result)).to.include('ABORTED');
    expect(found.find(({ id }) => id === 'read')?.error?.message).to.include('stopped before this request was answered');
  });

  const dropped: readonly [what: string, more: object][] = [
    ['has members that JSON-RPC does not know', { extra: 1 }],
    ['has "_meta" that is no object', { params: { _meta: 7 } }],
    ['has a progress token that is none', { params: { _meta: { progressToken: {} } } }],
  ];
  for (const [era, names] of Object.entries(eras)) {
    // It lasts until the client ends it.
    const methods = names.filter((name) => name !== 'subscriptions/listen');
    it(`answers odd requests ${era} at once`, async () => {
      const odd = methods.flatMap((method) =>
        dropped.map(([what, more]) => {
          const own: Params = { ...params[method], ...(more as { params?: Params }).params };
          const meta = era === 'of sessions' ? own['_meta'] : { ...saysModern(), ...(isPlainObject(own['_meta']) ? own['_meta'] : {}) };
          return {
            jsonrpc: '2.0',
            method,
            ...more,
            id: `${method} that ${what}`,
            params: { ...own, ...(meta === undefined ? {} : { _meta: meta }) },
          };
        }),
      );
      const answered = (await ended(era, odd)).filter(({ error }) => error?.message.includes('ABORTED') !== true);
      expect(idsOf(answered)).to.include.members(idsOf(odd));
    });
  }
});
