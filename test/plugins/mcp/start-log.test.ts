import { expect } from 'chai';
import type { Plugin } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { type McpOptions, mcp } from '../../../plugins/mcp/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { echoTool, testKernel } from '../../support/test-kernel.ts';
import { source } from './support/client.ts';
import { quietly } from './support/wire.ts';

/** A source with the tool that `search` lists. */
const finder = source((sink) => void sink.addTool(echoTool({ name: 'find', listed: 'always' }), { trust: 'package', isBuiltIn: true }));

/** Returns the warnings at the start of a server with five gated tools. */
async function warnings(gate: Plugin, options: McpOptions = {}, more: readonly unknown[] = []): Promise<readonly string[]> {
  const logger = memoryLogger();
  const tools = [...['a', 'b', 'c', 'd', 'e'].map((name) => echoTool({ name, requires_approval: true })), ...more];
  const server = mcp({ transport: 'http', port: 0, mcpToken: 'token-of-the-test', ...options });
  const kernel = await testKernel({ plugins: [gate, finder, server], tools: [...tools, echoTool()], logger });
  await quietly(() => kernel.serve());
  return logger.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
}

describe('the log at the start of the MCP server', () => {
  it("names, in one line, the tools that only the model's own word holds back", async () => {
    const [line, ...others] = await warnings(approvalGate());
    expect(others).to.deep.equal([]);
    expect(line).to.match(
      /^5 tools that require approval can run when the model itself says .*: a, b, c, d and 1 more\. .*--approval elicit/,
    );
    expect(line).not.to.include('\n');
  });

  it('counts those that are offered', async () => {
    const [line] = await warnings(approvalGate(), { excludeTools: ['b', 'c', 'd', 'e'] });
    expect(line).to.match(/^1 tool that requires approval can run .*: a\. /);
  });

  it('says nothing where a person is asked', async () => {
    expect(await warnings(approvalGate({ mode: 'elicit' }))).to.deep.equal([]);
    expect(await warnings(approvalGate({ mode: 'strict' }))).to.deep.equal([]);
  });

  it('counts a client that cannot ask', async () => {
    expect(await warnings(approvalGate({ mode: 'elicit', elicitFallback: 'flag' }))).to.have.lengthOf(1);
  });

  describe('with a list that costs a model much', () => {
    /** Ten tools, of so many tokens together. */
    const worth = (tokens: number) =>
      Array.from({ length: 10 }, (_, n) => echoTool({ name: `long_${n}`, description: 'abc '.repeat((tokens * 4.1) / 40) }));
    const gate = approvalGate({ mode: 'elicit' });

    it('says how much, and what lists fewer', async () => {
      const [line, ...others] = await warnings(gate, {}, worth(25_000));
      expect(others).to.deep.equal([]);
      expect(line).to.match(/^the list of all 17 tools takes about 25,\d{3} tokens .*"--expose auto"/);
    });

    it('says nothing where few are listed', async () => {
      for (const expose of ['search', 'auto'] as const) expect(await warnings(gate, { expose }, worth(25_000))).to.deep.equal([]);
    });

    it('counts what is offered, and says nothing of a shorter list', async () => {
      expect(await warnings(gate, { excludeTools: ['long_0'] }, worth(25_000))).to.deep.equal([]);
    });
  });
});
