import { expect } from 'chai';
import {
  type DiscoverSink,
  formatProblem,
  type ReadContext,
  type Resource,
  type ResourceContent,
  type ResourceTemplate,
  ToolkitError,
} from '../../../../kernel/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { type Connected, connect, gate, refusal, source } from '../support/client.ts';

const notFound = -32002;
const internal = -32603;
const secret = 'planted-secret-value';

/** A resource whose text is its URI. */
function note(uri: string, more: Partial<Resource> = {}): Resource {
  return { uri, name: uri, read: () => ({ uri, text: uri }), ...more };
}

const failing = (error: unknown) => () => {
  throw error;
};

async function offering(resources: readonly Resource[], templates: readonly ResourceTemplate[] = [], pageSize = 1000): Promise<Connected> {
  const fill = source((sink) => {
    for (const resource of resources) sink.addResource(resource);
    for (const template of templates) sink.addResourceTemplate(template);
  });
  const kernel = await testKernel({ plugins: [fill, secretsEnv({ env: { API_TOKEN: secret } })] });
  await kernel.resolveSecrets(['API_TOKEN']);
  return connect(kernel, { pageSize });
}

describe('resources of plugins', () => {
  it('are listed in the order of their URIs, with what is said of them', async () => {
    const full = note('b:2', { title: 'Two', description: 'The second.', mimeType: 'text/x', size: 3 });
    const { client } = await offering([full, note('a:1'), note('B:3')]);
    expect((await client.listResources()).resources).to.deep.equal([
      { uri: 'B:3', name: 'B:3' },
      { uri: 'a:1', name: 'a:1' },
      { uri: 'b:2', name: 'b:2', title: 'Two', description: 'The second.', mimeType: 'text/x', size: 3 },
    ]);
  });

  it('and templates come in pages', async () => {
    const template = (uriTemplate: string): ResourceTemplate => ({ uriTemplate, name: uriTemplate, read: () => undefined });
    const { client } = await offering(
      ['a:1', 'a:2', 'a:3'].map((uri) => note(uri)),
      ['a:{x}', 'b:{x}'].map(template),
      2,
    );
    const first = await client.listResources();
    const second = await client.listResources({ cursor: first.nextCursor });
    expect([first, second].map(({ resources }) => resources.map(({ uri }) => uri))).to.deep.equal([['a:1', 'a:2'], ['a:3']]);
    expect(second.nextCursor).to.equal(undefined);
    const templates = await client.listResourceTemplates();
    expect(templates).to.deep.equal({ resourceTemplates: ['a:{x}', 'b:{x}'].map((uriTemplate) => ({ uriTemplate, name: uriTemplate })) });
    await refusal(client.listResources({ cursor: 'x' }), -32602);
    await refusal(client.listResourceTemplates({ cursor: 'x' }), -32602);
  });

  const contents: { what: string; given: ResourceContent | readonly ResourceContent[]; read: readonly object[] }[] = [
    { what: 'text', given: { uri: 'a:1', mimeType: 'text/x', text: 'ü' }, read: [{ uri: 'a:1', mimeType: 'text/x', text: 'ü' }] },
    { what: 'bytes', given: { uri: 'a:1', blob: 'AAE=' }, read: [{ uri: 'a:1', blob: 'AAE=' }] },
    {
      what: 'several',
      given: [
        { uri: 'a:1', text: '1' },
        { uri: 'a:2', blob: '' },
      ],
      read: [
        { uri: 'a:1', text: '1' },
        { uri: 'a:2', blob: '' },
      ],
    },
    { what: 'none', given: [], read: [] },
  ];
  for (const { what, given, read } of contents) {
    it(`are read: ${what}`, async () => {
      const { client } = await offering([note('a:1', { read: async () => given })]);
      expect((await client.readResource({ uri: 'a:1' })).contents).to.deep.equal(read);
    });
  }

  it('learn who reads, and that the reader has gone', async () => {
    const [started, stopped] = [gate<ReadContext>(), gate()];
    const read: Resource['read'] = (context) => {
      context.signal.addEventListener('abort', () => stopped.open());
      started.open(context);
      return new Promise(() => {});
    };
    const kernel = await testKernel({ plugins: [source((sink) => sink.addResource(note('a:1', { read })))] });
    const { client } = await connect(kernel, { caller: 'desk-4' });
    const cancel = new AbortController();
    client.readResource({ uri: 'a:1' }, { signal: cancel.signal }).catch(() => {});
    const { caller, logger } = await started.opened;
    expect(caller).to.equal('desk-4');
    expect(logger.info).to.be.a('function');
    cancel.abort();
    await stopped.opened;
  });

  it('that do not exist are refused with their URI', async () => {
    const { client } = await offering([note('a:1')], [{ uriTemplate: 'b:{x}', name: 't', read: () => undefined }]);
    for (const uri of ['a:2', 'b:1', '', `a:${'x'.repeat(5000)}`]) {
      const { message, data } = await refusal(client.readResource({ uri }), notFound);
      expect(message).to.include('There is no resource "').and.have.length.below(400);
      expect(data).to.deep.equal({ uri: uri.length <= 200 ? uri : `${uri.slice(0, 199)}…` });
    }
  });

  const own = new ToolkitError('INVALID_PARAMETERS', 'Ask for less.', { issues: [] });
  const errors: { what: string; error: unknown; code: number; says: string; data: object }[] = [
    {
      what: 'an error',
      error: new Error('disk full'),
      code: internal,
      says: 'PLUGIN_FAILED: Plugin "source" failed to give the resource "a:1": disk full',
      data: { code: 'PLUGIN_FAILED', plugin: 'source' },
    },
    {
      what: 'a text',
      error: 'disk full',
      code: internal,
      says: 'failed to give the resource "a:1": disk full',
      data: { code: 'PLUGIN_FAILED' },
    },
    {
      what: 'an error with a code',
      error: new ToolkitError('RATE_LIMITED', 'Slow down.'),
      code: internal,
      says: 'RATE_LIMITED: Slow down.',
      data: { code: 'RATE_LIMITED', retryable: true },
    },
    {
      what: 'a refusal of what was asked',
      error: own,
      code: -32602,
      says: 'INVALID_PARAMETERS: Ask for less.',
      data: { code: 'INVALID_PARAMETERS' },
    },
    { what: 'an error with a secret', error: new Error(`no ${secret}`), code: internal, says: 'no [secret API_TOKEN]', data: {} },
    {
      what: 'the details with a secret',
      error: new ToolkitError('NOT_FOUND', 'No.', { at: [secret] }),
      code: internal,
      says: 'NOT_FOUND: No.',
      data: { code: 'NOT_FOUND' },
    },
  ];
  for (const { what, error, code, says, data } of errors) {
    it(`that fail with ${what} say so, under the name of the plugin`, async () => {
      const template = { uriTemplate: 'a:{x}/t', name: 't', read: failing(error) };
      const { client, sent } = await offering([note('a:1', { read: failing(error) })], [template]);
      const refused = await refusal(client.readResource({ uri: 'a:1' }), code);
      expect(refused.message).to.include(says);
      expect(refused.data).to.include(data);
      const ofTemplate = await refusal(client.readResource({ uri: 'a:1/t' }), code);
      expect(ofTemplate.message).to.include(says.replace('resource "a:1"', 'resource template "a:{x}/t"'));
      expect(JSON.stringify(sent)).to.not.include(secret);
    });
  }

  it('that fail at length say so briefly', async () => {
    const { client } = await offering([note('a:1', { read: failing(new Error('x'.repeat(10_000))) })]);
    expect((await refusal(client.readResource({ uri: 'a:1' }), internal)).message).to.have.length.below(500);
  });

  for (const wrong of [null, { text: 'x' }, { uri: 'a:1', text: 7 }, { uri: 'a:1', blob: 'no base64!' }]) {
    it(`that give ${JSON.stringify(wrong)} fail under the name of the plugin`, async () => {
      const { client } = await offering([note('a:1', { read: () => wrong as never })]);
      const { message } = await refusal(client.readResource({ uri: 'a:1' }), internal);
      expect(message).to.include('Plugin "source"').and.include('a:1');
    });
  }

  it('are masked where they hold a secret', async () => {
    const read = () => [
      { uri: 'a:1', text: `is ${secret}` },
      { uri: 'a:2', blob: Buffer.from(secret).toString('base64') },
    ];
    const { client, sent } = await offering([note('a:1', { read: read as Resource['read'] })]);
    await client.readResource({ uri: 'a:1' }).catch(() => {});
    expect(JSON.stringify(sent))
      .to.include('is [secret API_TOKEN]')
      .and.not.include(secret)
      .and.not.include(Buffer.from(secret).toString('base64'));
  });

  it('keep the first of a URI and say both owners', async () => {
    const add = (name: string) => {
      const fill = (sink: DiscoverSink): void => {
        sink.addResource(note('a:1', { title: name }));
        sink.addResourceTemplate({ uriTemplate: 'b:{x}', name, read: () => undefined });
      };
      return source(fill, name);
    };
    const kernel = await testKernel({ plugins: [add('first'), add('second')] });
    const kept = 'is already defined by plugin first; that one is used. Rename one of the two (plugin second is the other)';
    expect(kernel.registry.problems.map(formatProblem)).to.deep.equal([
      `second the resource "a:1" ${kept}`,
      `second the resource template "b:{x}" ${kept}`,
    ]);
    expect(kernel.registry.resources.get('a:1')?.title).to.equal('first');
  });
});

