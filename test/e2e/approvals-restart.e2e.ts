import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { token } from '../plugins/mcp/support/wire.ts';
import { WireClient } from '../plugins/mcp/support/wire-client.ts';
import { loopback } from '../support/loopback.ts';
import { foldersForFile } from '../support/temporary.ts';
import { type Asked, act, type CallOptions, type Files, gate, Site, script, stranger } from './approval-site.ts';

const handler = "import { appendFileSync } from 'node:fs';\nexport default () => appendFileSync('ran', 'x');\n";
const python = 'def run(parameters, context):\n    open("ran", "a").write("x")\n    return "done"\n';
const remote = (url: string): string => `provider: { name: bank }\ndescription: A bank.\nbase_url: ${url}\n`;

const shell = act('{ type: command, command: ./act.sh }');
const onPath = act('{ type: command, command: acting }');

interface Attack {
  readonly what: string;
  readonly files?: Files;
  readonly mode?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The attack between the question and the start of the next server. */
  readonly change?: (site: Site) => unknown;
  /** Variables of the server that is started afterwards. */
  readonly later?: Readonly<Record<string, string>>;
  readonly call?: CallOptions;
  readonly answer?: CallOptions;
}

const basic: Files = { 'tools/act.yaml': shell, 'tools/act.sh': script };
const files = (more: Files) => (site: Site) => site.write(more);

const attacks: readonly Attack[] = [
  { what: 'other parameters', answer: { parameters: { to: 'Eve' } } },
  { what: 'another caller', answer: { as: stranger } },
  { what: 'another description', change: files({ 'tools/act.yaml': shell.replace('Acts.', 'Acts for you.') }) },
  { what: 'another risk', change: files({ 'tools/act.yaml': `${shell}risk: low\n` }) },
  { what: 'more arguments of its program', change: files({ 'tools/act.yaml': act('{ type: command, command: ./act.sh, args: [more] }') }) },
  {
    what: 'another environment of its program',
    change: files({ 'tools/act.yaml': act('{ type: command, command: ./act.sh, env: { LD_PRELOAD: x.so } }') }),
  },
  {
    what: 'another kind of execution',
    change: files({ 'tools/act.yaml': act('{ type: function, code: ./act.js }'), 'tools/act.js': handler }),
  },
  { what: 'another program under its name', change: files({ 'tools/act.sh': script.replace('done', 'other') }) },
  {
    what: 'its program moved away and another in its place',
    change: async (site) => {
      await rename(path.join(site.cwd, 'tools/act.sh'), path.join(site.cwd, 'tools/old.sh'));
      await site.write({ 'tools/act.sh': `${script}# \n` });
    },
  },
  {
    what: 'a handler in JavaScript that was changed',
    files: { 'tools/act.yaml': act('{ type: function, code: ./act.js }'), 'tools/act.js': handler },
    change: files({ 'tools/act.js': `${handler}// more\n` }),
  },
  {
    what: 'a handler in a thread that was changed',
    files: { 'tools/act.yaml': act('{ type: function, code: ./act.js, worker: true }'), 'tools/act.js': handler },
    change: files({ 'tools/act.js': `${handler}// more\n` }),
  },
  {
    what: 'a handler in Python that was changed',
    files: { 'tools/act.yaml': act('{ type: function, code: ./act.py }'), 'tools/act.py': python },
    change: files({ 'tools/act.py': `${python}# more\n` }),
  },
  {
    what: 'a program of the PATH that was replaced',
    files: { 'tools/act.yaml': onPath, 'bin/acting': script },
    change: files({ 'bin/acting': `${script}# more\n` }),
  },
  {
    what: 'a program that comes first on the PATH now',
    files: { 'tools/act.yaml': onPath, 'bin/acting': script },
    change: files({ 'first/acting': script }),
  },
  { what: 'another key in the file', change: (site) => writeFile(site.keyFile, `${'k'.repeat(43)}\n`, { mode: 0o600 }) },
  { what: 'no key any more', change: (site) => rm(site.keyFile) },
  {
    what: 'another TOOLKIT_KEY',
    env: { TOOLKIT_KEY: 'a key of thirty-two bytes or more' },
    later: { TOOLKIT_KEY: 'another key of thirty-two bytes or more' },
  },
  {
    what: 'a key before that is not the one',
    env: { TOOLKIT_KEY: 'a key of thirty-two bytes or more' },
    later: { TOOLKIT_KEY: 'another key of thirty-two bytes or more', TOOLKIT_KEY_PREVIOUS: 'a third key of thirty-two bytes or more' },
  },
  {
    what: 'a policy that asks for another reason',
    mode: 'flag',
    files: { ...basic, 'policy.yaml': 'rules: [{ match: { tool: act }, effect: ask, reason: it is late }]\n' },
    call: { parameters: { to: 'Ada', _toolkit_approved: true } },
    answer: { parameters: { to: 'Ada', _toolkit_approved: true } },
    change: files({ 'policy.yaml': 'rules: [{ match: { tool: act }, effect: ask, reason: it is a trap }]\n' }),
  },
  {
    what: 'a policy that denies',
    mode: 'flag',
    files: { ...basic, 'policy.yaml': 'rules: [{ match: { tool: act }, effect: ask }]\n' },
    call: { parameters: { to: 'Ada', _toolkit_approved: true } },
    answer: { parameters: { to: 'Ada', _toolkit_approved: true } },
    change: files({ 'policy.yaml': 'rules: [{ match: { tool: act }, effect: deny }]\n' }),
  },
  { what: 'a further question, of the human policy', change: (site) => site.write({ 'toolkit.config.js': gate('elicit human') }) },
  {
    what: 'the word of the model in place of the policy',
    mode: 'flag human',
    call: { parameters: { to: 'Ada', _toolkit_approved: true } },
    answer: { parameters: { to: 'Ada' } },
  },
  {
    what: 'the tool that calls others, asked directly',
    mode: 'elicit core',
    answer: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } },
  },
  {
    what: 'its name, asked through the tool that calls others',
    mode: 'elicit core',
    call: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } },
    answer: {},
  },
  {
    what: 'the tool that calls others, with other parameters',
    mode: 'elicit core',
    call: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } },
    answer: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Eve' } } },
  },
  {
    what: 'the tool that calls others, and another definition',
    mode: 'elicit core',
    call: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } },
    answer: { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } },
    change: files({ 'tools/act.yaml': shell.replace('Acts.', 'Acts for you.') }),
  },
];

