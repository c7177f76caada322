import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { json, loopback } from '../../support/loopback.ts';
import { onceForFile, temporaryFolder } from '../../support/temporary.ts';
import { packNames } from '../../tools/packs.ts';
import { project } from '../project.ts';
import { toolkitTest as toolkit } from './toolkit-test.ts';

const secret = 'sk-live-0123456789';

/** A project with a tool of each kind; the service is there until the test ends. */
async function shop(more: Readonly<Record<string, string>> = {}) {
  const { url, requests } = await loopback(({ url: asked, headers, body }, response) =>
    json(response, { asked, by: headers.authorization, title: JSON.parse(body).title, at: Date.now() }),
  );
  const { host } = new URL(url);
  const cwd = await project({
    // What is shipped has a test of its own: with it, `*` takes as long as all of these tests.
    'toolkit.config.yaml': `plugins:\n  - [toolkit/standard, { includeCore: false, autoDiscover: false, toolPaths: [./tools], allowHosts: ['${host}'] }]\n`,
    'tools/shop_add_item.yaml': `name: shop_add_item
description: Adds an item to the shop and says what it was.
parameters: { title: { type: string, required: true, description: Its title. } }
execution: { type: http, method: post, url: '${url}/items', headers: { Authorization: 'Bearer {SHOP_API_KEY}' }, body: { title: '{title}', kind: pot } }
idempotency: { header: Idempotency-Key }
output_schema: { type: object, properties: { title: { type: string } }, required: [title] }
examples: [{ description: A tea pot, parameters: { title: Tea pot } }]
`,
    'tools/file_count_lines.yaml': `name: file_count_lines
description: Counts the lines of a text file.
parameters: { path: { type: string, required: true, path: read, description: The file. } }
execution: { type: command, command: wc, args: [-l, '{path}'] }
examples: [{ description: Two lines, parameters: { path: two.txt } }]
`,
    'two.txt': 'a\nb\n',
    'tools/who_greet.yaml': `name: who_greet
description: Greets somebody, and says when.
parameters: { who: { type: string, required: true, description: A name. } }
execution: { type: function, code: ./greet.mjs#greet }
examples: [{ description: Ada, parameters: { who: Ada } }]
`,
    'tools/greet.mjs': 'export const greet = ({ who }) => ({ greeting: ["Hello", who].join(" "), at: new Date().toISOString() });\n',
    ...more,
  });
  return { cwd, requests, edit: editIn(cwd), record: () => toolkit(cwd, ['tools', '--record'], { SHOP_API_KEY: secret }) };
}

function editIn(cwd: string) {
  return async (file: string, from: string, to: string): Promise<void> => {
    const text = await readFile(path.join(cwd, file), 'utf8');
    expect(text).to.include(from);
    await writeFile(path.join(cwd, file), text.replace(from, to));
  };
}

const recorded = onceForFile(async () => {
  const { cwd, record } = await shop();
  expect(await record()).to.deep.include({ code: 0 });
  return cwd;
});

/** The same project with what it asks recorded, once for all tests, and without the service. */
async function recordedShop() {
  const cwd = await temporaryFolder();
  await cp(await recorded(), cwd, { recursive: true, verbatimSymlinks: true });
  return { cwd, edit: editIn(cwd) };
}

