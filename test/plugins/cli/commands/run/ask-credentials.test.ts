import { expect } from 'chai';
import { type CredentialNeed, type Kernel, Secret, type Tool } from '../../../../../kernel/index.ts';
import { askCredentials } from '../../../../../plugins/cli/commands/run/ask-credentials.ts';
import { rejection } from '../../../../support/rejection.ts';
import { person } from './person.ts';

const need = (name: string, more: Partial<CredentialNeed> = {}): CredentialNeed => ({
  name,
  secret: name,
  required: true,
  isSecret: true,
  ...more,
});

const instead = { unless: 'URL' };
const database = [need('HOST', { ...instead, isSecret: false }), need('PASSWORD', instead), need('URL', { required: false })];
const derived = [need('SERVER', { deriveFrom: { parameter: 'API_KEY', pattern: '-(.*)' } }), need('API_KEY')];

function ask(
  credentials: readonly CredentialNeed[],
  terminal: ReturnType<typeof person>,
  {
    known = [],
    parameters = {},
    signal = new AbortController().signal,
  }: { known?: string[]; parameters?: Record<string, unknown>; signal?: AbortSignal } = {},
) {
  const tool = {
    name: 'shop_order',
    credentials,
    parameters: {},
    inputSchema: { properties: { n: { type: 'integer' } }, additionalProperties: false },
  };
  const kernel = {
    resolveSecrets: () => (signal.aborted ? new Promise(() => {}) : Promise.resolve()),
    resolverOf: (name: string) => (known.includes(name) ? 'vault' : undefined),
    facts: () => [],
    secret: (name: string) => (known.includes(name) ? new Secret(name, 'value-of-vault') : undefined),
  };
  return askCredentials(kernel as unknown as Kernel, tool as unknown as Tool, parameters, terminal, signal);
}

describe('the credentials that toolkit run asks for', () => {
  it('are those that nobody has', async () => {
    const terminal = person(['B', 'value-of-b\r']);
    expect(await ask([need('A'), need('B'), need('C', { required: false })], terminal, { known: ['A'] })).to.deep.equal({
      B: 'value-of-b',
    });
    expect(terminal.shown()).to.not.include('value-of-b');
  });

  it('are not those given among the parameters', async () => {
    expect(await ask([need('A')], person(), { parameters: { A: 'given' } })).to.deep.equal({});
  });

  it('are none where the parameters are wrong', async () => {
    expect(await ask([need('A')], person(), { parameters: { n: 'x' } })).to.deep.equal({});
  });

  it('are one that takes the place of others', async () => {
    const terminal = person(['URL (or leave it empty, to be asked for HOST, PASSWORD)', 'postgres://x\r']);
    expect(await ask(database, terminal)).to.deep.equal({ URL: 'postgres://x' });
  });

  it('are the others where that one is left empty', async () => {
    const terminal = person(['URL (or', '\r'], ['HOST', 'db.example\r'], ['PASSWORD', 'pw\r']);
    expect(await ask(database, terminal)).to.deep.equal({ HOST: 'db.example', PASSWORD: 'pw' });
  });

  it('are one that holds another', async () => {
    expect(await ask(derived, person(['API_KEY', 'abc-us1\r']))).to.deep.equal({ API_KEY: 'abc-us1' });
  });

  it('are asked for once each, whatever the person answers', async () => {
    expect(await ask([need('A'), need('B')], person(['A', '\r'], ['B', 'b\r']))).to.deep.equal({ B: 'b' });
  });

  it('are not waited for when the call is stopped', async () => {
    const stop = AbortSignal.abort(new Error('stopped'));
    expect(String(await ask([need('A')], person(), { signal: stop }).catch((error: unknown) => error))).to.equal('Error: stopped');
  });

  it('end with the call when the person cancels', async () => {
    await rejection(ask([need('A')], person(['A', '\u0003'])), 'ABORTED');
  });
});
