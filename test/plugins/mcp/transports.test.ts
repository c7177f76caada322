import { expect } from 'chai';
import type { CommandInvocation } from '../../../kernel/index.ts';
import { McpOptionsSchema } from '../../../plugins/mcp/options.ts';
import { transportNames, transports } from '../../../plugins/mcp/transports/index.ts';
import { builtInCommands } from '../../../plugins/toolkit/program/built-in-commands.ts';
import { listedCommands } from '../../../plugins/toolkit/program/listed-commands.ts';

describe('the transports of the MCP server', () => {
  it('are the ones that the option "transport" takes', () => {
    expect(McpOptionsSchema.properties.transport).to.have.property('enum').deep.equal(Object.keys(transports));
  });

  for (const command of ['mcp', 'dev']) {
    it(`are the ones that "toolkit ${command}" takes as --transport`, async () => {
      const flags = listedCommands(builtInCommands()).find(({ name }) => name === command)?.flags ?? [];
      const flag = flags.find((own) => own.flag.includes('--transport'));
      expect(await flag?.complete?.({} as CommandInvocation)).to.deep.equal(transportNames);
    });
  }

  for (const [name, { options }] of Object.entries(transports)) {
    it(`have their options in the plugin: ${name}`, () => {
      expect(McpOptionsSchema.properties).to.include(options);
    });
  }
});
