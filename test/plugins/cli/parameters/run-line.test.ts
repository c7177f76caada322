import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { callParameters } from '../../../../plugins/cli/commands/run/call-parameters.ts';
import { cli } from '../../../../plugins/cli/index.ts';
import { runLine } from '../../../../plugins/cli/parameters/run-line.ts';
import { flagNames } from '../../../../plugins/toolkit/program/flag-names.ts';
import { globalFlags } from '../../../../plugins/toolkit/program/global-flags.ts';
import { listedCommands } from '../../../../plugins/toolkit/program/listed-commands.ts';
import { coreToolkit } from '../../../support/core-toolkit.ts';
import { noTerminal } from '../../../support/invocation.ts';

const run = promisify(execFile);

const schema = (properties: Readonly<Record<string, unknown>>) => ({ name: 'it', inputSchema: { type: 'object', properties } });

const reserved = flagNames(listedCommands([cli()]), 'run');

describe('a call as a command line', () => {
  const lines = [
    { properties: { text: { type: 'string' } }, parameters: { text: "it's <b> $HOME" }, line: "--text 'it'\\''s <b> $HOME'" },
    { properties: { text: { type: 'string' } }, parameters: { text: '' }, line: "--text ''" },
    { properties: { text: { type: 'string' } }, parameters: { text: '--x' }, line: '--text=--x' },
    { properties: { n: { type: 'integer' } }, parameters: { n: -5 }, line: '--n=-5' },
    { properties: { a: { type: 'boolean' }, b: { type: 'boolean' } }, parameters: { a: true, b: false }, line: '--a --b false' },
    {
      properties: { tags: { type: 'array', items: { type: 'string' } } },
      parameters: { tags: ['a', 'b c'] },
      line: "--tags a --tags 'b c'",
    },
    { properties: { tags: { type: 'array', items: { type: 'string' } } }, parameters: { tags: ['["x"]'] }, line: `--tags '["[\\"x\\"]"]'` },
    { properties: { any: {} }, parameters: { any: '5' }, line: `--any '"5"'` },
    { properties: { any: {} }, parameters: { any: 'five' }, line: '--any five' },
    { properties: { output: { type: 'string' } }, parameters: { output: 'a b' }, line: "--param 'output=a b'" },
    { properties: { text: { type: 'string' } }, parameters: { text: 'a\n!rm' }, line: `--params '{"text":"a\\n!rm"}'` },
    { properties: { text: { type: 'string' } }, parameters: { text: '\u202e\u009b' }, line: `--params '{"text":"\\u202e\\u009b"}'` },
    { properties: {}, parameters: { 'config=/a.js': 'x', b: 'y' }, line: `--params '{"config=/a.js":"x"}' --b y` },
    { properties: { text: { type: 'string' } }, parameters: { text: '=ls' }, line: "--text '=ls'" },
  ];
  for (const { properties, parameters, line } of lines) {
    it(`is ${line} for ${JSON.stringify(parameters)}`, () => {
      expect(runLine(schema(properties), parameters, reserved)).to.equal(`toolkit run it ${line}`);
    });
  }

  it('means the same parameters again, for every example of a shipped tool', async () => {
    const toolkit = await coreToolkit({ autoDiscover: true });
    const tools = [...toolkit.kernel.registry.tools.values()];
    const examples = tools.flatMap((tool) => (tool.definition.examples ?? []).map(({ parameters }) => ({ tool, parameters })));
    expect(examples.length).to.be.greaterThan(200);
    // One shell for all of them: it writes the words of each line, ended by NUL, and an empty group behind each line.
    const script = examples.map(({ tool, parameters }) => runLine(tool, parameters, reserved).replace(/^toolkit/, 'words')).join('\n');
    const { stdout } = await run('sh', ['-c', `words() { printf '%s\\0' "$@"; printf '\\001\\0'; }\n${script}`], { maxBuffer: 1e8 });
    const calls = stdout.split('\u0001\0').map((words) => words.split('\0').slice(0, -1));
    for (const [place, { tool, parameters }] of examples.entries()) {
      const [, , ...words] = calls[place] ?? [];
      const pairs = words.flatMap((word, index) => (word === '--param' ? [words[index + 1] ?? ''] : []));
      const own = words.filter((word, index) => !/^--params?$/.test(word) && !/^--params?$/.test(words[index - 1] ?? ''));
      const params = words.includes('--params') ? { params: words[words.indexOf('--params') + 1] } : {};
      const flags = { param: pairs, ...params };
      const given = await callParameters(tool, { arguments: [tool.name, ...own], flags, terminal: noTerminal });
      expect(given, runLine(tool, parameters, reserved)).to.deep.equal(parameters);
      expect(globalFlags(['run', ...words])).to.deep.equal({ word: 'run' });
    }
  });
});