describe('resource templates of plugins', () => {
  const echoing = (uriTemplate: string): ResourceTemplate => ({
    uriTemplate,
    name: uriTemplate,
    read: (uri, variables) => ({ uri, text: JSON.stringify(variables) }),
  });
  const rows: { template: string; uri: string; variables: object | undefined }[] = [
    { template: 'n:{id}', uri: 'n:7', variables: { id: '7' } },
    { template: 'n://{year}/{name}', uri: 'n://2026/a%20b', variables: { year: '2026', name: 'a b' } },
    { template: 'n://{year}/{name}', uri: 'n://2026/a/b', variables: undefined },
    { template: 'n://{year}/{name}', uri: 'n://2026/a%2Fb', variables: { year: '2026', name: 'a/b' } },
    { template: 'n://{+path}', uri: 'n://a/b/c', variables: { path: 'a/b/c' } },
    { template: 'n.x:{id}', uri: 'nyx:7', variables: undefined },
    { template: 'n:{id}', uri: 'm:7', variables: undefined },
    { template: 'n:{id}', uri: 'n:%zz', variables: undefined },
    { template: 'n:{id}', uri: `n:${'x'.repeat(2047)}`, variables: undefined },
  ];
  for (const { template, uri, variables } of rows) {
    const shown = uri.length > 40 ? `${uri.slice(0, 40)}…` : uri;
    it(`with ${template} ${variables === undefined ? 'do not read' : 'read'} ${shown}`, async () => {
      const { client } = await offering([], [echoing(template)]);
      if (variables === undefined) await refusal(client.readResource({ uri }), notFound);
      else expect((await client.readResource({ uri })).contents).to.deep.equal([{ uri, text: JSON.stringify(variables) }]);
    });
  }

  it('come after a resource of that URI, and give way to one another', async () => {
    const knowing = (uriTemplate: string, known: string): ResourceTemplate => ({
      ...echoing(uriTemplate),
      read: (uri) => (uri === known ? { uri, text: uriTemplate } : undefined),
    });
    const { client } = await offering([note('n:1')], [knowing('n:{a}', 'n:2'), knowing('n:{b}', 'n:3'), knowing('{+all}', 'n:1')]);
    const read = async (uri: string) =>
      (await client.readResource({ uri })).contents.map((content) => ('text' in content ? content.text : ''));
    expect([await read('n:1'), await read('n:2'), await read('n:3')]).to.deep.equal([['n:1'], ['n:{a}'], ['n:{b}']]);
    await refusal(read('n:4'), notFound);
  });

  it('that cannot be understood are a problem of their plugin and hide no other', async () => {
    const kernel = await testKernel({
      plugins: [source((sink) => ['n:{id', 'n:{id}'].forEach((uriTemplate) => void sink.addResourceTemplate(echoing(uriTemplate))))],
    });
    const { client } = await connect(kernel);
    expect((await client.readResource({ uri: 'n:7' })).contents).to.have.length(1);
    expect(kernel.registry.problems.map(formatProblem).join()).to.match(/^source .*n:\{id/);
  });
});