describe('toolkit test', () => {
  it('passes for every shipped tool, without a network', async () => {
    const packs = (await packNames()).map((name) => [`@toolkit/${name}`, '*']);
    const cwd = await project({
      'package.json': JSON.stringify({ type: 'module', dependencies: Object.fromEntries(packs) }),
      'toolkit.config.yaml': 'plugins:\n  - [toolkit/standard, { namedSecrets: [WEBHOOK_SECRET, JWT_SECRET] }]\n',
    });
    const { code, stdout } = await toolkit(cwd, ['*', '--strict']);
    expect(stdout.split('\n').filter((line) => !line.startsWith('✓') && line !== '')).to.deep.equal(['262 tools: 262 passed']);
    expect(code).to.equal(0);
  });

  it('records what tools of every kind ask, and passes without the service and without the secret', async () => {
    const { cwd, record, requests } = await shop();
    expect(await record()).to.deep.include({ code: 0 });
    expect(requests).to.have.lengthOf(1);
    const { code, stdout } = await toolkit(cwd, []);
    expect(stdout).to.equal('✓ file_count_lines  1 example\n✓ shop_add_item  1 example\n✓ who_greet  1 example\n\n3 tools: 3 passed\n');
    expect(code).to.equal(0);
    expect(requests).to.have.lengthOf(1);
  });

  for (const words of [[], ['tools'], ['shop_add_item'], ['*']])
    it(`fails where a definition does not load: toolkit test ${words.join(' ')}`, async () => {
      const { cwd, edit } = await recordedShop();
      await edit('tools/shop_add_item.yaml', 'url:', 'urll:');
      const { code, stdout } = await toolkit(cwd, words);
      expect(code).to.equal(1);
      expect(stdout).to.match(
        /✗ shop_add_item\n {4}its definition does not load\n {6}tools\/shop_add_item\.yaml:\d+:\d+ execution\.url: is required/,
      );
    });

  it('records anew after the parameters and examples are others, and says which old ones are left out', async () => {
    const { cwd, record, edit } = await shop();
    await record();
    await edit('tools/who_greet.yaml', '{ who: { type', '{ name: { type');
    await edit('tools/who_greet.yaml', 'Ada, parameters: { who: Ada }', 'Bob, parameters: { name: Bob }');
    await edit('tools/greet.mjs', '({ who })', '({ name: who })');
    const again = await record();
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.include('"Ada" was in the cassette alone, and the tool does not take its parameters any more: it is left out');
    expect(await toolkit(cwd, ['who_greet'])).to.deep.include({ code: 0, stdout: '✓ who_greet  1 example\n\n1 tool: 1 passed\n' });
  });

  it('does not record what the example of the definition contradicts', async () => {
    const { record, edit } = await shop();
    await edit('tools/who_greet.yaml', 'parameters: { who: Ada } }', 'parameters: { who: Ada }, output: { greeting: Good day } }');
    const { code, stdout } = await record();
    expect(code).to.equal(1);
    expect(stdout).to.include('"Ada": the example of the definition promises another output. Correct its "output" there, or the tool');
  });

  it('says why a call ended before it asked for anything', async () => {
    const { cwd, edit } = await recordedShop();
    await edit(
      'tools/shop_add_item.yaml',
      'parameters: { title: {',
      'parameters: { amount: { type: integer, required: true, description: How many. }, title: {',
    );
    const { code, stdout } = await toolkit(cwd, ['shop_add_item']);
    expect(code).to.equal(1);
    expect(stdout).to.include('INVALID_PARAMETERS').and.to.include('amount is required').and.not.to.include('was not made');
  });

  it('keeps the files of the project that examples read', async () => {
    const { cwd } = await recordedShop();
    const { files } = JSON.parse(await readFile(path.join(cwd, 'tools/file_count_lines.cassette.json'), 'utf8'));
    expect(files).to.deep.equal({ 'two.txt': 'a\nb\n' });
    await rm(path.join(cwd, 'two.txt'));
    expect(await toolkit(cwd, ['file_*'])).to.deep.include({ code: 0 });
  });

  it('writes no secret, and leaves open what is another one at each run', async () => {
    const { cwd } = await recordedShop();
    const text = await readFile(path.join(cwd, 'tools/shop_add_item.cassette.json'), 'utf8');
    expect(text).to.not.include(secret);
    const { credentials, examples } = JSON.parse(text);
    expect(credentials).to.deep.equal({ SHOP_API_KEY: 'made-up-SHOP_API_KEY' });
    const [{ exchanges, output }] = examples;
    expect(exchanges[0].request.headers).to.deep.equal({
      authorization: 'Bearer [secret SHOP_API_KEY]',
      'content-type': 'application/json',
      'idempotency-key': '*',
    });
    expect(output).to.deep.include({ asked: '/items', by: 'Bearer [secret SHOP_API_KEY]', title: 'Tea pot' });
    const greeted = JSON.parse(await readFile(path.join(cwd, 'tools/who_greet.cassette.json'), 'utf8'));
    expect(greeted.examples[0].output).to.deep.equal({ greeting: 'Hello Ada', at: '*' });
  });

  it('shows another request, command line and output as a diff, and ends with 1', async () => {
    const { cwd, edit } = await recordedShop();
    await edit('tools/shop_add_item.yaml', 'kind: pot', 'kind: cup');
    await edit('tools/file_count_lines.yaml', '-l', '-w');
    await edit('tools/greet.mjs', 'Hello', 'Bye');
    const { code, stdout, stderr } = await toolkit(cwd, []);
    expect(code).to.equal(1);
    for (const line of [
      '-    "kind": "pot",',
      '+    "kind": "cup",',
      '-    "-l",',
      '+    "-w",',
      '-  "greeting": "Hello Ada"',
      '+  "greeting": "Bye Ada"',
    ])
      expect(stdout).to.include(`      ${line}\n`);
    expect(stdout)
      .to.match(/"A tea pot": its request is not the recorded one\n/)
      .and.not.include('"at"\n');
    expect(stderr).to.include('toolkit test file_count_lines --record');
  });

  it('shows how the parameters of an example are others than when it was recorded', async () => {
    const { cwd, edit } = await recordedShop();
    await edit('tools/who_greet.yaml', 'parameters: { who: Ada }', 'parameters: { who: Bob }');
    const { code, stdout } = await toolkit(cwd, ['who_greet']);
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /"Ada" of the definition has other parameters than in the cassette\. Record it: toolkit test who_greet --record\n {6} \{\n {6}- {2}"who": "Ada"\n {6}\+ {2}"who": "Bob"\n/,
    );
  });

  it('takes another order of keys, and compares nothing that the transport sets', async () => {
    const { cwd, edit } = await recordedShop();
    await edit('tools/shop_add_item.yaml', "body: { title: '{title}', kind: pot }", "body: { kind: pot, title: '{title}' }");
    await edit('tools/shop_add_item.yaml', 'headers: {', 'headers: { User-Agent: another/2.0,');
    expect(await toolkit(cwd, ['shop_*'])).to.deep.include({ code: 0, stdout: '✓ shop_add_item  1 example\n\n1 tool: 1 passed\n' });
  });

  it('names the path at which an output does not fit its schema', async () => {
    const { cwd, edit } = await recordedShop();
    await edit('tools/shop_add_item.yaml', 'title: { type: string } }, required: [title]', 'title: { type: integer } }, required: [title]');
    const { code, stdout } = await toolkit(cwd, ['shop_add_item']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/its output does not fit output_schema\n {6}title: .*integer/);
  });

  it('says how a cassette is made, and fails for want of one only with --strict', async () => {
    const { cwd } = await shop();
    const { code, stdout } = await toolkit(cwd, ['who_greet']);
    expect(code).to.equal(0);
    expect(stdout).to.include('it has no cassette. Record one: toolkit test who_greet --record');
    expect(await toolkit(cwd, ['who_greet', '--strict'])).to.deep.include({ code: 1 });
  });

  it('does not record an example that fails, and leaves its cassette alone', async () => {
    const { cwd, record, edit } = await shop();
    await record();
    const file = path.join(cwd, 'tools/who_greet.cassette.json');
    const before = await readFile(file, 'utf8');
    await edit(
      'tools/greet.mjs',
      'export const greet = ',
      "export const greet = () => { throw new Error('nobody there'); };\nconst former = ",
    );
    const { code, stdout } = await toolkit(cwd, ['who_greet', '--record']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/it failed, and is not recorded: EXECUTION_FAILED: .*nobody there/);
    expect(await readFile(file, 'utf8')).to.equal(before);
  });

  it('records nothing that is not named', async () => {
    const { cwd, requests } = await shop();
    expect(await toolkit(cwd, ['--record'], { SHOP_API_KEY: secret })).to.deep.include({ code: 2 });
    expect(requests).to.deep.equal([]);
  });

  it('writes no cassette that would hold a secret', async () => {
    const { cwd, edit } = await shop();
    await edit('tools/shop_add_item.yaml', 'parameters: { title: Tea pot }', `parameters: { title: 'A ${secret} pot' }`);
    const { code, stderr } = await toolkit(cwd, ['shop_add_item', '--record'], { SHOP_API_KEY: secret });
    expect(code).to.equal(1);
    expect(stderr).to.include('would hold the value of a secret').and.not.include(secret);
  });

  it('keeps by hand what was left open, and examples that fail', async () => {
    const { cwd, record } = await shop();
    await record();
    const file = path.join(cwd, 'tools/who_greet.cassette.json');
    const cassette = JSON.parse(await readFile(file, 'utf8'));
    cassette.examples[0].output.greeting = '*';
    cassette.examples.push({ description: 'Nobody', parameters: {}, error: { code: 'INVALID_PARAMETERS', message: '*' } });
    await writeFile(file, JSON.stringify(cassette));
    expect(await toolkit(cwd, ['who_greet'])).to.deep.include({ code: 0, stdout: '✓ who_greet  2 examples\n\n1 tool: 1 passed\n' });
    await record();
    const { examples } = JSON.parse(await readFile(file, 'utf8'));
    expect(examples[0].output.greeting).to.equal('*');
    expect(examples[1].error).to.deep.equal({ code: 'INVALID_PARAMETERS', message: '*' });
  });

  it('takes folders, and refuses a word that stands for nothing', async () => {
    const { cwd } = await shop();
    expect((await toolkit(cwd, ['tools'])).stdout).to.include('3 tools: ');
    expect((await toolkit(cwd, ['tools/who_greet.yaml'])).stdout).to.include('1 tool: ');
    const { code, stderr } = await toolkit(cwd, ['who_gret']);
    expect(code).to.equal(2);
    expect(stderr).to.include('who_greet');
  });

  it('prints its results for programs', async () => {
    const { cwd } = await recordedShop();
    const { stdout } = await toolkit(cwd, ['who_greet', '--json']);
    expect(JSON.parse(stdout)).to.deep.equal({
      tools: [{ tool: 'who_greet', status: 'passed', examples: [{ example: 'Ada', findings: [] }], findings: [] }],
    });
  });
});
