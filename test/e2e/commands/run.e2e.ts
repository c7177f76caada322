import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { json, loopback } from '../../support/loopback.ts';
import { gone, start } from '../program.ts';
import { shop } from './shop.ts';

async function run(args: readonly string[], { stdin, ...options }: { cwd: string; env?: Record<string, string>; stdin?: string }) {
  const started = start(['run', ...args], options);
  started.child.stdin?.end(stdin ?? '');
  const { code } = await started.exit;
  return { code, stdout: started.stdout(), stderr: started.stderr() };
}

describe('toolkit run', () => {
  it('calls a tool over HTTP with typed parameters, and prints JSON for programs', async () => {
    const server = await loopback((request, response) =>
      json(response, { got: JSON.parse(request.body), as: request.headers.authorization }),
    );
    const cwd = await shop(server.url);
    const args = ['shop_order', '--item', '007', '--count=2', '--gift', '--tags', 'a', '--tags', 'b', '--note', 'says "hi"'];
    const { code, stdout, stderr } = await run(args, { cwd, env: { SHOP_TOKEN: 'token-of-shop' } });
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).to.deep.equal({
      got: { item: '007', count: 2, gift: true, tags: ['a', 'b'], note: 'says "hi"' },
      as: 'Bearer [secret SHOP_TOKEN]',
    });
    expect(server.requests[0]?.headers.authorization).to.equal('Bearer token-of-shop');
  });

  it('takes parameters from standard input and from a file, under those given by name', async () => {
    const cwd = await shop();
    await writeFile(path.join(cwd, 'call.json'), '{"number": "255", "to": 16}');
    const list = await run(['math_convert_base', '--params', '[5]'], { cwd });
    expect(list.stderr).to.include('--params expected a JSON object').and.to.include('received array of 1');
    const piped = await run(['math_convert_base', '--params', '-', '--to', '2', '--output', 'raw'], { cwd, stdin: '{"number": "5"}' });
    expect(piped).to.deep.equal({ code: 0, stdout: '{"number":"101"}\n', stderr: '' });
    const file = await run(['math_convert_base', '--params', 'call.json'], { cwd });
    expect(JSON.parse(file.stdout)).to.deep.equal({ number: 'ff' });
  });

  it('prints a text as it is where it is asked for raw', async () => {
    const { stdout } = await run(['shop_echo', '--param', 'output=a\nb', '--output', 'raw'], { cwd: await shop() });
    expect(stdout).to.equal('a\nb');
  });

  it('prints the output of a tool that failed, says why, and ends with 1', async () => {
    const { code, stdout, stderr } = await run(['shop_fail'], { cwd: await shop() });
    expect({ code, output: JSON.parse(stdout) }).to.deep.equal({ code: 1, output: { ok: false } });
    expect(stderr).to.equal('toolkit: EXECUTION_FAILED: The function of "shop_fail" failed: no \\u001b[2Jway\n');
  });

  it('acts once under one name, and says so of a later run', async () => {
    const cwd = await shop(undefined, { hasStore: true });
    const first = await run(['shop_count_up', '--once', 'order 1'], { cwd });
    expect(first).to.deep.equal({ code: 0, stdout: '{\n  "count": 1\n}\n', stderr: '' });
    const second = await run(['shop_count_up', '--once', 'order 1'], { cwd });
    expect(second).to.deep.include({ code: 0, stdout: first.stdout });
    expect(second.stderr).to.include('Not called');
    expect((await run(['shop_count_up', '--once', 'order 2'], { cwd })).stdout).to.include('2');
  });

  it('acts under no name where a later run would not know of it', async () => {
    const { code, stderr } = await run(['shop_count_up', '--once', 'order 1'], { cwd: await shop() });
    expect({ code }).to.deep.equal({ code: 2 });
    expect(stderr).to.include('"--once" needs a store').and.to.include('store-libsql');
  });

  const wrong = [
    {
      title: 'a parameter that is missing',
      args: ['math_convert_base', '--number', '5'],
      code: 2,
      says: 'to is required. "toolkit run math_convert_base --help" shows what it takes.',
    },
    {
      title: 'an unknown parameter',
      args: ['math_convert_base', '--nmber', '5', '--to', '2'],
      code: 2,
      says: 'nmber is not known here. Did you mean "number"?',
    },
    {
      title: 'a value of another type',
      args: ['math_convert_base', '--to', 'two'],
      code: 2,
      says: 'to expected a whole number, received string "two"',
    },
    {
      title: 'an unknown tool',
      args: ['math_convert_bas'],
      code: 1,
      says: 'There is no tool "math_convert_bas". Did you mean "math_convert_base"',
    },
    { title: 'a flag in the place of the tool', args: ['--number', '5'], code: 2, says: 'The name of the tool comes first' },
    {
      title: 'a secret that nobody has',
      args: ['shop_order', '--item', 'x'],
      code: 1,
      says: 'MISSING_PARAMETER: Missing required parameter: SHOP_TOKEN',
    },
    {
      title: 'a call that a person must approve, and nobody is there',
      args: ['shop_danger'],
      code: 1,
      says: 'put to a person. Run it in a terminal, where a person can be asked.',
    },
    {
      title: 'an unknown format',
      args: ['shop_echo', '--output', 'xml'],
      code: 2,
      says: 'expected table, json or raw, received "xml"',
    },
    { title: 'no tool', args: [], code: 2, says: 'Usage: toolkit run [options] [tool] [parameters...]' },
  ];
  for (const { title, args, code, says } of wrong) {
    it(`ends with ${code} and says what to do for ${title}`, async () => {
      const ended = await run(args, { cwd: await shop() });
      expect({ code: ended.code, stdout: ended.stdout }).to.deep.equal({ code, stdout: '' });
      expect(ended.stderr).to.include(says);
    });
  }

  it('ends with 1 at a signal, in plain words, and leaves nothing running', async () => {
    const cwd = await shop();
    const started = start(['run', 'shop_nap'], { cwd });
    const [, pid] = await started.waitFor(/nap (\d+)\n/);
    started.child.kill('SIGINT');
    expect((await started.exit).code).to.equal(1);
    expect(started.stderr()).to.include('toolkit: ABORTED: "shop_nap" was stopped before its end. What it had done by then stays done.\n');
    expect(started.stdout()).to.equal('');
    await gone(Number(pid));
  });

  it('ends quietly when the reader of its result leaves', async () => {
    const started = start(['run', 'shop_many'], { cwd: await shop() });
    started.child.stdout?.once('data', () => started.child.stdout?.destroy());
    expect(await started.exit).to.deep.equal({ code: 0, signal: null });
    expect(started.stderr()).to.equal('');
  });
});
