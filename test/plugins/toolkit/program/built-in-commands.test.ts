import { expect } from 'chai';
import { builtInCommands } from '../../../../plugins/toolkit/program/built-in-commands.ts';

describe('the built-in commands', () => {
  const commands = builtInCommands().flatMap((plugin) => plugin.commands ?? []);

  for (const { name, examples = [] } of commands)
    it(`shows examples of itself in the help of "${name}"`, () => {
      expect(examples).not.to.have.length(0);
      for (const { line } of examples) expect(line).to.include(`toolkit ${name}`);
    });
});
