import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Kernel } from '../../../../../kernel/index.ts';
import { approvalGate } from '../../../../../plugins/approval-gate/index.ts';
import { confinePaths } from '../../../../../plugins/confine-paths/index.ts';
import { policyHuman } from '../../../../../plugins/policy-human/index.ts';
import { HostKeys } from '../../../../../plugins/shared/keys/host-keys.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';
import { testKernel } from '../../../../support/test-kernel.ts';
import { handlerTool } from '../../support/client.ts';
import { aKey, asks, ModernClient, type ModernOptions, textIn } from '../../support/modern-client.ts';

const yes = { action: 'accept', content: { approve: true } };
const startedAt = 1_900_000_000_000;
const hourMs = 3_600_000;

/** Servers of one host: they share the key and what was used. What `pay` and `refund` have done is counted. */
class Host {
  readonly runs: string[] = [];
  readonly clock = { now: startedAt };
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Host> {
    return new Host(await temporaryFolder());
  }

  /** A client of a new server, as after a restart. */
  async client(options: ModernOptions = {}, change: Readonly<Record<string, unknown>> = {}): Promise<ModernClient> {
    const env = { XDG_STATE_HOME: this.#folder, ...options.env };
    const now = (): number => this.clock.now;
    return ModernClient.connect(await this.#kernel(change), { capabilities: { elicitation: {} }, now, ...options, env });
  }

  #kernel(change: Readonly<Record<string, unknown>>): Promise<Kernel> {
    const tool = (name: string): Record<string, unknown> =>
      handlerTool(
        (parameters: unknown) => {
          this.runs.push(name);
          return parameters;
        },
        {
          name,
          requires_approval: true,
          parameters: { to: { type: 'string' }, note: { type: 'string' }, amount: { type: 'number' } },
          ...(name === 'pay' ? change : {}),
        },
      );
    return testKernel({ tools: [tool('pay'), tool('refund')], plugins: [approvalGate({ mode: 'elicit' })] });
  }
}

const parameters = { to: 'Ada', note: '', amount: 5 };

/** A request, as an attacker makes it who knows the state and the name of a question. */
interface Attempt {
  readonly name?: string;
  readonly parameters?: object;
  readonly method?: string;
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
  readonly more?: object;
}

interface Known {
  readonly state: string;
  readonly question: string;
  readonly host: Host;
}

const bytesOf = (state: string, change: (bytes: Buffer) => Uint8Array): string =>
  Buffer.from(change(Buffer.from(state, 'base64url'))).toString('base64url');

const answered = (question: string, answer: unknown = yes) => ({ inputResponses: { [question]: answer } });
const withParameters =
  (change: object): ((known: Known) => Attempt) =>
  () => ({ parameters: { ...parameters, ...change } });
const withState =
  (change: (state: string) => unknown): ((known: Known) => Attempt) =>
  ({ state }) => ({ requestState: change(state) });
const withAnswer =
  (answer: unknown): ((known: Known) => Attempt) =>
  ({ question }) =>
    answered(question, answer);
/** A state that this host signs, of a payload and for a purpose of the attacker's choice. */
const sealed =
  (purpose: string, key = aKey): ((known: Known) => Attempt) =>
  ({ state }) => {
    const payload = JSON.parse(Buffer.from(state, 'base64url').subarray(23, -32).toString('utf8'));
    const keys = new HostKeys({ logger: { warn: () => {} }, maskAlso: () => {}, env: { TOOLKIT_KEY: key }, now: () => startedAt });
    return { requestState: keys.seal(purpose).sign(payload, hourMs) };
  };

const attacks: Readonly<Record<string, (known: Known) => Attempt>> = {
  // Other parameters.
  'another value': withParameters({ to: 'Eve' }),
  'another number': withParameters({ amount: 50 }),
  'a number as text': withParameters({ amount: '5' }),
  'a value less': () => ({ parameters: { to: 'Ada', note: '' } }),
  'an empty value in place of none': withParameters({ note: ' ' }),
  'a value more': withParameters({ more: true }),
  'null for a value': withParameters({ note: null }),
  'a value in capitals': withParameters({ to: 'ADA' }),
  'a letter that looks the same': withParameters({ to: 'Аda' }),
  'another normal form of a letter': withParameters({ to: 'A\u0301da' }),
  'values that moved by a comma': withParameters({ to: 'Ada","note":"', note: '' }),
  'values that moved by a quotation mark': withParameters({ to: 'Ada"', note: '"' }),
  'values that moved by a colon': withParameters({ to: 'Ada:', note: ':' }),
  'values that moved by a line break': withParameters({ to: 'Ada\n', note: '\n' }),
  'values that moved by a NUL': withParameters({ to: 'Ada\0', note: '\0' }),
  'values that moved by a bar': withParameters({ to: 'Ada|', note: '|' }),
  'values that moved by a dot': withParameters({ to: 'Ada.', note: '.' }),
  'a backslash': withParameters({ to: 'Ada\\' }),
  'a member "__proto__"': () => ({ parameters: JSON.parse('{"to":"Ada","note":"","amount":5,"__proto__":{"to":"Eve"}}') }),
  'half a surrogate pair': withParameters({ to: 'Ada\ud800' }),
  'no arguments': () => ({ parameters: {} }),
  'the word of the model beside it': withParameters({ to: 'Eve', _toolkit_approved: true }),
  // Another request.
  'another tool': () => ({ name: 'refund' }),
  'another method': () => ({ method: 'prompts/get' }),
  'a further member of the request': () => ({ more: { extra: 1 } }),
  // Another state.
  'no state': withState(() => undefined),
  'no state, and the word of the model': () => ({ requestState: undefined, parameters: { ...parameters, _toolkit_approved: true } }),
  'an empty state': withState(() => ''),
  'a state that is true': withState(() => true),
  'a state that is null': withState(() => null),
  'a state in a list': withState((state) => [state]),
  'a state without its last character': withState((state) => state.slice(0, -1)),
  'a state without its first character': withState((state) => state.slice(1)),
  'half a state': withState((state) => state.slice(0, state.length / 2)),
  'a state with a character more': withState((state) => `${state}A`),
  'a state with padding': withState((state) => `${state}=`),
  'a state with a blank before it': withState((state) => ` ${state}`),
  'a state with a line break behind it': withState((state) => `${state}\n`),
  'a state with a NUL behind it': withState((state) => `${state}\0`),
  'a state twice': withState((state) => state + state),
  'a state in the other alphabet': withState((state) => `${Buffer.from(state, 'base64url').toString('base64')}+/`),
  'a state in hex': withState((state) => Buffer.from(state, 'base64url').toString('hex')),
  'a state in capitals': withState((state) => state.toUpperCase()),
  'a state without a signature': withState((state) => bytesOf(state, (bytes) => bytes.subarray(0, -32))),
  'a state with an empty signature': withState((state) =>
    bytesOf(state, (bytes) => Buffer.concat([bytes.subarray(0, -32), Buffer.alloc(32)])),
  ),
  'a state signed with an empty key': withState((state) =>
    bytesOf(state, (bytes) => Buffer.concat([bytes.subarray(0, -32), createHmac('sha256', '').update(bytes.subarray(0, -32)).digest()])),
  ),
  'a state that expires later': withState((state) =>
    bytesOf(state, (bytes) => {
      bytes.writeUIntBE(startedAt * 2, 17, 6);
      return bytes;
    }),
  ),
  'a state with another id': withState((state) =>
    bytesOf(state, (bytes) => {
      bytes.fill(7, 1, 17);
      return bytes;
    }),
  ),
  'a state of another format': withState((state) =>
    bytesOf(state, (bytes) => {
      bytes.writeUInt8(2);
      return bytes;
    }),
  ),
  'a state that answers itself': withState((state) =>
    bytesOf(state, (bytes) => {
      const payload = JSON.parse(bytes.subarray(23, -32).toString('utf8'));
      const [[name, question]] = Object.entries(payload.asked) as [[string, string]];
      const forged = JSON.stringify({ ...payload, answered: { [name]: { question, answer: yes } } });
      return Buffer.concat([bytes.subarray(0, 23), Buffer.from(forged), bytes.subarray(-32)]);
    }),
  ),
  'a state that is JSON': withState((state) => Buffer.from(state, 'base64url').subarray(23, -32).toString('utf8')),
  'a state signed for another purpose': sealed('mcp session'),
  'a state signed for a longer purpose': sealed('mcp request state '),
  'a state signed with another key': sealed('mcp request state', `${aKey}!`),
  'a state that has expired': ({ host }) => {
    host.clock.now += hourMs;
    return {};
  },
  // Another answer.
  'no answer': () => ({ inputResponses: {} }),
  'no answers at all': () => ({ inputResponses: undefined }),
  'the answer to another question': () => answered('question_9'),
  'the answer under a longer name': ({ question }) => answered(`${question} `),
  decline: withAnswer({ action: 'decline' }),
  'decline, with a yes beside it': withAnswer({ ...yes, action: 'decline' }),
  cancel: withAnswer({ action: 'cancel' }),
  'cancel, with a yes beside it': withAnswer({ ...yes, action: 'cancel' }),
  'a no': withAnswer({ action: 'accept', content: { approve: false } }),
  'a yes as text': withAnswer({ action: 'accept', content: { approve: 'true' } }),
  'a yes as a number': withAnswer({ action: 'accept', content: { approve: 1 } }),
  'a yes in a list': withAnswer({ action: 'accept', content: { approve: [true] } }),
  'a yes with more beside it': withAnswer({ action: 'accept', content: { approve: true, also: true } }),
  'a yes in capitals': withAnswer({ action: 'accept', content: { APPROVE: true } }),
  'a yes that is inherited': withAnswer(JSON.parse('{"action":"accept","content":{"__proto__":{"approve":true}}}')),
  'accept without content': withAnswer({ action: 'accept' }),
  'accept with null': withAnswer({ action: 'accept', content: null }),
  'accept with a list': withAnswer({ action: 'accept', content: [{ approve: true }] }),
  'an action in capitals': withAnswer({ ...yes, action: 'ACCEPT' }),
  'an answer that is true': withAnswer(true),
  'an answer in a list': withAnswer([yes]),
};

const send = (client: ModernClient, { state, question }: Pick<Known, 'state' | 'question'>, attempt: Attempt = {}) => {
  const { name = 'pay', method = 'tools/call', more = {} } = attempt;
  return client.ask(method, {
    name,
    arguments: attempt.parameters ?? parameters,
    requestState: 'requestState' in attempt ? attempt.requestState : state,
    ...('inputResponses' in attempt ? { inputResponses: attempt.inputResponses } : answered(question)),
    ...more,
  });
};

async function known(client: ModernClient): Promise<Pick<Known, 'state' | 'question'>> {
  const { inputRequests, requestState } = asks(await client.call('pay', parameters));
  return { state: requestState, question: String(Object.keys(inputRequests)[0]) };
}

describe('an approval of 2026-07-28', () => {
  it('holds for the same parameters in another order', async () => {
    const host = await Host.open();
    const client = await host.client();
    const asked = await known(client);
    textIn((await send(client, asked, { parameters: { amount: 5, note: '', to: 'Ada' } })).result ?? {});
    expect(host.runs).to.deep.equal(['pay']);
  });

  it('runs the call once, also by a server that was started after the question', async () => {
    const host = await Host.open();
    const asked = await known(await host.client());
    const { result } = await send(await host.client(), asked);
    expect(JSON.parse(textIn(result ?? {}))).to.deep.equal(parameters);
    expect(host.runs).to.deep.equal(['pay']);
  });

  for (const isRestarted of [false, true]) {
    describe(isRestarted ? 'across a restart' : 'in one server', () => {
      for (const [what, attack] of Object.entries(attacks))
        it(`is none with ${what}`, async () => {
          const host = await Host.open();
          const first = await host.client();
          const asked = await known(first);
          await send(isRestarted ? await host.client() : first, asked, attack({ ...asked, host }));
          expect(host.runs).to.deep.equal([]);
        });

      it('is none for another caller', async () => {
        const host = await Host.open();
        const asked = await known(await host.client({ caller: 'ada' }));
        const { error } = await send(await host.client({ caller: 'eve' }), asked);
        expect(error?.message).to.include('is that of another request');
        expect(host.runs).to.deep.equal([]);
      });

      it('counts once', async () => {
        const host = await Host.open();
        const first = await host.client();
        const asked = await known(first);
        await send(first, asked);
        for (let times = 0; times < 3; times++) asks((await send(isRestarted ? await host.client() : first, asked)).result ?? {});
        expect(host.runs).to.deep.equal(['pay']);
      });

      it('counts once, of many that come at the same time', async () => {
        const host = await Host.open();
        const first = await host.client();
        const asked = await known(first);
        const clients = await Promise.all([0, 1, 2, 3].map(() => (isRestarted ? host.client() : first)));
        await Promise.all(clients.map((client) => send(client, asked)));
        expect(host.runs).to.deep.equal(['pay']);
      });

      it('is of its question alone', async () => {
        const host = await Host.open();
        const first = await host.client();
        const [older, newer] = [await known(first), await known(first)];
        const other = asks(await first.call('refund', parameters));
        expect(older.state).to.not.equal(newer.state);
        await send(isRestarted ? await host.client() : first, newer, { requestState: other.requestState });
        expect(host.runs).to.deep.equal([]);
      });
    });
  }

  const changes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    description: { description: 'Pays much more.' },
    risk: { risk: 'high' },
    'a parameter': { parameters: { to: { type: 'string' }, note: { type: 'string' }, amount: { type: 'integer' } } },
    'a default': {
      parameters: { to: { type: 'string' }, note: { type: 'string' }, amount: { type: 'number' }, all: { type: 'boolean', default: true } },
    },
  };
  for (const [what, change] of Object.entries(changes))
    it(`is none after a restart with another definition: ${what}`, async () => {
      const host = await Host.open();
      const asked = await known(await host.client());
      asks((await send(await host.client({}, change), asked)).result ?? {});
      expect(host.runs).to.deep.equal([]);
    });

  it('is none in a server with another key', async () => {
    const host = await Host.open();
    const asked = await known(await host.client());
    const { error } = await send(await host.client({ env: { TOOLKIT_KEY: `another ${aKey}` } }), asked);
    expect(error?.message).to.include('is not one that this server made, or was changed');
    expect(host.runs).to.deep.equal([]);
  });

  it('counts in a server whose key before was that one', async () => {
    const host = await Host.open();
    const asked = await known(await host.client());
    const env = { TOOLKIT_KEY: `another ${aKey}`, TOOLKIT_KEY_PREVIOUS: aKey };
    await send(await host.client({ env }), asked);
    await send(await host.client({ env }), asked);
    expect(host.runs).to.deep.equal(['pay']);
  });

  it('is none where its use cannot be remembered', async () => {
    const host = await Host.open();
    const env = { XDG_STATE_HOME: path.join(await temporaryFolder({ file: '' }), 'file') };
    const client = await host.client({ env });
    const { error } = await send(client, await known(client));
    expect(error?.code ?? 0).to.be.oneOf([0, -32603]);
    expect(host.runs).to.deep.equal([]);
  });

  it('is none in a server with the key that remembers elsewhere what was used', async () => {
    const host = await Host.open();
    const asked = await known(await host.client());
    const { error } = await send(await host.client({ env: { XDG_STATE_HOME: await temporaryFolder() } }), asked);
    expect(error?.message).to.include('only if they share a store, or key and state folder');
    expect(host.runs).to.deep.equal([]);
  });

  it('of a client that cannot ask is refused with what it lacks', async () => {
    const host = await Host.open();
    const client = await host.client({ capabilities: {} });
    const { data } = await client.refusal(-32021, 'tools/call', { name: 'pay', arguments: { ...parameters, _toolkit_approved: true } });
    expect(data).to.deep.equal({ requiredCapabilities: { elicitation: {} } });
    expect(host.runs).to.deep.equal([]);
  });

  it('of a client that cannot ask any more is refused, though another process has the answer', async () => {
    const host = await Host.open();
    const asked = await known(await host.client());
    expect((await send(await host.client({ capabilities: {} }), asked)).error?.code).to.equal(-32021);
    expect(host.runs).to.deep.equal([]);
  });

  describe('for a tool that reads a file', () => {
    let order: string;
    let client: ModernClient;

    beforeEach(async () => {
      const folder = await temporaryFolder({ 'order.txt': 'one' });
      order = path.join(folder, 'order.txt');
      const parameters = { order: { type: 'string', path: 'read' } };
      const tool = handlerTool(async (given: { order: string }) => readFile(given.order, 'utf8'), { requires_approval: true, parameters });
      const plugins = [confinePaths({ roots: [folder] }), approvalGate({ mode: 'elicit' })];
      client = await ModernClient.connect(await testKernel({ tools: [tool], plugins }), { capabilities: { elicitation: {} } });
    });

    it('is asked for again where it was changed between question and answer', async () => {
      const { inputRequests, requestState } = asks(await client.call('it', { order }));
      await writeFile(order, 'two');
      const inputResponses = { [String(Object.keys(inputRequests)[0])]: yes };
      const again = asks(await client.call('it', { order }, { inputResponses, requestState }));
      const { message } = Object.values(again.inputRequests)[0]?.params ?? {};
      expect(message).to.match(/^Your answer is void, because things changed meanwhile\./);
      expect(message).to.match(/\nchanged since your answer: its "[^"]*order\.txt"/);
      expect(Object.keys(again.inputRequests)).to.deep.equal(Object.keys(inputRequests));
      const result = await client.call('it', { order }, { inputResponses, requestState: again.requestState });
      expect(textIn(result)).to.equal('two');
    });

    it('is refused where it changes a second time, and says what changed', async () => {
      let { inputRequests, requestState } = asks(await client.call('it', { order }));
      const inputResponses = { [String(Object.keys(inputRequests)[0])]: yes };
      await writeFile(order, 'two');
      ({ inputRequests, requestState } = asks(await client.call('it', { order }, { inputResponses, requestState })));
      await writeFile(order, 'three');
      const result = JSON.stringify(await client.call('it', { order }, { inputResponses, requestState }));
      expect(result)
        .to.include('APPROVAL_DENIED')
        .and.match(/since the second question, its \S*order\.txt/)
        .and.not.match(/"(two|three)"/);
    });
  });

  it('for one reason is none for another: each is asked for', async () => {
    let runs = 0;
    const tool = handlerTool(() => ++runs, { requires_approval: true, risk: 'high' });
    const plugins = [approvalGate({ mode: 'elicit' }), policyHuman({ enableHITL: true })];
    const client = await ModernClient.connect(await testKernel({ tools: [tool], plugins }), { capabilities: { elicitation: {} } });
    const first = asks(await client.call('it'));
    const all = Object.fromEntries(['question_1', 'question_2', 'question_3'].map((name) => [name, yes]));
    const second = asks(await client.call('it', {}, { inputResponses: all, requestState: first.requestState }));
    expect(runs).to.equal(0);
    asks(await client.call('it', {}, { inputResponses: all, requestState: first.requestState }));
    expect(runs).to.equal(0);
    textIn(await client.call('it', {}, { inputResponses: all, requestState: second.requestState }));
    expect(runs).to.equal(1);
  });
});
