import path from 'node:path';
import { expect } from 'chai';
import { installIn } from '../support/installed.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Started, start, stdioClient, textOf } from './program.ts';

const secret = 'sk-planted_0123456789/abcdefghij+=';
const forms = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(0, 30), secret.slice(0, 10)];

const tools = {
  'tools/greet.yaml':
    'name: greet\ndescription: Greets.\nrisk: low\nparameters: { who: { type: string } }\nsecrets: [GREET_TOKEN]\nexecution: { type: function, code: ./greet.mjs }\n',
  'tools/greet.mjs': `export default ({ who }, { secrets, logger }) => {
    logger.info('greeting ' + secrets.GREET_TOKEN, { who, token: secrets.GREET_TOKEN });
    logger.debug('in detail\\n\\u001b[31m', { secrets });
    console.log('printed');
    if (who === 'nobody') throw new Error('nobody has ' + secrets.GREET_TOKEN);
    return 'hello ' + who;
  };`,
  'tools/broken.yaml': 'name: broken\nexecution: {',
};

function configured(more = '', before = ''): Record<string, string> {
  return {
    'package.json': '{ "name": "a-project", "type": "module" }',
    'toolkit.config.mjs': `import { defineConfig, setGlobalToolkitLogger, standard } from '@toolkit/core';
      ${before}
      export default defineConfig({ ${more} plugins: [standard({ includeCore: false, autoDiscover: false, toolPaths: ['./tools'] })] });`,
    ...tools,
  };
}

/** Sends these messages to a server on stdio, ends its input, and waits for its end. */
async function conversation(server: Started): Promise<readonly unknown[]> {
  const clientInfo = { name: 'raw', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'greet', arguments: { who: 'you' } } },
  ];
  let seen = '';
  const answered = new Promise<void>((resolve) =>
    server.child.stdout?.on('data', (text: string) => {
      seen += text;
      if (/"id":2[,}]/.test(seen)) resolve();
    }),
  );
  for (const message of messages) server.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await Promise.race([answered, server.exit]);
  server.child.stdin?.end();
  await server.exit;
  return server
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function isProtocol(message: unknown): boolean {
  return (message as { jsonrpc?: unknown }).jsonrpc === '2.0';
}

