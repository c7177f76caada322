import { expect } from 'chai';
import type { DiscoverSink, Resource } from '../../../../kernel/index.ts';
import { secretsEnv } from '../../../../plugins/secrets-env/index.ts';
import { echoTool, testKernel } from '../../../support/test-kernel.ts';
import { connect, refusal, source } from '../support/client.ts';

const updated = 'notifications/resources/updated';
const listChanged = 'notifications/resources/list_changed';

/** A resource that says when it is watched, and can be changed. */
function watched(uri = 'a:1'): { readonly resource: Resource; readonly watches: Set<() => void>; change(): void } {
  const watches = new Set<() => void>();
  const resource: Resource = {
    uri,
    name: uri,
    read: () => ({ uri, text: 'x' }),
    watch(changed) {
      // A function of its own for each watch: the same listener may come twice.
      const listener = (): void => changed();
      watches.add(listener);
      return () => void watches.delete(listener);
    },
  };
  const change = (): void => {
    for (const listener of watches) listener();
  };
  return { resource, watches, change };
}

describe('subscriptions to a resource', () => {
  it('tell of each change, to those who asked', async () => {
    const [a, b] = [watched('a:1'), watched('b:1')];
    const kernel = await testKernel({ plugins: [source((sink) => [a, b].forEach(({ resource }) => void sink.addResource(resource)))] });
    const [asking, other] = [await connect(kernel), await connect(kernel)];
    expect(asking.client.getServerCapabilities()?.resources).to.deep.equal({ listChanged: true, subscribe: true });
    await asking.client.subscribeResource({ uri: 'a:1' });
    for (const { change } of [a, b, a]) change();
    expect(await asking.heard(updated)).to.deep.equal([{ uri: 'a:1' }, { uri: 'a:1' }]);
    expect(await other.heard(updated)).to.deep.equal([]);
  });

  it('watch from the first subscriber on, and as often as there are subscribers', async () => {
    const { resource, watches, change } = watched();
    const kernel = await testKernel({ plugins: [source((sink) => sink.addResource(resource))] });
    const [first, second] = [await connect(kernel), await connect(kernel)];
    expect(watches.size).to.equal(0);
    for (const { client } of [first, second, first]) await client.subscribeResource({ uri: 'a:1' });
    expect(watches.size).to.equal(2);
    change();
    expect([await first.heard(updated), await second.heard(updated)].map(({ length }) => length)).to.deep.equal([1, 1]);
    await first.client.unsubscribeResource({ uri: 'a:1' });
    expect(watches.size).to.equal(1);
    await second.client.close();
    expect(watches.size).to.equal(0);
  });

  it('end when they are taken back, also twice or without having begun', async () => {
    const { resource, change } = watched();
    const { client, heard } = await connect(await testKernel({ plugins: [source((sink) => sink.addResource(resource))] }));
    await client.unsubscribeResource({ uri: 'a:1' });
    await client.subscribeResource({ uri: 'a:1' });
    for (let times = 0; times < 2; times++) await client.unsubscribeResource({ uri: 'a:1' });
    change();
    expect(await heard(updated)).to.deep.equal([]);
  });

  it('to a resource that cannot be watched are taken, and silent', async () => {
    const { client, heard } = await connect(
      await testKernel({ plugins: [source((sink) => sink.addResource({ uri: 'a:1', name: 'a', read: () => [] }))] }),
    );
    await client.subscribeResource({ uri: 'a:1' });
    expect(await heard(updated)).to.deep.equal([]);
  });

  it('to a resource that does not exist are refused', async () => {
    const { client } = await connect(await testKernel());
    const { message, data } = await refusal(client.subscribeResource({ uri: 'a:2' }), -32002);
    expect(message).to.include('There is no resource "a:2"');
    expect(data).to.deep.equal({ uri: 'a:2' });
  });

  it('that the plugin fails to begin are refused under its name, with secrets masked', async () => {
    const watch = () => {
      throw new Error('no planted-secret-value');
    };
    const plugins = [
      source((sink) => sink.addResource({ ...watched().resource, watch })),
      secretsEnv({ env: { API_TOKEN: 'planted-secret-value' } }),
    ];
    const kernel = await testKernel({ plugins });
    await kernel.resolveSecrets(['API_TOKEN']);
    const { client, sent } = await connect(kernel);
    const { message } = await refusal(client.subscribeResource({ uri: 'a:1' }), -32603);
    expect(JSON.stringify(sent)).to.not.include('planted-secret-value');
    expect(message).to.include('Plugin "source"').and.include('a:1');
  });

  it('go over to the new resource of a reload', async () => {
    const rounds = [watched(), watched(), undefined, watched()];
    let round = 0;
    const fill = source((sink) => {
      const given = rounds[round++];
      if (given !== undefined) sink.addResource(given.resource);
    });
    const kernel = await testKernel({ plugins: [fill] });
    const { client, heard } = await connect(kernel);
    await client.subscribeResource({ uri: 'a:1' });
    const sizes = (): (number | undefined)[] => rounds.map((given) => given?.watches.size);
    expect(sizes()).to.deep.equal([1, 0, undefined, 0]);
    await kernel.reload();
    rounds[1]?.change();
    expect(await heard(updated)).to.have.length(1);
    expect(sizes()).to.deep.equal([0, 1, undefined, 0]);
    await kernel.reload();
    await client.ping();
    expect(sizes()).to.deep.equal([0, 0, undefined, 0]);
    await kernel.reload();
    await client.ping();
    expect(sizes()).to.deep.equal([0, 0, undefined, 1]);
  });
});

describe('resources/list: changes', () => {
  const plain = (uri: string, more: Partial<Resource> = {}): Resource => ({ uri, name: uri, read: () => [], ...more });
  const template = (uriTemplate: string) => ({ uriTemplate, name: uriTemplate, read: () => undefined });
  const changes: { what: string; fill: (sink: DiscoverSink) => void; changed: boolean }[] = [
    {
      what: 'a new resource',
      fill: (sink) => [plain('a:1'), plain('a:2')].forEach((resource) => void sink.addResource(resource)),
      changed: true,
    },
    { what: 'a resource that is gone', fill: () => {}, changed: true },
    { what: 'another title', fill: (sink) => sink.addResource(plain('a:1', { title: 'T' })), changed: true },
    { what: 'another size', fill: (sink) => sink.addResource(plain('a:1', { size: 2 })), changed: true },
    {
      what: 'a new template',
      fill: (sink) => {
        sink.addResource(plain('a:1'));
        sink.addResourceTemplate(template('b:{x}'));
      },
      changed: true,
    },
    {
      what: 'another function to read it',
      fill: (sink) => sink.addResource(plain('a:1', { read: () => [{ uri: 'a:1', text: '' }] })),
      changed: false,
    },
    {
      what: 'a new tool',
      fill: (sink) => {
        sink.addResource(plain('a:1'));
        sink.addTool(echoTool());
      },
      changed: false,
    },
    {
      what: 'a new prompt',
      fill: (sink) => {
        sink.addResource(plain('a:1'));
        sink.addPrompt({ name: 'p', get: () => [] });
      },
      changed: false,
    },
  ];
  for (const { what, fill, changed } of changes) {
    it(`are ${changed ? '' : 'not '}announced for ${what}`, async () => {
      let current = (sink: DiscoverSink): void => sink.addResource(plain('a:1'));
      const kernel = await testKernel({ plugins: [source((sink) => current(sink))] });
      const { client, heard } = await connect(kernel);
      await client.listResources();
      current = fill;
      await kernel.reload();
      expect(await heard(listChanged)).to.have.length(changed ? 1 : 0);
    });
  }
});
