import { expect } from 'chai';
import { importsOf } from './imports.ts';

const isSdk = (specifier: string): boolean => specifier === '@modelcontextprotocol' || specifier.startsWith('@modelcontextprotocol/');

/** Folders whose files may import the official SDKs: the client of 2026 has one user. */
const users = ['plugins/shared/mcp-sdk/', 'plugins/upstreams/'];

describe('the official SDKs of MCP', () => {
  it('are imported in two folders of the sources alone, types included', async () => {
    const imports = (await importsOf('{kernel,plugins,tools}/**/*.{ts,js,mjs,cjs}')).filter(({ to }) => isSdk(to));
    expect(imports).to.not.have.lengthOf(0);
    const others = imports.filter(({ from }) => !users.some((folder) => from.startsWith(folder)));
    expect(others.map(({ from, to }) => `${from} -> ${to}`)).to.deep.equal([]);
  });

  it('are imported by the plugin of upstreams as the client alone, when it connects', async () => {
    const imports = (await importsOf('plugins/upstreams/**/*.ts')).filter(({ to }) => isSdk(to));
    expect([...new Set(imports.map(({ to }) => to))]).to.deep.equal(['@modelcontextprotocol/client']);
  });

  it('are used through their public exports alone', async () => {
    const imports = (await importsOf('{kernel,plugins,tools}/**/*.{ts,js,mjs,cjs}')).filter(({ to }) => isSdk(to));
    expect(
      imports.filter(({ to }) => /\/(dist|node_modules|src|internal)(\/|$)/.test(to)).map(({ from, to }) => `${from} -> ${to}`),
    ).to.deep.equal([]);
  });
});
