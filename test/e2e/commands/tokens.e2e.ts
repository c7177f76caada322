import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { estimatedTokens } from '../../../plugins/shared/exposure/estimated-tokens.ts';
import { matchesSnapshot } from '../../support/snapshot.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { program, start } from '../program.ts';
import { setupProject } from './setup-project.ts';

async function tokens(cwd: string, ...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { exit, stdout, stderr } = start(['tokens', ...args], { cwd });
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** A project with the core tools. */
const withCore = (options = ''): Promise<string> =>
  temporaryFolder({ 'toolkit.config.yaml': `plugins:\n  - [toolkit/standard, { autoDiscover: false }]\n${options}` });

/** Returns the estimated size of the list that the server gives with these flags. */
async function listed(cwd: string, ...flags: readonly string[]): Promise<{ tools: number; tokens: number }> {
  const client = new Client({ name: 'e2e', version: '1.0.0' });
  const { PATH = '' } = process.env;
  const command = { command: process.execPath, args: ['--', program, 'mcp', ...flags], cwd, env: { PATH }, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(command));
  try {
    const { tools } = await client.listTools();
    const each = tools.map(({ name, description = '', inputSchema }) => estimatedTokens(name + description + JSON.stringify(inputSchema)));
    return { tools: tools.length, tokens: each.reduce((sum, one) => sum + one, 0) };
  } finally {
    await client.close();
  }
}

describe('toolkit tokens', () => {
  it('shows a row for each provider, the largest first, and what all of them take', async () => {
    const { cwd } = await setupProject();
    const { code, stdout } = await tokens(cwd);
    expect(code).to.equal(0);
    await matchesSnapshot('tokens', stdout);
  });

  it('shows a row for each tool of one provider', async () => {
    const { cwd } = await setupProject();
    const { stdout } = await tokens(cwd, '--provider', 'mail');
    await matchesSnapshot('tokens-of-provider', stdout);
  });

  it('shows a row for each tool of all providers when it is asked to', async () => {
    const { cwd } = await setupProject();
    const { stdout } = await tokens(cwd, '--by', 'tool');
    expect(stdout)
      .to.match(/^Tool +Provider +Tokens +Share\n/)
      .and.to.match(/\nshop_order +shop +\d+ +\d+\.\d %\n/);
  });

  it('says as JSON what the server lists in both exposures', async () => {
    const cwd = await withCore();
    const report = JSON.parse((await tokens(cwd, '--json')).stdout);
    expect(report.estimated).to.equal(true);
    expect(report.all).to.deep.equal(await listed(cwd));
    expect(report.search).to.deep.equal(await listed(cwd, '--expose', 'search'));
    expect(report.search.tokens).to.be.below(1500);
    // With the tool that goes with every list, which is no provider's.
    expect(report.providers.map(({ name }: { name: string }) => name)).to.deep.equal(['core', 'none']);
    expect(report.providers.reduce((sum: number, { tools }: { tools: number }) => sum + tools, 0)).to.equal(report.all.tools);
    const each = report.tools.map((tool: { tokens: number }) => tool.tokens);
    expect(each).to.deep.equal([...each].sort((one: number, other: number) => other - one));
    expect(each.reduce((sum: number, one: number) => sum + one, 0)).to.equal(report.all.tokens);
  });

  it('counts only what is offered: by the flag, else by the configuration', async () => {
    const cwd = await withCore('  - [toolkit/plugins/mcp, { tools: ["time_*"], pinned: [time_now] }]\n');
    const configured = JSON.parse((await tokens(cwd, '--json')).stdout);
    expect(configured.all).to.deep.equal(await listed(cwd));
    expect(configured.search).to.deep.equal(await listed(cwd, '--expose', 'search'));
    const given = JSON.parse((await tokens(cwd, '--json', '--tools', 'json_diff,time_now')).stdout);
    expect(given.tools.map(({ name }: { name: string }) => name)).to.have.members(['json_diff', 'time_now', 'toolkit_get_output']);
  });

  it('says nothing of search where there is no tool to search with', async () => {
    const { cwd } = await setupProject();
    expect(JSON.parse((await tokens(cwd, '--json')).stdout).search).to.equal(null);
  });

  const refusals = [
    { args: ['--provider', 'shp'], code: 2, says: /no tool of the provider "shp"/ },
    { args: ['--by', 'risk'], code: 2, says: /expected provider or tool, received "risk"/ },
    { args: ['--tools', 'mial_*'], code: 1, says: /"mial_\*" in "tools" matches no tool/ },
  ];
  for (const { args, code, says } of refusals) {
    it(`refuses ${args.join(' ')}`, async () => {
      const { cwd } = await setupProject();
      const done = await tokens(cwd, ...args);
      expect(done.code).to.equal(code);
      expect(done.stderr).to.match(says);
    });
  }
});
