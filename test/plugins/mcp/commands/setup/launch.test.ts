import path from 'node:path';
import { expect } from 'chai';
import { httpLaunch, type LaunchOptions, shellLine, stdioLaunch } from '../../../../../plugins/mcp/commands/setup/launch.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const options: LaunchOptions = { program: ['/usr/bin/node', '--', '/opt/toolkit/main.js'], project: '/srv/shop' };

describe('how the server is started', () => {
  it('is by the path of the installed program, with the project in TOOLKIT_CWD', () => {
    expect(stdioLaunch(options)).to.deep.equal({
      command: '/usr/bin/node',
      args: ['--', '/opt/toolkit/main.js', 'mcp'],
      env: { TOOLKIT_CWD: '/srv/shop' },
    });
  });

  it('names the tools, the exposure and the file of secrets', () => {
    const chosen = { ...options, tools: ['slack_*', 'free'], expose: 'auto', envFile: '/srv/shop/.env' } as const;
    const flags = ['--tools', 'slack_*,free', '--expose', 'auto', '--secrets', 'env,dotenv', '--env-file', '/srv/shop/.env'];
    expect(stdioLaunch(chosen).args.slice(2)).to.deep.equal(['mcp', ...flags]);
    expect(httpLaunch(chosen).args.slice(2)).to.deep.equal(['mcp', '--transport', 'http', ...flags, '--cwd', '/srv/shop']);
  });

  it('takes no name of a tool for a flag', () => {
    const { args } = stdioLaunch({ ...options, tools: ['--config', 'free'] });
    expect(args.slice(2)).to.deep.equal(['mcp', '--tools=--config,free']);
  });

  it('says stdio where the configuration says HTTP', () => {
    expect(stdioLaunch({ ...options, needsStdioFlag: true }).args.slice(2)).to.deep.equal(['mcp', '--transport', 'stdio']);
  });

  it('over HTTP needs no environment', () => {
    const { args, env } = httpLaunch(options);
    expect(args.slice(2)).to.deep.equal(['mcp', '--transport', 'http', '--cwd', '/srv/shop']);
    expect(env).to.deep.equal({});
  });

  const configs = [
    { name: 'toolkit.config.yaml', beside: [], isNamed: false },
    { name: 'package.json', beside: [], isNamed: false },
    { name: 'toolkit.config.yaml', beside: ['toolkit.config.ts'], isNamed: true },
    { name: 'other.yaml', beside: [], isNamed: true },
  ];
  for (const { name, beside, isNamed } of configs) {
    it(`${isNamed ? 'names' : 'leaves to the search'} the configuration ${[name, ...beside].join(' beside ')}`, async () => {
      const project = await temporaryFolder(Object.fromEntries([name, ...beside].map((file) => [file, ''])));
      const configFile = path.join(project, name);
      const { args } = stdioLaunch({ ...options, project, configFile });
      expect(args.slice(2)).to.deep.equal(isNamed ? ['mcp', '--config', configFile] : ['mcp']);
    });
  }

  it('is quoted as the shell wants it', () => {
    const launch = { command: '/usr/bin/node', args: ["it's", 'a b', 'slack_*', '/plain'], env: {} };
    expect(shellLine(launch, 'linux')).to.equal(`/usr/bin/node 'it'\\''s' 'a b' 'slack_*' /plain`);
    expect(shellLine({ ...launch, args: ['C:\\Program Files\\x', 'C:\\y'] }, 'win32')).to.equal(
      '/usr/bin/node "C:\\Program Files\\x" C:\\y',
    );
  });
});
