import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type Started, start, until } from '../e2e/program.ts';
import { temporaryFolder, writeFiles } from '../support/temporary.ts';
import { filesOf, type GuideBlock, readGuide } from './guide.ts';
import { documentText } from './markdown-page.ts';

const page = 'plugins/accounts/README.md';
const guide = await readGuide(page);

/** A command of the page, and the output that it shows. */
interface Step {
  readonly command: string;
  readonly output: string;
}

const stepsIn = ({ code }: GuideBlock): readonly Step[] =>
  code
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...output] = step.split('\n');
      return { command, output: output.join('\n').trim() };
    });

/** The steps of "Your first login", in their order: the blocks before it are an overview. */
const steps = guide
  .slice(guide.findIndex(({ file }) => file === 'issuer.mjs'))
  .filter(({ language }) => language === 'console')
  .flatMap(stepsIn);

/** Returns a pattern of a text of the page, in which `…` is any text. */
function patternOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^\\s*${escaped.replaceAll('…', '.*?').replaceAll(/\s+/g, '\\s+')}\\s*$`, 's');
}

/** The server of the page, in an empty folder with the files of the page. Its port is free, in place of the one that the page has. */
async function reader(): Promise<{ readonly folder: string; readonly issuer: Started; readonly as: (text: string) => string }> {
  const files = filesOf(guide);
  const folder = await temporaryFolder({ 'issuer.mjs': files['issuer.mjs'] ?? '' });
  // The token must not end by the clock of a slow machine, as calls would refresh it then.
  const issuer = start(['--port', '0', '--life', '3600'], { cwd: folder, program: path.join(folder, 'issuer.mjs') });
  const port = await until(async () => /http:\/\/127\.0\.0\.1:(\d+) is ready/.exec(issuer.stdout())?.[1]);
  const as = (text: string): string => text.replaceAll('127.0.0.1:4010', `127.0.0.1:${port}`);
  await writeFiles(folder, Object.fromEntries(Object.entries(files).map(([name, text]) => [name, as(text)])));
  return { folder, issuer, as };
}

describe('the page about accounts', () => {
  it('leads a newcomer to a first call, over an expiry, to the end of the account', async () => {
    const { folder, issuer, as } = await reader();
    const env: Record<string, string> = { HOME: folder, XDG_STATE_HOME: path.join(folder, 'state') };
    const expireAt = (): number => issuer.stdout().indexOf('POST /expire');

    const type = async (command: string): Promise<string> => {
      const [program = '', ...args] = command.split(' ');
      if (program === 'node') return issuer.stdout();
      if (program === 'export') {
        const [name = '', value = ''] = (args[0] ?? '').split('=');
        env[name] = value;
        return '';
      }
      if (program === 'curl') return (await promisify(execFile)('curl', args)).stdout;
      expect(program, command).to.equal('toolkit');
      const started = start(args, { cwd: folder, env });
      if (command.startsWith('toolkit auth login')) {
        const [, address = ''] = await started.waitFor(/\n(http:\S+\/authorize\S+)\n/);
        expect(await (await fetch(address)).text(), 'the page of the server').to.include('>Allow</button>');
        const last = await fetch(address, { method: 'POST', body: new URLSearchParams({ answer: 'allow' }) });
        expect(await last.text(), 'the last page').to.include('Connected');
      }
      started.child.stdin?.end();
      await started.exit;
      return started.stderr() + started.stdout();
    };

    expect(steps.map(({ command }) => command.split(' ').slice(0, 3).join(' '))).to.include.members([
      'node issuer.mjs',
      'toolkit auth login',
      'toolkit run acme_whoami',
      'toolkit auth status',
      'toolkit auth logout',
    ]);
    for (const { command, output } of steps) expect(await type(as(command)), command).to.match(patternOf(as(output)));

    const shown = guide.find(({ language, code }) => language === 'text' && code.includes('/expire'))?.code ?? 'no block';
    expect(issuer.stdout().slice(expireAt())).to.match(patternOf(`${shown}POST /revoke - 200`));
    const printed = new Set(issuer.stdout().split('\n'));
    for (const line of ['POST /token refresh_token 200', 'GET /me - 200']) {
      expect(await documentText(page), 'the lines of an expiry').to.include(`\`${line}\``);
      expect(printed.has(line), line).to.equal(true);
    }
    expect(issuer.stdout(), 'no token').to.not.match(/[0-9a-f]{8}-[0-9a-f]{4}|Bearer/);
    expect(issuer.stderr()).to.equal('');
  });

  const refused: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['another client', { client_id: 'other' }, /expected acme-desktop/],
    ['a redirect to another machine', { redirect_uri: 'http://192.0.2.1:80/callback' }, /redirect_uri is not registered/],
    ['a login without PKCE', { code_challenge_method: 'plain' }, /S256/],
  ];
  it('has a server that refuses a wrong login in words', async () => {
    const { as } = await reader();
    for (const [what, wrong, message] of refused) {
      const good = { client_id: 'acme-desktop', redirect_uri: 'http://127.0.0.1:9/callback', code_challenge_method: 'S256' };
      const answer = await fetch(as(`http://127.0.0.1:4010/authorize?${new URLSearchParams({ ...good, ...wrong })}`));
      expect(answer.status, what).to.equal(400);
      expect(await answer.text(), what).to.match(message);
    }
  });
});
