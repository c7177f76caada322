import { expect } from 'chai';
import { apiVersion, createKernel, definePlugin } from '../../../kernel/index.ts';
import { console as consolePlugin } from '../../../plugins/console/index.ts';
import type { ConsoleOptions } from '../../../plugins/console/options.ts';
import { approvalWays } from '../../../plugins/shared/approval/approval-ways.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { rejection } from '../../support/rejection.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const openid = { issuer: 'https://login.example', clientId: 'console', operators: { groups: ['operations'] } };

const start = (options: unknown) =>
  createKernel({ logger: memoryLogger(), plugins: [consolePlugin(options as ConsoleOptions)] }).then(async (kernel) => kernel.close());

describe('the options of the console', () => {
  const invalid: readonly (readonly [
    what: string,
    options: unknown,
    code: 'CONFIG_INVALID' | 'PLUGIN_INVALID',
    says: readonly string[],
  ])[] = [
    [
      'an issuer without https',
      { openid: { ...openid, issuer: 'http://login.example' } },
      'CONFIG_INVALID',
      ['openid.issuer', 'https', '"http://login.example"'],
    ],
    ['an issuer that is no URL', { openid: { ...openid, issuer: 'login' } }, 'CONFIG_INVALID', ['openid.issuer', '"login"']],
    [
      'an issuer with a query',
      { openid: { ...openid, issuer: 'https://login.example?a=b' } },
      'CONFIG_INVALID',
      ['openid.issuer', 'query'],
    ],
    ['an issuer with a password', { openid: { ...openid, issuer: 'https://a:b@login.example' } }, 'CONFIG_INVALID', ['openid.issuer']],
    ['no operators', { openid: { ...openid, operators: {} } }, 'PLUGIN_INVALID', ['operators']],
    ['a claim without values', { openid: { ...openid, operators: { groups: [] } } }, 'PLUGIN_INVALID', ['operators.groups']],
    ['an empty value', { openid: { ...openid, operators: { groups: [''] } } }, 'PLUGIN_INVALID', ['operators.groups']],
    [
      'a listener for all addresses without TLS',
      { listen: { port: 0, host: '0.0.0.0' } },
      'CONFIG_INVALID',
      ['listen.host', 'listen.tls', '"0.0.0.0"'],
    ],
    ['a listener for a name without TLS', { listen: { port: 0, host: 'tools.example' } }, 'CONFIG_INVALID', ['listen.host']],
    ['a certificate without its key', { listen: { port: 0, tls: { cert: 'a.pem' } } }, 'PLUGIN_INVALID', ['listen.tls']],
    ['a session without time', { sessionHours: 0 }, 'PLUGIN_INVALID', ['sessionHours']],
    ['an unknown option', { codes: true }, 'PLUGIN_INVALID', ['codes']],
  ];
  for (const [what, options, code, says] of invalid)
    it(`are refused with ${what}`, async () => {
      const { message } = await rejection(start(options), code);
      for (const part of says) expect(message).to.contain(part);
    });

  it('take an issuer on loopback without https', async () => {
    await start({ openid: { ...openid, issuer: 'http://127.0.0.1:9' } });
  });

  const ways: readonly (readonly [what: string, options: ConsoleOptions, names: unknown])[] = [
    ['codes one name', {}, ['operator']],
    ['OpenID many names', { openid }, 'many'],
  ];
  for (const [what, options, names] of ways)
    it(`give those who approve with ${what}`, async () => {
      const kernel = await bareKernel({ plugins: [consolePlugin(options)] });
      expect(kernel.facts(approvalWays).map(({ value }) => value)).to.deep.equal([{ way: 'console', names }]);
    });
});

describe('a console that is not served', () => {
  const serving = async (work: boolean): Promise<readonly string[]> => {
    const logger = memoryLogger();
    const other = definePlugin({ name: 'other', apiVersion, apply: ({ hooks }) => hooks.serve.tap('other', () => {}) })();
    const kernel = await bareKernel({ logger, plugins: [other, consolePlugin()] });
    await kernel.serve(work ? { work: { concurrency: 1 } } : {});
    return logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
  };

  it('is warned of once, with what to do', async () => {
    const warnings = await serving(false);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('toolkit mcp --transport http').and.contain('listen: { port: 4900 }');
  });

  it('is not warned of in a worker, which takes no requests', async () => {
    expect(await serving(true)).to.deep.equal([]);
  });
});
