import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { CallOutput } from '../../kernel/index.ts';
import { inEnvironment, leakIn, ownOfCall, planted } from './planted.ts';
import { type Evidence, plantedRun, suppliers } from './planted-run.ts';
import { plannedCalls } from './planted-tools.ts';

const ways = ['host code', 'host code with credentials of its own', 'MCP'] as const;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function expectNone(values: Iterable<unknown>): void {
  for (const value of values) expect(leakIn(value)).to.equal(undefined);
}

describe('the search for planted secrets', () => {
  it('finds them where they are, in every encoding that is looked for', () => {
    for (const value of [...Object.values(planted), ...Object.values(ownOfCall)]) {
      const base64 = Buffer.from(`u:${value}`).toString('base64');
      for (const form of [
        value,
        base64,
        encodeURIComponent(value),
        encodeURIComponent(base64),
        JSON.stringify({ value }),
        value.slice(0, 9),
      ]) {
        expect(leakIn(form)).to.be.a('string');
        expect(leakIn({ a: [new Map([[1, new Error('x', { cause: { form } })]])] })).to.be.a('string');
      }
    }
    expect(leakIn('[secret PLAIN_TOKEN]')).to.equal(undefined);
  });
});

for (const supplier of suppliers) {
  describe(`secrets that were planted in ${supplier}`, function () {
    this.timeout(600_000);
    let evidence: Evidence;

    before(async () => {
      evidence = await plantedRun(supplier);
    });

    const resultOf = (title: string, way: number): unknown => (evidence.results.get(title) ?? [])[way];

    for (const { title, shows = [] } of plannedCalls.filter((call) => call.shows !== undefined)) {
      it(`reach ${title} as they are`, () => {
        for (const [way, values] of [evidence.values, ownOfCall].entries()) {
          const { hashes } = (resultOf(title, way) as CallOutput).output as { hashes: string[] };
          expect(hashes).to.include.members(shows.map((name) => sha256(values[name] ?? '')));
        }
      });
    }

    it('reach a service as they are', () => {
      for (const value of [...Object.values(evidence.values), ...['PLAIN_TOKEN', 'WILD_SECRET'].map((name) => ownOfCall[name] ?? '')])
        expect(evidence.received).to.include(value);
    });

    for (const { title } of plannedCalls) {
      for (const [way, name] of ways.entries()) {
        it(`do not show in what ${title} gives to ${name}`, () => {
          const result = resultOf(title, way);
          expect(result).to.not.equal(undefined);
          expectNone([result, result instanceof Error ? JSON.stringify(result) : undefined]);
        });
      }
    }

    it('do not show in the error of a tool that is not there', () =>
      expectNone(evidence.results.get('a tool that is not there') ?? ['nothing']));

    it('do not show in the error of a store that fails outside a call', () => expectNone([evidence.storeFailure]));

    for (const level of ['error', 'warn', 'info', 'debug'] as const) {
      it(`do not show in the log at level ${level}`, () => {
        const records = evidence.records.filter((record) => record.level === level);
        expect(records.length).to.be.greaterThan(0);
        expectNone(records);
      });
    }

    for (const key of ['toolName', 'parameters', 'verdict', 'approvals', 'outcome'] as const) {
      it(`do not show in what is recorded of calls that ended: ${key}`, () => {
        expect(evidence.ends.length).to.be.greaterThan(plannedCalls.length * 3);
        for (const end of evidence.ends) expectNone([end[key], JSON.stringify(end[key])]);
      });
    }

    for (const [title, count] of Object.entries({ js_note: 16, thread_note: 16, python_note: 10, js_instance: 1 })) {
      it(`do not show in the progress of ${title}`, () => {
        expect(evidence.notes.get(title)?.length).to.be.at.least(count * 3);
        expectNone(evidence.notes.get(title) ?? []);
      });
    }

    for (const kind of ['notifications/progress', 'notifications/message', 'elicitation/create', 'sampling/createMessage', 'an answer']) {
      it(`do not show in what the MCP server sends: ${kind}`, () => {
        const of = (message: { method?: string }): boolean => (message.method ?? 'an answer') === kind;
        const messages = evidence.messages.filter((message) => of(message as { method?: string }));
        expect(messages.length).to.be.greaterThan(0);
        expectNone(messages);
      });
    }

    it('do not show in definitions and schemas', () => {
      const { tools, providers, problems } = evidence.kernel.registry;
      expect(tools.size).to.equal(new Set(plannedCalls.map(({ tool }) => tool)).size);
      expectNone([...tools.values(), ...providers.values(), ...problems]);
      for (const { inputSchema } of tools.values()) expect(JSON.stringify(inputSchema)).to.not.match(/PLAIN_TOKEN|WILD_SECRET|ENV_TOKEN/);
    });

    it('do not come into the environment of this process', () => {
      const { before: earlier, after: later } = evidence.environments;
      expect(later).to.deep.equal(earlier);
      const { ENV_TOKEN, ...others } = later;
      expect(ENV_TOKEN).to.equal(inEnvironment.ENV_TOKEN);
      expectNone(Object.entries(others).map(([name, value]) => `${name}=${value}`));
    });

    for (const { title } of plannedCalls.filter(({ isClean }) => isClean)) {
      it(`do not come into the environment of ${title}, which asks for none`, () => {
        for (const way of ways.keys()) {
          const text = JSON.stringify(resultOf(title, way));
          expect(text)
            .to.include('PATH')
            .and.not.match(/\[secret |TOKEN|SECRET/);
        }
      });
    }

    it('do not come into the environment of a program beside the variable that is meant for them', () => {
      const { output } = resultOf('command_env_token', 0) as CallOutput;
      const { env } = JSON.parse(String(output)) as { env: Record<string, string> };
      expect(Object.keys(env).filter((name) => env[name]?.includes('[secret '))).to.deep.equal(['TOKEN']);
    });

    it('are written to no file below the working directory', () => {
      const { before: earlier, after: later } = evidence.files;
      expect([...later.keys()]).to.deep.equal([...earlier.keys()]);
      for (const [name, text] of later) expect(text, name).to.equal(earlier.get(name));
      expectNone([...earlier].filter(([name]) => name.endsWith('.yaml')).map(([, text]) => text));
    });

    it('are written to no file below the state folder', () => {
      const accounts = [...evidence.state.keys()].filter((name) => name.includes('/accounts/'));
      expect(accounts.length > 0).to.equal(supplier === 'an account');
      expectNone([...evidence.state].map((file) => file.join('\n')));
    });
  });
}