describe('the log of the program', () => {
  it('shows at debug each file, which resolver gave each name, and each stage of a call, and never a secret', async () => {
    const cwd = await temporaryFolder(configured());
    const { client, end } = await stdioClient([], { cwd, env: { GREET_TOKEN: secret, TOOLKIT_LOG_LEVEL: 'debug' } });
    expect(textOf(await client.callTool({ name: 'greet', arguments: { who: 'you' } }))).to.equal('hello you');
    const failed = await client.callTool({ name: 'greet', arguments: { who: 'nobody' } });
    const log = await end();
    for (const file of ['greet.yaml', 'broken.yaml']) expect(log).to.include(path.join(cwd, 'tools', file));
    expect(log).to.match(/\[DEBUG\] secret resolved \{"name":"GREET_TOKEN","resolver":"[-:\w]*secrets-env"\}/);
    expect(log).to.match(/\[DEBUG\] call started \{"tool":"greet","callId":"[-0-9a-f]+","caller":"default","origin":"model"\}/);
    const stages = [...log.matchAll(/call stage \{"stage":"(\w+)"/g)].map(([, stage]) => stage);
    expect(stages.slice(0, 4)).to.deep.equal(['injectAuth', 'beforeExecute', 'execute', 'validateOutput']);
    expect(log).to.match(/call ended \{"tool":"greet",.*"outcome":"completed","durationMs":\d+\}/);
    expect(log).to.match(/call ended \{"tool":"greet",.*"outcome":"EXECUTION_FAILED"/);
    expect(log).to.include('[INFO] greeting [secret GREET_TOKEN] {"who":"you","token":"[secret GREET_TOKEN]"}');
    expect(log).to.include('in detail\\n\\u001b[31m');
    for (const form of forms) expect(log + JSON.stringify(failed)).to.not.include(form);
  });

  const ways = [
    { how: 'the configuration alone', config: "logLevel: 'debug',", args: [], env: {}, isShown: false },
    { how: 'TOOLKIT_LOG_LEVEL', config: '', args: [], env: { TOOLKIT_LOG_LEVEL: 'Debug ' }, isShown: true },
    { how: '--debug, whatever the environment says', config: '', args: ['--debug'], env: { TOOLKIT_LOG_LEVEL: 'error' }, isShown: true },
  ];
  for (const { how, config, args, env, isShown } of ways)
    it(`over stdio ${isShown ? 'shows' : 'shows no'} debug lines by ${how}, on standard error alone`, async () => {
      const server = start(['mcp', ...args], { cwd: await temporaryFolder(configured(config)), env: { GREET_TOKEN: secret, ...env } });
      const messages = await conversation(server);
      expect(messages.every(isProtocol)).to.equal(true);
      expect(server.stderr().includes('[DEBUG]')).to.equal(isShown);
      expect(server.stderr()).to.include('[INFO] greeting [secret GREET_TOKEN]').and.include('printed').and.not.include(secret);
      if (!isShown) expect(server.stderr()).to.include('[WARN] logLevel "debug" counts as "info" over stdio. TOOLKIT_LOG_LEVEL=debug');
    });

  it('shows debug lines over HTTP by the configuration', async () => {
    const server = start(['mcp', '-t', 'http', '-p', '0'], { cwd: await temporaryFolder(configured("logLevel: 'debug',")) });
    await server.waitFor(/\[DEBUG\] tools discovered/);
    expect(server.stdout()).to.equal('');
  });

  it('is one JSON record a line in production', async () => {
    const cwd = await temporaryFolder(configured());
    const { stderr, stdout, exit } = start(['list'], { cwd, env: { NODE_ENV: 'production', TOOLKIT_LOG_LEVEL: 'debug' } });
    expect(await exit).to.include({ code: 0 });
    expect(stdout()).to.include('greet').and.not.include('timestamp');
    const records = stderr()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ level }) => level)).to.include.members(['debug', 'error']);
    for (const { timestamp, message } of records) {
      expect(timestamp).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
      expect(message).to.be.a('string');
    }
  });

  it('says once what it does not know in the environment, and writes on', async () => {
    const env = { TOOLKIT_LOG_LEVEL: 'verbose', TOOLKIT_LOG_FORMAT: 'jsonn' };
    const { stderr, exit } = start(['list'], { cwd: await temporaryFolder(configured()), env });
    expect(await exit).to.include({ code: 0 });
    expect(stderr().match(/TOOLKIT_LOG_LEVEL expected one of/g)).to.have.length(1);
    expect(stderr()).to.include('Did you mean "json"? It is ignored.').and.include('broken.yaml');
  });

  it('is empty at level silent', async () => {
    const { stderr, stdout, exit } = start(['list'], { cwd: await temporaryFolder(configured()), env: { TOOLKIT_LOG_LEVEL: 'silent' } });
    expect(await exit).to.include({ code: 0 });
    expect([stderr(), stdout().includes('greet')]).to.deep.equal(['', true]);
  });

  it('goes to the logger that the configuration sets', async () => {
    const own = `const write = (level) => (message) => process.stderr.write('own ' + level + ': ' + message + '\\n');
      setGlobalToolkitLogger({ error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') });`;
    const { stderr, exit } = start(['list'], { cwd: await temporaryFolder(configured("logLevel: 'info',", own)) });
    expect(await exit).to.include({ code: 0 });
    expect(stderr())
      .to.match(/^own error: .*broken\.yaml/m)
      .and.not.match(/own debug|\[ERROR\]/);
  });

  it('ends nothing when its reader has gone', async () => {
    const { child, stdout, exit } = start(['list'], { cwd: await temporaryFolder(configured()), env: { TOOLKIT_LOG_LEVEL: 'debug' } });
    child.stderr?.destroy();
    expect(await exit).to.include({ code: 0 });
    expect(stdout()).to.include('greet');
  });

  it('leaves standard output to the protocol in a server of a program whose logger is the console', async () => {
    const cwd = await temporaryFolder({
      ...configured(),
      'serve.mjs': `import { createMCPServer, getGlobalToolkitLogger } from '@toolkit/core';
        const server = await createMCPServer({ toolPaths: ['./tools'], includeCore: false, autoDiscover: false, logger: console });
        getGlobalToolkitLogger().info('from the program');
        process.stdin.once('end', () => server.stop());`,
    });
    await installIn(cwd);
    const server = start([], { cwd, env: { GREET_TOKEN: secret }, program: path.join(cwd, 'serve.mjs') });
    expect((await conversation(server)).every(isProtocol)).to.equal(true);
    expect(server.stderr()).to.include('from the program').and.include('greeting [secret GREET_TOKEN]').and.not.include('call stage');
  });
});
