import { serverFile } from '../../plugins/upstreams/kernel-with.ts';

/** Returns the configuration of a project whose only tools are those of the MCP server `shop`, on standard input and output. */
export function withUpstream(era: 'legacy' | 'modern'): Readonly<Record<string, string>> {
  const shop = { command: process.execPath, args: [serverFile(era)], pin: 'off', gate: 'none' };
  const plugins = [
    ['toolkit/standard', { includeCore: false, autoDiscover: false }],
    ['toolkit/plugins/upstreams', { servers: { shop } }],
    'toolkit/plugins/mcp',
  ];
  return { 'toolkit.config.yaml': JSON.stringify({ plugins }) };
}