/** The starting point of attacks: a project, and a question for each attack from a server that has been killed. */
interface World {
  readonly site: Site;
  readonly asked: Asked[];
  readonly restore: () => Promise<void>;
}

const worlds = new Map<string, Promise<World>>();

/** Begins with the world of this attack as it was when the first server was killed, and with a yes to a question of its own. */
async function begin(attack: Attack): Promise<{ site: Site; asked: Asked }> {
  const name = worldOf(attack);
  const began = worlds.get(name) ?? foldersForFile(() => makeWorld(attack));
  worlds.set(name, began);
  const { site, asked, restore } = await began;
  await restore();
  return { site, asked: asked.pop() as Asked };
}

async function makeWorld(attack: Attack): Promise<World> {
  const { files: own = basic, mode = 'elicit', env = {}, call = {} } = attack;
  const site = await Site.with(own, { mode, env });
  const first = await site.open();
  const asked: Asked[] = [];
  // And one for the call that is to run.
  const those = attacks.filter((other) => worldOf(other) === worldOf(attack));
  for (const _ of [...those, 'itself']) asked.push(await first.ask(call));
  await first.kill();
  return { site, asked, restore: await site.keep() };
}

function worldOf({ files: own, mode, env, call }: Attack): string {
  return JSON.stringify([own, mode, env, call]);
}

/** The first attack of each world. */
const firsts = attacks.filter((attack, index) => attacks.findIndex((other) => worldOf(other) === worldOf(attack)) === index);

