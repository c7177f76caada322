import { expect } from 'chai';
import { apiVersion, definePlugin, flattenPlugins } from '../../../../kernel/index.ts';
import { clientOptions } from '../../../../plugins/toolkit/host/client-options.ts';
import { rejection } from '../../../support/rejection.ts';

const plugin = definePlugin({ name: 'host-client', apiVersion, apply() {} });
const client = { plugin };

describe('the options of a client', () => {
  const wrong: readonly [options: Readonly<Record<string, unknown>>, words: string][] = [
    [{ logger: {} }, '"logger"'],
    [{ onHITL: true }, '"onHITL"'],
    [{ credentialsOf: {} }, '"credentialsOf"'],
    [{ silencesDebug: false }, '"silencesDebug"'],
    [{ plugins: {} }, '"plugins" expected a list'],
    [{ approval: 'strict' }, '"approval" expected an object'],
    [{ cwd: 7 }, '"cwd" expected a text'],
    [{ plugins: ['toolkit/plugins/nobody'] }, 'no built-in plugin has that name'],
  ];
  for (const [options, words] of wrong) {
    it(`are refused where they are ${JSON.stringify(options)}`, async () => {
      expect((await rejection(clientOptions(options, client), 'CONFIG_INVALID')).message).to.include(words);
    });
  }

  it('name plugins as a YAML configuration does', async () => {
    const entries: unknown[] = ['toolkit/plugins/limit-rate', ['toolkit/plugins/output-budget', {}]];
    const { plugins = [] } = await clientOptions({ plugins: entries }, client);
    expect(flattenPlugins(plugins).map(({ name }) => name)).to.deep.equal(['limit-rate', 'output-budget', 'host-client']);
  });

  it('have the client asked by the gate in the modes that ask', async () => {
    const onApproval = async (): Promise<boolean> => true;
    const gateOf = async (approval: object): Promise<unknown> => {
      const { plugins = [] } = await clientOptions({ approval }, { ...client, onApproval });
      return flattenPlugins(plugins).find(({ name }) => name === 'approval-gate')?.options;
    };
    expect(await gateOf({ mode: 'elicit' })).to.deep.equal({ mode: 'elicit', onApproval });
    expect(await gateOf({ mode: 'strict', ttlMs: 5000 })).to.deep.equal({ mode: 'strict', ttlMs: 5000, onApproval });
    expect(await gateOf({})).to.deep.equal({});
  });

  it('ask for no debug lines where nobody does', async () => {
    const logger = { error() {}, warn() {}, info() {}, debug() {} };
    expect(await clientOptions({}, { ...client, logger })).to.include({ logger, logLevel: 'info' });
    expect(await clientOptions({ logLevel: 'debug' }, { ...client, logger })).to.include({ logLevel: 'debug' });
    expect(await clientOptions({}, client)).to.not.have.any.keys('logger', 'logLevel');
  });
});
