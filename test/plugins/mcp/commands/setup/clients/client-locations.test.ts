import path from 'node:path';
import { expect } from 'chai';
import { isInstalled, locationOf } from '../../../../../../plugins/mcp/commands/setup/clients/client-locations.ts';
import type { Machine } from '../../../../../../plugins/mcp/commands/setup/machine.ts';
import type { ClientName } from '../../../../../../plugins/mcp/commands/setup/names.ts';
import { temporaryFolder } from '../../../../../support/temporary.ts';

const mac: Machine = { platform: 'darwin', home: '/Users/ada', env: {} };
const linux: Machine = { platform: 'linux', home: '/home/ada', env: {} };
const windows: Machine = { platform: 'win32', home: 'C:\\Users\\ada', env: { APPDATA: 'D:\\Roaming' } };

const cases: { client: ClientName; machine: Machine; file: string }[] = [
  { client: 'claude-desktop', machine: mac, file: '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json' },
  { client: 'claude-desktop', machine: windows, file: 'D:\\Roaming\\Claude\\claude_desktop_config.json' },
  {
    client: 'claude-desktop',
    machine: { ...windows, env: {} },
    file: 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
  },
  { client: 'claude-desktop', machine: linux, file: '/home/ada/.config/Claude/claude_desktop_config.json' },
  { client: 'claude-code', machine: mac, file: '/Users/ada/.claude.json' },
  { client: 'claude-code', machine: windows, file: 'C:\\Users\\ada\\.claude.json' },
  { client: 'claude-code', machine: { ...linux, env: { CLAUDE_CONFIG_DIR: '/etc/claude' } }, file: '/etc/claude/.claude.json' },
  { client: 'cursor', machine: mac, file: '/Users/ada/.cursor/mcp.json' },
  { client: 'cursor', machine: windows, file: 'C:\\Users\\ada\\.cursor\\mcp.json' },
  { client: 'vscode', machine: mac, file: '/Users/ada/Library/Application Support/Code/User/mcp.json' },
  { client: 'vscode', machine: windows, file: 'D:\\Roaming\\Code\\User\\mcp.json' },
  {
    client: 'vscode',
    machine: { ...linux, env: { XDG_CONFIG_HOME: '/home/ada/.settings' } },
    file: '/home/ada/.settings/Code/User/mcp.json',
  },
  { client: 'windsurf', machine: linux, file: '/home/ada/.codeium/windsurf/mcp_config.json' },
  { client: 'windsurf', machine: windows, file: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json' },
];

describe('the place of a client file', () => {
  for (const { client, machine, file } of cases) {
    it(`is ${file} for ${client} on ${machine.platform}`, async () => {
      expect((await locationOf(client, machine))?.file).to.equal(file);
    });
  }

  it('is nowhere for clients that are not known', async () => {
    expect(await locationOf('generic', linux)).to.equal(undefined);
  });

  it('is that of the Windows package where Claude Desktop was installed as one', async () => {
    const local = await temporaryFolder({ 'Packages/Claude_abc/LocalCache/Roaming/Claude/logs/x.log': '', 'Packages/Other_x/y': '' });
    const place = await locationOf('claude-desktop', { ...windows, env: { ...windows.env, LOCALAPPDATA: local } });
    expect(place?.installPaths).to.deep.equal([path.join(local, 'Packages/Claude_abc/LocalCache/Roaming/Claude')]);
  });

  it('tells whether the client is installed', async () => {
    const home = await temporaryFolder({ '.cursor/x': '', '.claude.json': '{}' });
    const found = async (client: ClientName): Promise<boolean> => {
      const place = await locationOf(client, { ...linux, home });
      return place !== undefined && isInstalled(place);
    };
    expect(await found('cursor')).to.equal(true);
    expect(await found('claude-code')).to.equal(true);
    expect(await found('windsurf')).to.equal(false);
  });
});