describe('a yes to a server that was killed, given to the one that was started after it', () => {
  for (const attack of attacks)
    it(`counts for nothing with ${attack.what}`, async () => {
      const { site, asked } = await begin(attack);
      await attack.change?.(site);
      const second = await site.open(attack.later);
      const { result, error } = await second.call({ ...attack.answer, asked });
      expect(JSON.stringify(result ?? error)).to.match(/input_required|"isError":true|"code":-32602/);
      expect(await site.runs()).to.equal(0);
    });

  // So that none of the attacks fails for another reason.
  for (const attack of firsts)
    it(`runs the call where nothing has changed (the world of: ${attack.what})`, async () => {
      const { site, asked } = await begin(attack);
      const second = await site.open();
      await second.call({ ...attack.call, asked });
      expect(await site.runs()).to.equal(1);
    });

  it('runs the call once where nothing has changed: not again, nor after another kill, nor by the copy that another caller made', async () => {
    for (const [mode, call] of [
      ['elicit', {}],
      ['elicit core', { name: 'toolkit_call_tool', parameters: { name: 'act', arguments: { to: 'Ada' } } }],
      ['flag human', { parameters: { to: 'Ada', _toolkit_approved: true } }],
    ] as const) {
      const site = await Site.with(basic, { mode });
      const first = await site.open();
      const asked = await first.ask(call);
      await first.kill();
      const second = await site.open();
      const { result, error } = await second.call({ ...call, asked });
      expect(JSON.stringify(result ?? error), mode).to.include('done');
      await second.call({ ...call, asked });
      await second.kill();
      const third = await site.open();
      for (const as of [token, stranger]) await third.call({ ...call, asked, as });
      expect(await site.runs(), mode).to.equal(1);
    }
  });

  it('runs the call where the key was changed in order, the old one before it', async () => {
    const old = 'a key of thirty-two bytes or more';
    const site = await Site.with(basic, { env: { TOOLKIT_KEY: old } });
    const first = await site.open();
    const asked = await first.ask();
    await first.kill();
    const second = await site.open({ TOOLKIT_KEY: 'another key of thirty-two bytes or more', TOOLKIT_KEY_PREVIOUS: old });
    await second.call({ asked });
    expect(await site.runs()).to.equal(1);
  });

  for (const key of ['the file', 'TOOLKIT_KEY'])
    it(`counts once for two processes that take it at the same moment, with ${key}`, async () => {
      const site = await Site.with(basic, key === 'TOOLKIT_KEY' ? { env: { TOOLKIT_KEY: 'a key of thirty-two bytes or more' } } : {});
      const first = await site.open();
      const asked = await first.ask();
      const [second, third] = await Promise.all([site.open(), site.open()]);
      await Promise.all([first, second, third].flatMap((each) => [1, 2, 3, 4].map(() => each.call({ asked }))));
      expect(await site.runs()).to.equal(1);
    });

  for (const what of ['base_url of its provider', 'description of its provider', 'path'])
    it(`counts for nothing with another ${what}`, async () => {
      const [bank, thief] = [await loopback((_, response) => response.end('{}')), await loopback((_, response) => response.end('{}'))];
      const tool = act('{ type: http, method: POST, url: /pay }', 'provider: bank\n');
      const site = await Site.with({ 'tools/act.yaml': tool, 'tools/definition.yaml': remote(bank.url) });
      const first = await site.open();
      const asked = await first.ask();
      await first.kill();
      await site.write(
        {
          'base_url of its provider': { 'tools/definition.yaml': remote(thief.url) },
          'description of its provider': {
            'tools/definition.yaml': remote(bank.url).replace('A bank.', 'A bank of mine.'),
          },
          path: { 'tools/act.yaml': tool.replace('/pay', '/pay-twice') },
        }[what] as Files,
      );
      const second = await site.open();
      await second.call({ asked });
      const made = () => [...bank.requests, ...thief.requests].map(({ method, url }) => `${method} ${url}`);
      expect(made()).to.deep.equal([]);
      await second.call({ asked: await second.ask() });
      expect(made()).to.have.length(1);
    });

  it('activates only what the person saw, in whichever process it is given', async () => {
    const site = await Site.with(basic, { mode: 'elicit core' });
    const [first, second] = [await site.open(), await site.open()];
    const reload = { name: 'toolkit_reload_tools', parameters: {} };
    await site.write({ 'tools/new.yaml': 'name: new\ndescription: Good.\nexecution: { type: command, command: echo, args: [good] }\n' });
    const asked = await first.ask(reload);
    await site.write({ 'tools/new.yaml': 'name: new\ndescription: Good.\nexecution: { type: command, command: ./act.sh }\n' });
    const { result } = await second.call({ ...reload, asked });
    expect(result).to.have.property('resultType', 'input_required');
    expect(JSON.stringify((await second.call({ name: 'new', parameters: {} })).error)).to.include('-32602');
    expect(await site.runs()).to.equal(0);
  });

  it('is no token, and a token is given once for both eras and all processes', async () => {
    const site = await Site.with(basic, { mode: 'strict' });
    const first = await site.open();
    await first.ask();
    const [given = ''] = (await readFile(path.join(site.cwd, 'tokens'), 'utf8')).split('\n');
    await first.kill();
    const second = await site.open();
    const parameters = { to: 'Ada', _toolkit_approved: given };
    const session = await WireClient.open(second.port);
    expect(JSON.stringify(await session.call('act', parameters))).to.include('done');
    for (const again of [await second.call({ parameters }), await session.call('act', parameters)])
      expect(JSON.stringify(again)).to.include('APPROVAL_REQUIRED');
    await second.kill();
    const third = await site.open();
    expect(JSON.stringify(await third.call({ parameters }))).to.include('APPROVAL_REQUIRED');
    expect(JSON.stringify(await third.call({ parameters: { ...parameters, to: 'Eve' } }))).to.include('APPROVAL_REQUIRED');
    expect(await site.runs()).to.equal(1);
  });
});
