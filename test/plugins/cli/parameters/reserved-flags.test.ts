import { expect } from 'chai';
import { Command } from 'commander';
import { cli } from '../../../../plugins/cli/index.ts';
import { reservedFlags } from '../../../../plugins/cli/parameters/run-line.ts';
import { addGlobalFlags } from '../../../../plugins/toolkit/program/global-flags.ts';
import { listedCommands } from '../../../../plugins/toolkit/program/listed-commands.ts';

describe('the names that --param is for', () => {
  it('are those of the flags that toolkit run and every command have', () => {
    const own = (listedCommands([cli()]).find(({ name }) => name === 'run')?.flags ?? []).map(
      ({ flag }) => flag.replace(/^--/, '').split(' ')[0],
    );
    const everywhere = addGlobalFlags(new Command()).options.map((option) => option.name());
    expect([...reservedFlags].sort()).to.deep.equal([...new Set([...own, ...everywhere, 'help', 'version'])].sort());
  });
});
