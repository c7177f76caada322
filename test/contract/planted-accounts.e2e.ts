import { expect } from 'chai';
import { leakIn } from './planted.ts';
import { type AccountEvidence, accountRun, called, commands } from './planted-account-run.ts';

/** Titles of outputs beside those of the commands, with what shows that it came so far. */
const outputs: Readonly<Record<string, RegExp>> = {
  'a login that is refused': /exit 1.*invalid_grant/s,
  'a login in the browser': /exit 0.*is connected/s,
  'a login by device': /exit 0.*is connected/s,
  'a login with a pasted address': /exit 0.*is connected/s,
  'a further login': /exit 0.*is connected/s,
  'a logout': /exit 0.*Removed the account/s,
  'a call after an expiry': /exit 0/,
  'a refresh': /exit 0.*has a new access token/s,
  'the MCP server': /call started/,
  'a refresh that fails': /exit 1.*(UPSTREAM_UNAVAILABLE|AUTH_REQUIRED)/s,
  'a call after a refused refresh': /exit 1.*AUTH_REQUIRED/s,
  'doctor, with an account that needs a login': /acme/,
  'a logout that is refused': /Removed the account/,
};

/** Parts of what commands write, which show that they used the account. */
const parts: Readonly<Partial<Record<(typeof commands)[number], RegExp>>> = {
  'auth status': /ann@acme\.example/,
  'run acme_echo --output json': /exit 0.*\[secret ACME_TOKEN\]/s,
  'run acme_fail': /exit 1/,
  'run acme_garbage': /exit 1/,
  'run acme_show': /exit 0.*\[secret ACME_WILD\]/s,
  'run acme_program': /exit 0.*\[secret ACME_TOKEN\]/s,
  'run acme_refused --debug': /exit 1.*AUTH_/s,
  'test acme_echo --record': /exit 0/,
  'test acme_echo': /exit 0/,
  'audit verify calls.jsonl': /exit 0.*The trail verifies/s,
};

describe('tokens, codes and secrets of an account', function () {
  this.timeout(1_800_000);
  let evidence: AccountEvidence;

  before(async () => {
    evidence = await accountRun();
  });

  const expectNone = (value: unknown): void => {
    expect(leakIn(value, evidence.ownValues)).to.equal(undefined);
  };

  it('were issued, sent and rotated', () => {
    const { requests, revoked } = evidence.site.server;
    const grants = requests.map(({ grant }) => grant.replace(/.*:/, ''));
    for (const grant of ['authorization_code', 'device_code', 'refresh_token']) expect(grants).to.include(grant);
    expect(evidence.ownValues).to.have.length.greaterThan(6);
    expect(evidence.ownValues.every((value) => value.length > 20)).to.equal(true);
    expect(new Set(requests.flatMap(({ parameters }) => parameters['refresh_token'] ?? [])).size).to.be.greaterThan(3);
    expect(revoked).to.not.have.length(0);
  });

  for (const [title, pattern] of [...Object.entries(outputs), ...commands.map((words) => [words, parts[words] ?? /^exit \d/] as const)])
    it(`do not show in what ${title} writes`, () => {
      const text = evidence.outputs.get(title) ?? '';
      expectNone(text);
      expect(text).to.match(pattern);
    });

  it('do not show in a command line of any process', () => {
    if (process.platform === 'linux') expect(evidence.commandLines).to.include('auth');
    expectNone(evidence.commandLines);
  });

  it('reach a program in the variable that is meant for them, and nowhere else', () => {
    expect(evidence.noted.filter(({ length }) => length > 0)).to.not.have.length(0);
    for (const { env, line } of evidence.noted) {
      expectNone(line);
      expectNone(Object.entries(env).map((variable) => variable.join('=')));
    }
  });

  it('do not show in messages of the MCP server', () => {
    expect(evidence.messages).to.have.length.greaterThan(called.length + 5);
    for (const message of evidence.messages) expectNone(message);
    expect(JSON.stringify(evidence.messages)).to.include('[secret ACME_TOKEN]');
  });

  const places: Readonly<Record<string, RegExp>> = {
    'the trail': /^calls\.jsonl/,
    'a cassette': /\.cassette\.json$/,
    'the accounts on disk': /^state\/.*accounts\//,
    'a file below the working directory': /^/,
  };
  for (const [place, pattern] of Object.entries(places))
    it(`do not show in ${place}`, () => {
      const files = [...evidence.files].filter(([name]) => pattern.test(name));
      expect(files).to.not.have.length(0);
      for (const [name, text] of files) expect(leakIn(text, evidence.ownValues), name).to.equal(undefined);
    });
});
