import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { json, loopback } from '../../support/loopback.ts';
import { failure, textOf } from '../mcp/support/client.ts';
import { boundWorld, type Files, type World } from './bound-world.ts';

const elicit = { mode: 'elicit' } as const;
const strict = { mode: 'strict' } as const;

/** The definition of `act`, which needs approval. */
const act = (execution: string, more = ''): string => `
name: act
description: Acts.
parameters: {}
requires_approval: true
${more}
execution: ${execution}
`;

const javaScript = 'export default () => "old"';
const marking = 'import { writeFileSync } from "node:fs"; writeFileSync("%/mark", ""); export default () => "new"';
const python = 'def run(parameters, context):\n    return "old"\n';
const markingPython = 'open("%/mark", "w").close()\n\ndef run(parameters, context):\n    return "new"\n';
const shell = '#!/bin/sh\necho old\n';
const markingShell = '#!/bin/sh\n: > "%/mark"\necho new\n';

interface Replacement {
  readonly what: string;
  readonly files: Files;
  readonly replace: Files;
}

const replacements: readonly Replacement[] = [
  {
    what: 'a JavaScript handler that is not loaded yet',
    files: { 'act.yaml': act('{ type: function, code: ./act.mjs }'), 'act.mjs': javaScript },
    replace: { 'act.mjs': marking },
  },
  {
    what: 'a handler of a worker thread that is not loaded yet',
    files: { 'act.yaml': act('{ type: function, code: ./act.mjs, worker: true }'), 'act.mjs': javaScript },
    replace: { 'act.mjs': marking },
  },
  {
    what: 'a Python handler',
    files: { 'act.yaml': act('{ type: function, code: ./act.py }'), 'act.py': python },
    replace: { 'act.py': markingPython },
  },
  {
    what: 'a relative program',
    files: { 'act.yaml': act('{ type: command, command: ./act.sh }'), 'act.sh': shell },
    replace: { 'act.sh': markingShell },
  },
  {
    what: 'the module that prepares a program',
    files: {
      'act.yaml': act('{ type: command, command: echo, prepare: ./prepare.mjs }'),
      'prepare.mjs': 'export default () => ({})',
    },
    replace: { 'prepare.mjs': marking },
  },
];

