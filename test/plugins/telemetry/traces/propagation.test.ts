import { expect } from 'chai';
import { Propagation } from '../../../../plugins/telemetry/traces/propagation.ts';

describe('the receivers of traceparent', () => {
  const cases: readonly (readonly [hosts: readonly string[], url: string, isReceiver: boolean])[] = [
    [['loopback'], 'http://127.0.0.1:8080/', true],
    [['loopback'], 'http://127.8.9.10/', true],
    [['loopback'], 'http://localhost/', true],
    [['loopback'], 'http://[::1]:1/', true],
    [['loopback'], 'http://127.0.0.1.evil.example/', false],
    [['loopback'], 'http://localhost.evil.example/', false],
    [['loopback'], 'http://loopback/', false],
    [['loopback'], 'http://0.0.0.0/', false],
    [[], 'http://127.0.0.1/', false],
    [['workers'], 'http://workers/', false],
    [['workers'], 'http://127.0.0.1/', false],
    [['api.corp.example'], 'https://api.corp.example/v1', true],
    [['api.corp.example'], 'https://API.corp.example:8443/', true],
    [['api.corp.example'], 'https://other.corp.example/', false],
    [['api.corp.example'], 'https://api.corp.example.evil.example/', false],
    [['api.corp.example'], 'https://user@evil.example/api.corp.example', false],
    [['*.corp.example'], 'https://api.corp.example/', true],
    [['*.corp.example'], 'https://a.b.corp.example/', true],
    [['*.corp.example'], 'https://corp.example/', false],
    [['*.corp.example'], 'https://evilcorp.example/', false],
    [['API.Corp.Example'], 'https://api.corp.example/', true],
    [['größe.example'], 'https://xn--gre-6ka8i.example/', true],
    [['10.1.2.3'], 'http://10.1.2.3/', true],
    [['fd00::1'], 'http://[fd00::1]/', true],
    [['[fd00::1]'], 'http://[fd00:0::1]:80/', true],
  ];
  for (const [hosts, url, isReceiver] of cases) {
    it(`${isReceiver ? 'have' : 'do not have'} ${url} where they are ${JSON.stringify(hosts)}`, () =>
      expect(new Propagation(hosts).includes(new URL(url))).to.equal(isReceiver));
  }

  it('have the code of tools where they say "workers", and only there', () => {
    expect([['workers'], ['loopback'], []].map((hosts) => new Propagation(hosts).includes('workers'))).to.deep.equal([true, false, false]);
  });

  for (const entry of [
    'https://api.corp.example',
    'api.corp.example:8443',
    '[fd00::1]:80',
    'api.corp.example/v1',
    '*',
    '*.*.corp.example',
    'a b',
    '*.',
  ]) {
    it(`refuse "${entry}", which would match nothing`, () =>
      expect(() => new Propagation([entry]))
        .to.throw(/propagate expected a host name without scheme/)
        .with.property('code', 'PLUGIN_INVALID'));
  }
});
