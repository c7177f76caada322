import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { temporaryFolder } from '../../support/temporary.ts';
import { program } from '../program.ts';

const tool = (name: string, secret: string) => `name: ${name}
description: Needs a secret.
execution:
  type: http
  method: get
  url: https://api.example/${name}
  headers: { Authorization: 'Bearer {${secret}}' }
`;

const value = 'planted-value-of-the-shop';

function toolkit(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const { PATH = '' } = process.env;
    execFile(process.execPath, ['--', program, ...args], { cwd, env: { PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

describe('toolkit secrets check', () => {
  const config = `plugins:\n  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false, secretResolver: { resolvers: [{ type: env }, { type: dotenv, path: shop.env }] } }]\n`;
  const files = {
    'toolkit.config.yaml': config,
    'tools/one.yaml': tool('one', 'SHOP_TOKEN'),
    'tools/two.yaml': tool('two', 'OTHER_TOKEN'),
  };

  it('names what is missing, who has the rest, and no value, and ends with 1', async () => {
    const cwd = await temporaryFolder({ ...files, 'shop.env': `SHOP_TOKEN=${value}\n` });
    const { code, stdout, stderr } = await toolkit(cwd, ['secrets', 'check']);
    expect(code).to.equal(1);
    expect(stdout.split('\n')).to.deep.equal([
      'OTHER_TOKEN  MISSING                                  two',
      'SHOP_TOKEN   found by secret-resolver:secrets-dotenv  one',
      '',
    ]);
    expect(stderr).to.include('MISSING_PARAMETER: A required secret is missing: OTHER_TOKEN.');
    expect(stdout + stderr).to.not.include(value);
  });

  it('looks at the folders of --tool-paths', async () => {
    const cwd = await temporaryFolder({ 'mine/one.yaml': tool('one', 'SHOP_TOKEN') });
    const { code, stdout } = await toolkit(cwd, ['secrets', 'check', '--tool-paths', 'mine']);
    expect([code, stdout]).to.deep.equal([1, 'SHOP_TOKEN  MISSING  one\n']);
  });

  it('says nothing of providers that came with the program and that nobody uses', async () => {
    const cwd = await temporaryFolder();
    const unused = await toolkit(cwd, ['secrets', 'check']);
    expect([unused.code, unused.stdout]).to.deep.equal([0, 'No tool that is in use needs a secret. --tools looks at others.\n']);
    const doctor = await toolkit(cwd, ['doctor', '--json', '--cwd', cwd]);
    expect(doctor.stdout).to.not.include('GITHUB_TOKEN');
    const used = await toolkit(cwd, ['secrets', 'check'], { TWILIO_AUTH_TOKEN: value });
    expect(used.stdout.match(/^\w+/gm)).to.deep.equal(['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM_NUMBER']);
  });

  it('looks at a provider that is asked for, or that the project names, and folds its tools', async () => {
    const asked = await toolkit(await temporaryFolder(), ['secrets', 'check', '--tools', 'github_*']);
    const named = await temporaryFolder({ 'package.json': '{ "dependencies": { "@toolkit/github": "*" } }' });
    for (const { code, stdout } of [asked, await toolkit(named, ['secrets', 'check'])]) {
      expect(code).to.equal(1);
      expect(stdout).to.match(
        /^GITHUB_TOKEN {2}MISSING \(toolkit auth login github\) {2}22 tools: github_\w+, github_\w+, github_\w+, github_\w+ and 18 more\n$/,
      );
    }
  });

  it('ends with 0 when nothing that is asked for is missing', async () => {
    const cwd = await temporaryFolder({ ...files, 'shop.env': `SHOP_TOKEN=${value}\n` });
    const { code, stdout } = await toolkit(cwd, ['secrets', 'check', '--tools', 'one', '--json']);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal([
      { secret: 'SHOP_TOKEN', resolver: 'secret-resolver:secrets-dotenv', required: true, tools: ['one'] },
    ]);
  });

  it('names the resolver that fails', async () => {
    const { code, stderr } = await toolkit(await temporaryFolder(files), ['secrets', 'check']);
    expect(code).to.equal(1);
    expect(stderr).to.include('SECRET_STORE_UNAVAILABLE').and.to.include('shop.env');
  });
});

describe('the resolver flags of toolkit mcp', () => {
  const refused = [
    { args: ['--secrets', 'env,vualt'], code: 2, message: 'Did you mean "vault"?' },
    { args: ['--env-file', 'a.env'], code: 2, message: '--env-file belongs to the resolver "dotenv". Add it: --secrets env,dotenv' },
    { args: ['--secrets', 'dotenv', '--env-file', 'absent.env'], code: 1, message: 'absent.env' },
  ];
  for (const { args, code: expected, message } of refused) {
    it(`refuse ${args.join(' ')}`, async () => {
      const { code, stderr } = await toolkit(await temporaryFolder({ 'tools/one.yaml': tool('one', 'SHOP_TOKEN') }), [
        'mcp',
        '--tool-paths',
        'tools',
        ...args,
      ]);
      expect(code).to.equal(expected);
      expect(stderr).to.include(message);
    });
  }
});