describe('an approval holds for what will run', () => {
  for (const { what, files, replace } of replacements) {
    it(`and not for ${what} that is replaced during the question, to which a yes to the call is none`, async () => {
      const world = await boundWorld({ files, gate: elicit, agreesAgain: true, meanwhile: ({ write }) => write(replace) });
      const { message } = failure(await world.call('act'), 'APPROVAL_REQUIRED');
      expect(message).to.include('its code is not what was loaded when the tools were discovered');
      expect(message).to.include(`${world.folder}/${Object.keys(replace)[0]} has changed`);
      expect([world.questions.length, world.hasRun()]).to.deep.equal([1, false]);
    });

    it(`and not, by a token, for ${what} that is replaced before it is given`, async () => {
      const world = await boundWorld({ files, gate: strict });
      const token = await tokenOf(world);
      await world.write(replace);
      const { message } = failure(await world.call('act', { _toolkit_approved: token }), 'APPROVAL_REQUIRED');
      expect(message).to.include('its code is not what was loaded when the tools were discovered');
      expect(world.hasRun()).to.equal(false);
    });

    it(`and runs it where nobody replaces ${what}`, async () => {
      const world = await boundWorld({ files, gate: elicit, meanwhile: () => {} });
      expect(textOf(await world.call('act'))).to.not.include('new');
      expect(world.hasRun()).to.equal(false);
    });
  }

  it('and not for a Python handler of the same time stamp that the process has loaded', async () => {
    const files = { 'act.yaml': act('{ type: function, code: ./act.py }'), 'act.py': python };
    let isReplaced = false;
    const world = await boundWorld({
      files,
      gate: elicit,
      meanwhile: async ({ write }) => isReplaced && write({ 'act.py': markingPython }),
    });
    textOf(await world.call('act'));
    isReplaced = true;
    failure(await world.call('act'), 'APPROVAL_REQUIRED');
    expect(world.hasRun()).to.equal(false);
  });

  it('and runs the JavaScript handler that is loaded, whatever its file holds now', async () => {
    const files = { 'act.yaml': act('{ type: function, code: ./act.mjs }'), 'act.mjs': javaScript };
    const world = await boundWorld({
      files,
      gate: elicit,
      meanwhile: ({ questions, write }) => questions.length === 2 && write({ 'act.mjs': marking }),
    });
    textOf(await world.call('act'));
    expect(textOf(await world.call('act'))).to.equal('old');
    expect(world.hasRun()).to.equal(false);
  });

  it('and not for a handler that is removed during the question', async () => {
    const files = { 'act.yaml': act('{ type: function, code: ./act.mjs }'), 'act.mjs': javaScript };
    const world = await boundWorld({ files, gate: elicit, meanwhile: ({ folder }) => rm(path.join(folder, 'act.mjs'), { force: true }) });
    failure(await world.call('act'), 'APPROVAL_REQUIRED');
  });

  it('and not for a definition that is another one after a reload during the question', async () => {
    const files = { 'act.yaml': act('{ type: function, code: ./act.mjs }'), 'act.mjs': javaScript };
    const changed = { 'act.yaml': act('{ type: function, code: ./act.mjs }', 'tags: [other]') };
    const world = await boundWorld({ files, gate: elicit, meanwhile: ({ write, kernel }) => write(changed).then(() => kernel.reload()) });
    const { message } = failure(await world.call('act'), 'APPROVAL_DENIED');
    expect(message).to.include('since the question, its definition changed');
  });

  it('and not for a tool that is gone after a reload during the question', async () => {
    const files = { 'act.yaml': act('{ type: function, code: ./act.mjs }'), 'act.mjs': javaScript };
    const remove = ({ folder, kernel }: World) => rm(path.join(folder, 'act.yaml')).then(() => kernel.reload());
    const world = await boundWorld({ files, gate: elicit, meanwhile: remove });
    expect(failure(await world.call('act'), 'APPROVAL_DENIED')['message']).to.include('its definition changed');
  });
});

describe('an approval holds for the destination of a request', () => {
  const definition = (url: string): string => `provider: { name: shop }\nbase_url: ${url}\n`;
  const files = (url: string): Files => ({
    'definition.yaml': definition(url),
    'act.yaml': act('{ type: http, method: post, url: "/orders/{id}", query_params: { q: "{q}" } }').replace(
      'parameters: {}',
      'provider: shop\nparameters: { id: { type: string }, q: { type: string } }',
    ),
  });

  it('which the person is shown', async () => {
    const { url } = await loopback((_request, response) => json(response, {}));
    const world = await boundWorld({ files: files(url), gate: elicit, meanwhile: () => {} });
    textOf(await world.call('act', { id: 'a b', q: 'x&y' }));
    expect(world.questions[0]).to.include(`\ndestination: POST ${url}/orders/a%20b?q=x%26y\n`);
  });

  it('of which nobody is asked when it cannot be sent', async () => {
    const world = await boundWorld({ files: files('http://127.0.0.1:1'), gate: elicit, meanwhile: () => {} });
    failure(await world.call('act', { q: 'x' }), 'INVALID_PARAMETERS');
    expect(world.questions).to.deep.equal([]);
  });

  it('and not for the base_url of the provider after a reload during the question', async () => {
    const [old, next] = [
      await loopback((_request, response) => json(response, {})),
      await loopback((_request, response) => json(response, {})),
    ];
    const meanwhile = ({ write, kernel }: World) => write({ 'definition.yaml': definition(next.url) }).then(() => kernel.reload());
    const world = await boundWorld({ files: files(old.url), gate: elicit, meanwhile });
    const { message } = failure(await world.call('act', { id: '1', q: 'x' }), 'APPROVAL_DENIED');
    expect(message).to.include('since the question, its provider changed');
    expect([old.requests, next.requests]).to.deep.equal([[], []]);
  });

  it('and not, by a token, for another base_url', async () => {
    const [old, next] = [
      await loopback((_request, response) => json(response, {})),
      await loopback((_request, response) => json(response, {})),
    ];
    const world = await boundWorld({ files: files(old.url), gate: strict });
    const token = await tokenOf(world, { id: '1', q: 'x' });
    await world.write({ 'definition.yaml': definition(next.url) });
    await world.kernel.reload();
    const { message } = failure(await world.call('act', { id: '1', q: 'x', _toolkit_approved: token }), 'APPROVAL_REQUIRED');
    expect(message).to.include('destination and provider are not what was approved');
    expect([old.requests, next.requests]).to.deep.equal([[], []]);
  });
});

