import { expect } from 'chai';
import { httpClient, type Started, start, stdioClient, textOf } from '../../../e2e/program.ts';
import { otlpCollector } from '../../../support/telemetry/otlp-collector.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const token = 'token-of-collector';

const environmentTool = {
  name: 'show_environment',
  description: 'Shows the variables of a program.',
  parameters: {},
  execution: { type: 'command', command: process.execPath, args: ['-p', 'JSON.stringify(process.env)'] },
  risk: 'low',
};

/** A project with a tool that shows its environment, and the plugin with these options. */
function project(options: object = {}): Promise<string> {
  return temporaryFolder({
    'toolkit.config.json': JSON.stringify({
      plugins: [
        ['toolkit/standard', { toolPaths: ['tools'], autoDiscover: false }],
        ['toolkit/plugins/telemetry', { metrics: false, ...options }],
      ],
    }),
    'tools/show_environment.yaml': JSON.stringify(environmentTool),
  });
}

const args = ['--config', 'toolkit.config.json'];

/** Makes packages of the SDK absent. */
const withoutSdk = (() => {
  const hook = `export async function resolve(name, context, next) {
    if (!name.startsWith('@opentelemetry/sdk-trace-node')) return next(name, context);
    throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
  }`;
  return `--import ${moduleOf(`import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))});`)}`;
})();

function moduleOf(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

function serve(cwd: string, env: Readonly<Record<string, string>>): Started {
  return start(['mcp', '--transport', 'http', '--port', '0', ...args], { cwd, env: { TOOLKIT_MCP_TOKEN: 'token-of-clients', ...env } });
}

describe('a server with telemetry()', () => {
  it('sends what is left when it ends, in the trace of its client, and no tool gets the token of the collector', async () => {
    const collector = await otlpCollector();
    const env = { ...collector.env, OTEL_BSP_SCHEDULE_DELAY: '3600000', OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}` };
    const { client, end } = await stdioClient(args, { cwd: await project({ contentCharacters: 10_000 }), env });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await client.callTool({ name: 'show_environment', _meta: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } });
    expect(JSON.stringify(answer)).to.not.include(token).and.not.include('OTEL_');
    const log = await end();
    const call = collector.spans.find(({ name }) => name === 'tools/call show_environment');
    expect(call).to.deep.include({ kind: 'server', traceId, parentSpanId: 'b7ad6b7169203331' });
    expect(call?.resource).to.include({ 'service.name': 'toolkit' });
    expect(collector.requests[0]?.headers).to.include({ authorization: `Bearer ${token}` });
    expect([collector.holds(token), log.includes(token)]).to.deep.equal([false, false]);
  });

  it('serves without spans where the packages are absent, and says how to install them', async () => {
    const server = serve(await project(), { OTEL_TRACES_EXPORTER: 'otlp', NODE_OPTIONS: withoutSdk });
    const [, url = ''] = await server.waitFor(/MCP server: (\S+)\n/);
    expect(server.stderr()).to.match(
      /no spans are sent: telemetry needs the package @opentelemetry\/sdk-trace-node, which is not installed\. Run: npm install @opentelemetry\/sdk-trace-node@2\.12 @opentelemetry\/resources@2\.12 @opentelemetry\/exporter-trace-otlp-proto@0\.223/,
    );
    expect(textOf(await (await httpClient(url, 'token-of-clients')).callTool({ name: 'show_environment' }))).to.include('PATH');
  });

  it('does not start with traces: true where the packages are absent', async () => {
    const server = serve(await project({ traces: true }), { NODE_OPTIONS: withoutSdk });
    expect((await server.exit).code).to.equal(1);
    expect(server.stderr()).to.match(/DEPENDENCY_MISSING: telemetry needs the package @opentelemetry\/sdk-trace-node, .*Run: npm install/);
  });
});

describe('toolkit doctor with telemetry()', () => {
  const install =
    'Run: npm install @opentelemetry/sdk-trace-node@2.12 @opentelemetry/resources@2.12 @opentelemetry/exporter-trace-otlp-proto@0.223';
  const sdk = 'telemetry needs the package @opentelemetry/sdk-trace-node, which is not installed';
  const absent: readonly (readonly [what: string, options: object, env: Readonly<Record<string, string>>, finding: object])[] = [
    [
      'a warning where spans are asked for by a variable',
      {},
      { OTEL_TRACES_EXPORTER: 'otlp', NODE_OPTIONS: withoutSdk },
      { check: 'Traces', state: 'warning', message: sdk, hint: install },
    ],
    [
      'a problem with traces: true',
      { traces: true },
      { NODE_OPTIONS: withoutSdk },
      { check: 'Traces', state: 'problem', message: sdk, hint: install },
    ],
  ];
  for (const [what, options, env, finding] of absent)
    it(`finds absent packages: ${what}`, async () => {
      const doctor = start(['doctor', '--json', ...args], { cwd: await project(options), env });
      await doctor.exit;
      // Own text: printed by the program.
      const { findings } = JSON.parse(doctor.stdout()) as { readonly findings: readonly { readonly check: string }[] };
      expect(findings.filter(({ check }) => check === 'Traces')).to.deep.equal([finding]);
    });
});
