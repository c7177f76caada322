import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Finding } from '../../../kernel/index.ts';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { terminal } from '../../support/terminal.ts';
import { program, start } from '../program.ts';

const run = promisify(execFile);

const config = `plugins:
  - [toolkit/standard, { toolPaths: [tools], autoDiscover: false, includeCore: false }]
`;

const files = {
  'package.json': '{}',
  'toolkit.config.yaml': config,
  'tools/shop/definition.yaml':
    'provider: { name: shop, documentation_url: "https://shop.example" }\nparameter_mapping: [{ parameter: SHOP_KEY, env_pattern: SHOP_KEY }]\n',
  'tools/shop/order.yaml':
    'name: shop_order\ndescription: Orders it.\nrisk: high\nexecution: { type: command, command: no-such-program, env: { KEY: "{SHOP_KEY}" } }\n',
};

interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function doctor(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const started = start(['doctor', ...args], { cwd, env });
  const { code } = await started.exit;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

const findingsOf = ({ stdout }: Answer): readonly Finding[] => (JSON.parse(stdout) as { findings: readonly Finding[] }).findings;

describe('toolkit doctor', () => {
  it('shows on a terminal what it found, what to do, and the plugins', async () => {
    const cwd = await temporaryFolder(files);
    const screen = terminal(['doctor'], { cwd, rows: 70 });
    expect(await screen.ended).to.equal(0);
    expect(screen.raw()).to.include('\u001b[33mwarning\u001b[39m');
    const steady = screen
      .screen()
      .replace(/^ok {7}(Node|Python|OpenSSL|git|Sandbox|Clock|Time zones) .*$(\n {8,}.*)*/gm, 'ok       $1 …')
      .replace(/^(ok|warning) +Port .*$(\n {8,}.*)*/m, '<port>')
      .replace(/^ok {7}Configuration .*$(\n {8,}.*)*/m, '<configuration>')
      // Commands come and go.
      .replace(/^\S+ +\(toolkit .*$(\n {8,}.*)*\n/gm, '');
    await matchesSnapshot('doctor', steady);
  });

  it('gives programs the same as JSON, and ends with 0 where nothing but warnings are', async () => {
    const answer = await doctor(await temporaryFolder(files), ['--json'], { SHOP_KEY: 'hunter2hunter2' });
    expect(answer).to.include({ code: 0, stderr: '' });
    expect(answer.stdout).to.not.include('hunter2');
    const states = findingsOf(answer).map(({ check, state }) => `${check}: ${state}`);
    expect(states).to.include.members(['Node: ok', 'Definitions: ok', 'Secrets: ok', 'Commands: warning', 'Approval: warning']);
    const { plugins } = JSON.parse(answer.stdout) as { plugins: { name: string; hooks: string[] }[] };
    expect(plugins.find(({ name }) => name === 'approval-gate')?.hooks).to.deep.equal(['beforeExecute', 'approve', 'serve']);
  });

  for (const isHiding of [false, true])
    it(`says by provider what is missing, and how to supply it${isHiding ? '; also that clients are not listed its tools' : ''}`, async () => {
      const server = isHiding ? '  - [toolkit/plugins/mcp, { onlyAvailable: true }]\n' : '';
      const answer = await doctor(await temporaryFolder({ ...files, 'toolkit.config.yaml': `${config}${server}` }), ['--json']);
      const [, { message, hint } = {}, ...others] = findingsOf(answer).filter(({ check }) => check === 'Secrets');
      expect(others).to.deep.equal([]);
      const hidden = isHiding ? ' (not listed: "onlyAvailable" of mcp)' : '';
      expect(message).to.equal(`shop: SHOP_KEY missing; 1 tool cannot run without${hidden}`);
      expect(hint).to.equal('Set the environment variable, or add to a configured store. Where to get it: https://shop.example');
    });

  describe('where the configuration lists a store', () => {
    const keys = ['a key of thirty-two bytes or more', 'b key of thirty-two bytes or more'] as const;
    const folder = (file: string) =>
      temporaryFolder({ ...files, 'toolkit.config.yaml': `${config}  - [toolkit/plugins/store-libsql, { path: ${file} }]\n` });
    const storeOf = async (cwd: string, key: string) => {
      const answer = await doctor(cwd, ['--json'], { TOOLKIT_KEY: key });
      const { plugins } = JSON.parse(answer.stdout) as { plugins: { name: string }[] };
      return {
        code: answer.code,
        names: plugins.map(({ name }) => name),
        found: findingsOf(answer).filter(({ check }) => check === 'Store'),
      };
    };

    it('writes there, reads it again, and says how long that took', async () => {
      const { found, names } = await storeOf(await folder('state.db'), keys[0]);
      expect(found.map(({ state }) => state)).to.deep.equal(['ok']);
      expect(found[0]?.message).to.match(/^store-libsql: opened, written, read and deleted in \d+ ms; /);
      expect(names).to.include('store-libsql').and.to.not.include('store-probe');
    });

    it('names the variable where it was written with another key', async () => {
      const cwd = await folder('state.db');
      await storeOf(cwd, keys[0]);
      const { code, found } = await storeOf(cwd, keys[1]);
      expect(code).to.equal(1);
      expect(found[0]?.state).to.equal('problem');
      expect(found[0]?.message).to.include('was written with another key').and.to.include('the same TOOLKIT_KEY');
    });

    it('says what is wrong with a file that is none', async () => {
      const { code, found } = await storeOf(await folder('package.json'), keys[0]);
      expect(code).to.equal(1);
      expect(found[0]?.message).to.match(/^store-libsql: The store .*package\.json cannot be used: /);
    });
  });

  it('ends with 1 for a problem, and looks at the rest all the same', async () => {
    const cwd = await temporaryFolder({ ...files, 'toolkit.config.yaml': 'plugins: [no-such-plugin]\n' });
    const answer = await doctor(cwd);
    expect(answer.code).to.equal(1);
    expect(answer.stdout).to.match(
      /^problem {6}Configuration {2}CONFIG_INVALID: .*plugins\[0\]: the plugin module "no-such-plugin" does not load/m,
    );
    expect(answer.stdout).to.match(/^not checked {2}Tools +the configuration cannot be used$/m);
    expect(answer.stdout).to.match(/^ok {11}Node /m);
    expect(answer.stdout.trimEnd()).to.match(/\n1 problem, 3 not checked\.$/);
    expect(answer.stderr).to.equal(
      'toolkit: CONFIG_INVALID: Something is wrong here: Configuration. Follow the hints in the report, then run "toolkit doctor" again.\n',
    );
  });

  it('names the other engine where the engine of one machine is on a store of several', async () => {
    const plugins = "plugins: [toolkit/plugins/engine-local, [toolkit/plugins/store-postgres, { url: 'postgresql://127.0.0.1:1/none' }]]\n";
    const answer = await doctor(await temporaryFolder({ ...files, 'toolkit.config.yaml': plugins }));
    expect(answer.code).to.equal(1);
    expect(answer.stdout).to.match(/^problem {6}Configuration {2}PLUGIN_INVALID: engine-local .*toolkit\/plugins\/engine-bullmq/m);
  });

  it('does without a PATH', async () => {
    const answer = await doctor(await temporaryFolder(files), ['--json'], { PATH: '' });
    const checks = findingsOf(answer).filter(({ check }) => ['Python', 'git'].includes(check));
    expect(checks.map(({ message }) => message)).to.deep.equal([
      'python3 is not on the PATH; nothing here needs it',
      'git is not on the PATH; nothing here needs it',
    ]);
  });

  it('lets nothing that others have written reach the terminal as an escape sequence', async () => {
    const cwd = await temporaryFolder({
      ...files,
      'tools/bad.yaml': 'name: "\\u001b[31mred"\ndescription: d\nexecution: { type: command }\n',
    });
    const answer = await doctor(cwd);
    expect(answer.code).to.equal(1);
    expect(answer.stdout).to.include('tools/bad.yaml:1:').and.not.include('\u001b');
  });

  it('answers where the working directory is gone', async () => {
    const cwd = await temporaryFolder();
    const script = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"';
    const { stdout } = await run('sh', ['-c', script, process.execPath, program, 'doctor', '--json'], { cwd }).catch(
      (error: Answer) => error,
    );
    const findings = (JSON.parse(stdout) as { findings: readonly Finding[] }).findings;
    const folder = findings.find(({ check }) => check === 'Folder');
    expect(folder?.message).to.equal('the working directory is gone, or cannot be read (ENOENT)');
    expect(findings.find(({ check }) => check === 'Node')?.state).to.equal('ok');
  });
});
