import { expect } from 'chai';
import packageJson from '../../../package.json' with { type: 'json' };
import { version } from '../../../plugins/shared/project/version.ts';
import { apiVersion, createMCPServer, definePlugin, MCPServer, Toolkit } from '../../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { coreToolkit } from '../../support/core-toolkit.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const yaml = (name: string, more = '') => `name: ${name}\ndescription: d\nexecution: { type: function, code: ./run.js }\n${more}`;
const files = { 'run.js': 'export default () => "ran";', 'mine.yaml': yaml('mine', 'risk: high\n') };

describe('Toolkit', () => {
  it('loads tools of its tool paths beside the core tools, and no packages unless asked', async () => {
    const toolkit = await coreToolkit({ cwd: await temporaryFolder(files), toolPaths: ['.'] });
    const names = toolkit.listTools().map(({ name }) => name);
    expect(names).to.include.members(['mine', 'time_now']);
    expect(names.filter((name) => name.startsWith('github_'))).to.deep.equal([]);
    expect(await toolkit.execute('mine')).to.equal('ran');
  });

  it('discovers packages when asked', async () => {
    const toolkit = await coreToolkit({ autoDiscover: true });
    expect(toolkit.listTools().filter(({ name }) => name.startsWith('github_'))).to.have.length(22);
  });

  it('leaves the core tools out when asked', async () => {
    const toolkit = await coreToolkit({ includeCore: false, cwd: await temporaryFolder(files), toolPaths: ['.'] });
    expect(toolkit.listTools().map(({ name }) => name)).to.deep.equal(['mine']);
  });

  it('gives its logger, which is the one it was given, with secrets masked', async () => {
    const logger = memoryLogger();
    const toolkit = await coreToolkit({ logger });
    toolkit.getLogger().info('hello', { a: 1 });
    expect(logger.records.at(-1)).to.deep.equal({ level: 'info', message: 'hello', meta: { a: 1 } });
  });

  for (const [option, meant] of Object.entries({ credential: 'credentials', callr: 'caller', orign: 'origin' }))
    it(`refuses the option "${option}" of a call, which nothing would heed`, async () => {
      const toolkit = await coreToolkit();
      const options = { [option]: 'x' } as object;
      const error = await rejection(toolkit.execute('text_count', { text: 'x' }, options), 'INVALID_PARAMETERS');
      expect(error.message).to.include(`the option "${option}", which no call has. Did you mean "${meant}"?`);
    });

  it('puts calls of high risk to onHITL when the policy says so', async () => {
    const asked: unknown[] = [];
    const toolkit = await coreToolkit({
      cwd: await temporaryFolder(files),
      toolPaths: ['.'],
      policyConfig: { enableHITL: true, hitlMinRiskLevel: 'high' },
      onHITL: async (request) => {
        asked.push(request);
        return false;
      },
    });
    await toolkit.execute('time_now');
    await rejection(toolkit.execute('mine'), 'APPROVAL_DENIED');
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({ tool: 'mine', risk: 'high', caller: 'default' });
  });

  it('takes time limits of hooks, as createKernel does', async () => {
    const forever = definePlugin({
      name: 'forever',
      apiVersion,
      apply: ({ hooks }) => hooks.beforeExecute.tapPromise('forever', () => new Promise<never>(() => {})),
    });
    const toolkit = await coreToolkit({ plugins: [forever()], timeoutsMs: { beforeExecute: 1 } });
    const error = await rejection(toolkit.execute('time_now'), 'TIMEOUT');
    expect(error.details).to.include({ hook: 'beforeExecute' });
  });

  it('refuses options that it does not know, with the nearest one', async () => {
    const error = await rejection(Toolkit.init({ toolPath: ['x'] } as never), 'CONFIG_INVALID');
    expect(error.message).to.include('toolPath is not known here. Did you mean "toolPaths"?');
  });

  it('reads a configuration when asked', async () => {
    const folder = await temporaryFolder({
      ...files,
      'package.json': '{}',
      'toolkit.config.mjs': "import { toolFiles } from '@toolkit/core';\nexport default { plugins: [toolFiles({ toolPaths: ['.'] })] };",
    });
    const toolkit = await coreToolkit({ cwd: folder, config: true, includeCore: false });
    expect(toolkit.listTools().map(({ name }) => name)).to.deep.equal(['mine']);
  });
});

describe('MCPServer', () => {
  it('starts, gives its token and address, answers and stops', async () => {
    const server = new MCPServer({ transport: 'http', port: 0, mcpToken: 'given-token', logger: memoryLogger(), tools: ['time_now'] });
    await server.start();
    try {
      expect(server.getActiveToken()).to.equal('given-token');
      const health = await fetch(new URL('/health', server.url));
      expect(await health.json()).to.deep.equal({ status: 'ok', tools: 1 });
    } finally {
      await server.stop();
    }
    const after = await fetch(new URL('/health', server.url)).catch((error: Error) => error);
    expect(after).to.be.instanceOf(Error);
  });
});

describe('await using', () => {
  it('closes a Toolkit and its kernel at the end of the block', async () => {
    let left: Toolkit | undefined;
    {
      await using toolkit = await Toolkit.init({ logger: memoryLogger(), includeCore: false });
      await using same = toolkit.kernel;
      left = toolkit;
      expect(same.closing.aborted).to.equal(false);
    }
    expect(left.kernel.closing.aborted).to.equal(true);
    await rejection(left.execute('time_now'), 'ABORTED');
  });

  it('closes an MCPServer, as close() and stop() do', async () => {
    let url: string | undefined;
    {
      await using server = await createMCPServer({
        transport: 'http',
        port: 0,
        logger: memoryLogger(),
        includeCore: false,
        autoDiscover: false,
      });
      url = server.url;
    }
    expect(await fetch(new URL('/health', url)).catch((error: Error) => error)).to.be.instanceOf(Error);
  });
});

describe('the version', () => {
  it('is that of package.json', () => expect(version).to.equal(packageJson.version));
});
