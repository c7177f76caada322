import { expect } from 'chai';
import { clients, configurationOf, entryOf } from '../../../../../../plugins/mcp/commands/setup/clients/clients.ts';
import type { ClientName } from '../../../../../../plugins/mcp/commands/setup/names.ts';

const launch = { command: '/usr/bin/node', args: ['--', '/opt/toolkit/main.js', 'mcp'], env: { TOOLKIT_CWD: '/srv/shop' } };
const url = 'http://127.0.0.1:3000/mcp';
const started = { command: '/usr/bin/node', args: ['--', '/opt/toolkit/main.js', 'mcp'], env: { TOOLKIT_CWD: '/srv/shop' } };
const headers = (token: string) => ({ Authorization: `Bearer ${token}` });
const ofEnvironment = `\${env:TOOLKIT_MCP_TOKEN}`;

/** As the documentation of each client shows its file. */
const shapes: Readonly<Record<ClientName, { stdio: unknown; http: unknown }>> = {
  'claude-desktop': {
    stdio: { mcpServers: { toolkit: started } },
    http: {
      mcpServers: {
        toolkit: {
          command: 'npx',
          args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${TOOLKIT_AUTHORIZATION}`],
          env: { TOOLKIT_AUTHORIZATION: 'Bearer YOUR_TOKEN' },
        },
      },
    },
  },
  'claude-code': {
    stdio: { mcpServers: { toolkit: { type: 'stdio', ...started } } },
    http: { mcpServers: { toolkit: { type: 'http', url, headers: headers(`\${TOOLKIT_MCP_TOKEN}`) } } },
  },
  cursor: { stdio: { mcpServers: { toolkit: started } }, http: { mcpServers: { toolkit: { url, headers: headers(ofEnvironment) } } } },
  vscode: {
    stdio: { servers: { toolkit: { type: 'stdio', ...started } } },
    http: {
      inputs: [{ type: 'promptString', id: 'toolkit-mcp-token', description: 'Token of the toolkit server', password: true }],
      servers: { toolkit: { type: 'http', url, headers: { Authorization: `Bearer \${input:toolkit-mcp-token}` } } },
    },
  },
  windsurf: {
    stdio: { mcpServers: { toolkit: started } },
    http: { mcpServers: { toolkit: { serverUrl: url, headers: headers(ofEnvironment) } } },
  },
  generic: { stdio: { mcpServers: { toolkit: started } }, http: { mcpServers: { toolkit: { url, headers: headers('YOUR_TOKEN') } } } },
};

describe('the configuration of a client', () => {
  for (const client of clients)
    for (const transport of ['stdio', 'http'] as const) {
      it(`has the shape that ${client.label} reads over ${transport}`, () => {
        expect(configurationOf(entryOf(client, { name: 'toolkit', transport, launch, url }))).to.deep.equal(shapes[client.name][transport]);
      });
    }
});
