import { expect } from 'chai';
import { after, before } from 'mocha';
import { isPlainObject } from '../../kernel/index.ts';
import type { SeenRequest } from '../support/loopback.ts';
import { exampleFixtures, fixtureProviders, type ProviderFixture, providerFixture, type Sent } from './request-fixtures.ts';
import { type StandIn, startStandIn } from './stand-in.ts';

/** Headers that the transport adds to every request. */
const ofTransport = ['host', 'connection', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'content-length', 'transfer-encoding'];
const defaults: Readonly<Record<string, string>> = { accept: '*/*', 'user-agent': 'node' };

for (const provider of await fixtureProviders()) {
  const common = await providerFixture(provider);
  const fixtures = await exampleFixtures(provider);

  describe(`@toolkit/${provider}: requests`, () => {
    let standIn: StandIn;
    before(async () => {
      standIn = await startStandIn(provider, common);
    });
    after(() => standIn.close());

    it('are known for every example of every tool, and each tool has at least two', () => {
      const examples = standIn.toolkit
        .listTools()
        .map(({ name, definition }) => [name, (definition.examples ?? []).map(({ description }) => description)] as const);
      const known = [...fixtures].map(([name, described]) => [name, described.map(({ example }) => example)] as const);
      expect(Object.fromEntries(known)).to.deep.equal(Object.fromEntries(examples));
      expect(examples.filter(([, described]) => described.length < 2)).to.deep.equal([]);
    });

    for (const [name, described] of fixtures) {
      for (const fixture of described) {
        it(`${name}, "${fixture.example}", sends ${fixture.sent.map(({ method, path }) => `${method} ${path}`).join(', then ')}`, async () => {
          const { examples = [] } = standIn.toolkit.kernel.registry.get(name).definition;
          const { parameters = {} } = examples.find(({ description }) => description === fixture.example) ?? {};
          const { output, requests } = await standIn.call(name, parameters, fixture.answers);
          expect(requests.map(shown)).to.deep.equal(fixture.sent.map((sent, index) => expected(sent, common, requests[index])));
          expect(output).to.deep.equal(Object.hasOwn(fixture, 'output') ? fixture.output : (fixture.answers.at(-1)?.body ?? null));
        });
      }
    }
  });
}

function shown({ method, url, headers, body }: SeenRequest) {
  const own = Object.entries(headers).filter(([name, value]) => !ofTransport.includes(name) && defaults[name] !== value);
  return {
    method,
    path: url,
    headers: Object.fromEntries(own),
    body: isJson(headers['content-type']) && body !== '' ? JSON.parse(body) : body,
  };
}

function expected(sent: Sent, { base_path: basePath = '', headers: common }: ProviderFixture, seen: SeenRequest | undefined) {
  const received = seen === undefined ? undefined : shown(seen).body;
  return {
    method: sent.method,
    path: basePath + sent.path,
    headers: { ...common, ...sent.headers },
    body: sent.body === undefined ? '' : withTextOf(sent.body, received),
  };
}

/** The expected value, with what was received wherever it says `*` and that is a text. */
function withTextOf(wanted: unknown, received: unknown): unknown {
  if (wanted === '*' && typeof received === 'string' && received !== '') return received;
  if (!isPlainObject(wanted) || !isPlainObject(received)) return wanted;
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, withTextOf(value, received[key])]));
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/.test(contentType);
}
