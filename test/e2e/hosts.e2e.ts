import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { glob } from 'tinyglobby';
import { afterEach } from '../support/after-each.ts';
import { compilerSays } from '../support/compiler.ts';
import { installIn } from '../support/installed.ts';
import { json, loopback, type SeenRequest } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';

const run = promisify(execFile);
const guide = await readFile('plugins/toolkit/EMBEDDING.md', 'utf8');
const snippets = [...guide.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A project with the hosts, beside an installed toolkit and p-queue. */
async function project(): Promise<string> {
  const folder = await temporaryFolder({ 'package.json': '{ "name": "hosts", "type": "module" }' });
  await cp('fixtures/hosts', folder, { recursive: true });
  await installIn(folder);
  for (const name of ['p-queue', '@types']) await symlink(path.resolve('node_modules', name), path.join(folder, 'node_modules', name));
  return folder;
}

async function start(file: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), file], {
    cwd: await project(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'pipe',
  });
  children.push(child);
  return child;
}

/** A shop that says whose token it was sent; the first question for order 503 fails. */
async function shop(): Promise<{ readonly url: string; readonly requests: readonly SeenRequest[] }> {
  let failures = 1;
  return loopback(({ url, headers, method }, response) => {
    if (url === '/orders/404') return json(response, { message: 'no such order' }, 404);
    if (url === '/orders/503' && failures-- > 0) return json(response, {}, 503, { 'retry-after': '0' });
    return json(response, { url, method, whose: headers.authorization?.replace('Bearer token-of-', '') });
  });
}

describe('the guide to embedding', () => {
  it('shows the hosts and their tools as they are', async () => {
    const files = await glob('**/*.{ts,yaml}', { cwd: 'fixtures/hosts' });
    expect(files.length).to.be.greaterThan(5);
    const shown = snippets.map(({ code }) => code);
    for (const file of files) expect(shown, file).to.include(await readFile(path.join('fixtures/hosts', file), 'utf8'));
  });

  it('has TypeScript that compiles against the published types', async () => {
    const folder = await project();
    const others = snippets.filter(({ language, code }) => language === 'ts' && !/^\/\/ [\w-]+\.ts/.test(code));
    expect(others.length).to.be.at.least(5);
    for (const [index, { code }] of others.entries()) await writeFile(path.join(folder, `snippet-${index}.ts`), `${code}\nexport {};\n`);
    const compilerOptions = { module: 'nodenext', target: 'es2022', strict: true, noEmit: true, types: ['node'], skipLibCheck: true };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    expect(await compilerSays(folder)).to.equal('');
  });
});

describe('a host', () => {
  it('that serves HTTP has calls made in the name of each user, and ends in peace', async () => {
    const { url, requests } = await shop();
    const child = await start('http-service.ts', { SHOP_URL: url, PORT: '0' });
    const errors = text(child.stderr as NodeJS.ReadableStream);
    const [address] = await Promise.race([
      once(child.stdout as NodeJS.ReadableStream, 'data'),
      errors.then((said) => Promise.reject(new Error(said))),
    ]);
    const { port } = JSON.parse(String(address)) as { port: number };
    const call = async (key: string, tool: string, body: string): Promise<unknown> => {
      const headers = { authorization: `Bearer ${key}` };
      const answer = await fetch(`http://127.0.0.1:${port}/${tool}`, { method: 'POST', body, headers });
      const { code, whose } = (await answer.json()) as { code?: string; whose?: string };
      return [answer.status, code ?? whose];
    };
    const cases: readonly [string, string, string, unknown][] = [
      ['key-of-ann', 'shop_get_order', '{"order":1}', [200, 'ann']],
      ['key-of-bob', 'shop_get_order', '{"order":1}', [200, 'bob']],
      ['key-of-ann', 'shop_cancel_order', '{"order":1}', [200, 'ann']],
      ['key-of-bob', 'shop_cancel_order', '{"order":2}', [403, 'APPROVAL_DENIED']],
      ['key-of-eve', 'shop_get_order', '{"order":1}', [401, undefined]],
      ['key-of-ann', 'shop_get_order', '{"order":"x"}', [400, 'INVALID_PARAMETERS']],
      ['key-of-ann', 'shop_get_order', '{"order"', [400, 'INVALID_PARAMETERS']],
      ['key-of-ann', 'shop_get_ordr', '{}', [404, 'TOOL_NOT_FOUND']],
      ['key-of-ann', 'shop_get_order', '{"order":404}', [502, 'NOT_FOUND']],
    ];
    for (const [key, tool, body, expected] of cases) expect(await call(key, tool, body), `${key} ${tool} ${body}`).to.deep.equal(expected);
    expect(requests.some(({ url: place, method }) => method === 'DELETE' && place === '/orders/2')).to.equal(false);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([code, (await errors).includes('token-of')]).to.deep.equal([0, false]);
  });

  it('that works through a queue does each job once, tries again what may work later, and counts', async () => {
    const { url } = await shop();
    const child = await start('queue-worker.ts', { SHOP_URL: url, TOOLKIT_LOG_LEVEL: 'silent' });
    const output = text(child.stdout as NodeJS.ReadableStream);
    const errors = text(child.stderr as NodeJS.ReadableStream);
    const job = (id: number, order: number, who: string) =>
      `${JSON.stringify({ id, tool: 'shop_get_order', parameters: { order }, shopToken: `token-of-${who}` })}\n`;
    child.stdin?.end([job(1, 1, 'ann'), job(2, 503, 'bob'), job(3, 404, 'ann')].join(''));
    await once(child, 'exit');
    const results = (await output)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; code?: string; output?: { whose: string } })
      .sort((a, b) => a.id - b.id);
    expect(results.map(({ code, output: given }) => code ?? given?.whose)).to.deep.equal(['ann', 'bob', 'NOT_FOUND']);
    expect(JSON.parse(await errors)).to.deep.include({ 'shop_get_order completed': 2, 'shop_get_order NOT_FOUND': 1 });
  });

  it('that is a script does its work and leaves', async () => {
    const { stdout } = await run(process.execPath, ['--import', import.meta.resolve('tsx'), 'script.ts', 'Two Words', 'Ärger im Büro'], {
      cwd: await project(),
    });
    expect(stdout).to.equal('two-words.md\naerger-im-buero.md\n');
  });
});
