/** Tests of the credentials of every provider package. */
import { expect } from 'chai';
import { after, before } from 'mocha';
import { type ErrorCode, placeholdersIn, type Tool } from '../../kernel/index.ts';
import { refreshTokenName } from '../../plugins/shared/oauth/client-values.ts';
import type { Toolkit } from '../../plugins/toolkit/index.ts';
import { rejection } from '../support/rejection.ts';
import { eachProvider, type ProviderFixtures } from './each-provider.ts';
import type { ProviderFixture } from './fixture-shapes.ts';
import { type StandIn, startStandIn } from './stand-in.ts';
import { expected, shown } from './wire.ts';

await eachProvider((provider, { common, examples }) => {
  describe(`@toolkit/${provider}: credentials`, () => {
    let standIn: StandIn;
    before(async () => {
      standIn = await startStandIn(provider, common);
    });
    after(() => standIn.close());

    it('are for each tool those that it sends, and in no schema', () => {
      for (const { name, credentials, inputSchema, outputSchema, provider: owner } of standIn.toolkit.listTools()) {
        const names = credentials.map((credential) => credential.name);
        expect(names, name).to.not.deep.equal([]);
        expect(Object.keys(common.env), name).to.include.members(names);
        for (const { parameter } of owner?.definition.parameter_mapping ?? [])
          expect(JSON.stringify([inputSchema, outputSchema]), name).to.not.include(parameter);
      }
    });

    it('are those that come with the call, else those of the environment, also side by side', async () => {
      const { toolkit } = standIn;
      const { name: secret = '' } = toolkit.listTools()[0]?.credentials.find(({ isSecret }) => isSecret) ?? {};
      const calls = callsThatDiffer(toolkit, secret, examples);
      const given = ['value-of-ada', undefined, 'value-of-bea'];
      const wanted = calls.map(({ sent }, index) => {
        const authorization = withSecret(common.headers['authorization'] ?? '', common.env[secret] ?? '', given[index]);
        return expected({ ...sent, headers: { ...sent.headers, authorization } }, common);
      });
      const refused = given.map(() => ({ status: 400, body: {} }));
      const { requests } = await standIn.during(refused, () =>
        Promise.allSettled(
          calls.map(({ name, parameters }, index) => {
            const own = given[index];
            return toolkit.execute(name, parameters, own === undefined ? {} : { credentials: { [secret]: own } });
          }),
        ),
      );
      expect(requests.map(shown)).to.have.deep.members(wanted);
    });

    it('are named where they are not set, whichever others are, and nothing is sent', async () => {
      const tools = standIn.toolkit.listTools();
      const mapped = tools[0]?.provider?.definition.parameter_mapping ?? [];
      const oauth2 = tools[0]?.provider?.definition.oauth2;
      const client = new Set(placeholdersIn([oauth2?.client_id, oauth2?.client_secret]));
      const named = mapped.map(({ env_pattern: name }) => [name, common.env[name] ?? 'x'] as const);
      // A refresh token is an account, without a login.
      const values = named.filter(([name]) => name !== refreshTokenName(provider));
      // With a client a login is the way, and not a variable.
      const others = Object.fromEntries(values.filter(([name]) => !client.has(name)));
      const needed = tools.flatMap(({ credentials }) =>
        credentials.filter(({ required, deriveFrom }) => required && deriveFrom === undefined),
      );
      expect(needed).to.have.length.greaterThan(0);
      for (const missing of new Set(needed.map(({ name }) => name))) {
        const tool = tools.find(({ credentials }) => credentials.some(({ name }) => name === missing)) as Tool;
        const { [missing]: _missing, ...env } = others;
        const { error, requests } = await firstExample(tool, { ...common, env });
        expect(error.message.startsWith(`Missing required parameter: ${missing}.`), error.message).to.equal(true);
        expect(error.message).to.include(tool.provider?.definition.provider.documentation_url ?? '');
        expect(requests).to.deep.equal([]);
        if (!Object.hasOwn(oauth2?.provides ?? {}, missing)) continue;
        const { [missing]: _token, ...withClient } = Object.fromEntries(values);
        const login = await firstExample(tool, { ...common, env: withClient }, 'AUTH_REQUIRED');
        expect(login.requests).to.deep.equal([]);
        expect(login.error.message).to.include(`type: toolkit auth login ${tool.provider?.name}`);
      }
    });
  });
});

/** Three examples with one request each, by tools that need the secret, of which no two send the same. */
function callsThatDiffer(toolkit: Toolkit, secret: string, examples: ProviderFixtures['examples']) {
  const found = toolkit
    .listTools()
    .filter(({ credentials }) => credentials.some(({ name }) => name === secret))
    .flatMap(({ name, definition }) =>
      (definition.examples ?? []).map(({ parameters = {} }, index) => ({
        name,
        parameters,
        all: examples.get(name)?.[index]?.sent ?? [],
      })),
    )
    .flatMap(({ all, ...call }) => (all.length === 1 ? all.map((sent) => ({ ...call, sent })) : []))
    .filter(({ sent }) => !JSON.stringify(sent).includes('"*"'));
  const different = [...new Map(found.map((call) => [JSON.stringify(call.sent), call])).values()].slice(0, 3);
  expect(different).to.have.lengthOf(3);
  return different;
}

/** Runs the first example of a tool, which fails. */
async function firstExample({ name, definition, provider }: Tool, fixture: ProviderFixture, code: ErrorCode = 'MISSING_PARAMETER') {
  const other = await startStandIn(provider?.name ?? '', fixture);
  try {
    const run = () => rejection(other.toolkit.execute(name, definition.examples?.[0]?.parameters ?? {}), code);
    const { result: error, requests } = await other.during([], run);
    return { error, requests };
  } finally {
    await other.close();
  }
}

/** The header with another value in place of the secret. */
function withSecret(header: string, secret: string, value = secret): string {
  const [scheme, sent = ''] = header.split(' ');
  if (scheme !== 'Basic') return header.replace(secret, value);
  return `Basic ${Buffer.from(Buffer.from(sent, 'base64').toString().replace(secret, value)).toString('base64')}`;
}
