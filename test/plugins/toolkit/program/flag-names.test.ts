import { expect } from 'chai';
import Type from 'typebox';
import { apiVersion, definePlugin } from '../../../../kernel/index.ts';
import { runLine } from '../../../../plugins/cli/parameters/run-line.ts';
import { builtInCommands } from '../../../../plugins/toolkit/program/built-in-commands.ts';
import { flagNames } from '../../../../plugins/toolkit/program/flag-names.ts';
import { listedCommands } from '../../../../plugins/toolkit/program/listed-commands.ts';

const lockBox = definePlugin({
  name: 'secrets-lock-box',
  apiVersion,
  optionsSchema: Type.Object({ box: Type.Optional(Type.String()) }),
  flagTopic: 'secrets',
  flags: { box: { flag: '-b, --box <name>', description: 'the box' } },
  apply() {},
});

const tool = { name: 'send', inputSchema: { type: 'object', properties: { box: { type: 'string' } } } };

describe('names of the flags of a command', () => {
  it('are its own, those of plugins and those of every command', () => {
    expect([...flagNames(listedCommands(builtInCommands()), 'run')]).to.include.members([
      ...['param', 'params', 'output', 'once', 'secrets', 'env-file', 'vault-path', 'aws-secret-id'],
      ...['config', 'cwd', 'debug', 'help', 'version'],
    ]);
  });

  for (const { of, plugins, line } of [
    { of: 'no plugin', plugins: builtInCommands(), line: 'toolkit run send --box left' },
    { of: 'a plugin of a third party', plugins: [...builtInCommands(), lockBox()], line: 'toolkit run send --param box=left' },
  ]) {
    it(`decide how a parameter is passed that has the name of a flag of ${of}`, () => {
      expect(runLine(tool, { box: 'left' }, flagNames(listedCommands(plugins), 'run'))).to.equal(line);
    });
  }
});