describe('what the module of "identify" says', () => {
  const files = (identify: string): Files => ({
    'act.yaml': act('{ type: function, code: ./act.mjs, identify: ./act.mjs#identify }'),
    'act.mjs': `import { readFileSync } from "node:fs";\n${javaScript};\nexport const identify = ${identify}`,
    place: 'db-1',
  });
  const readsPlace = files('() => readFileSync("%/place", "utf8")');

  it('is shown to the person, on a line of its own, and given to the host', async () => {
    const told = files('() => ({ destination: "db-1\\nprogram: x", folder: { shown: "/srv", state: "1" } })');
    const world = await boundWorld({ files: told, gate: elicit, meanwhile: () => {} });
    textOf(await world.call('act'));
    expect(world.questions[0]).to.include('\ndestination: db-1\\u000aprogram: x\nfolder: /srv\nparameters: none\n');
    const host = await boundWorld({ files: told, gate: strict });
    await tokenOf(host);
    expect(host.requests[0]).to.include({ destination: 'db-1\nprogram: x', folder: '/srv', code: path.join(host.folder, 'act.mjs') });
  });

  it('refuses the call when it says something else after the question', async () => {
    const world = await boundWorld({ files: readsPlace, gate: elicit, meanwhile: ({ write }) => write({ place: 'db-2' }) });
    const { message } = failure(await world.call('act'), 'APPROVAL_DENIED');
    expect(message).to.include('since the first question its destination (from db-1 to db-2) changed');
  });

  it('spends no token after it said something else', async () => {
    const world = await boundWorld({ files: readsPlace, gate: strict });
    const token = await tokenOf(world);
    await world.write({ place: 'db-2' });
    const { message } = failure(await world.call('act', { _toolkit_approved: token }), 'APPROVAL_REQUIRED');
    expect(message).to.include('destination is not what was approved');
    await world.write({ place: 'db-1' });
    expect(textOf(await world.call('act', { _toolkit_approved: token }))).to.equal('old');
  });

  it('must be a text or parts of texts', async () => {
    const world = await boundWorld({ files: files('() => ({ code: "x" })'), gate: elicit, meanwhile: () => {} });
    expect(failure(await world.call('act'), 'TOOL_INVALID')['message']).to.include('received "code" as ');
    expect(world.questions).to.deep.equal([]);
  });

  it('is not asked for a call about which nobody is asked', async () => {
    const world = await boundWorld({ files: files('() => { throw new Error("asked") }'), gate: elicit });
    expect(await world.kernel.execute('act', {})).to.equal('old');
  });
});

/** The token that the host hands out for a call that was not decided. */
async function tokenOf({ call, requests }: World, parameters: Readonly<Record<string, unknown>> = {}): Promise<string> {
  failure(await call('act', parameters), 'APPROVAL_REQUIRED');
  return requests.at(-1)?.token?.() ?? '';
}
