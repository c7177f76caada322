import path from 'node:path';
import { expect } from 'chai';
import { clusterFolder, clusterYaml, excludedCodes, readAlerts, readDashboard } from './cluster-files.ts';

const { panels, templating, schemaVersion, uid } = await readDashboard();
const targets = panels.flatMap(({ targets = [] }) => targets);

interface Provisioned {
  readonly datasources: readonly { readonly uid: string; readonly type: string; readonly url: string }[];
}

interface Providers {
  readonly providers: readonly { readonly type: string; readonly options: { readonly path: string } }[];
}

describe('the dashboard of compose.cluster.yaml', () => {
  it('has panels with ids of their own, of types that Grafana has', () => {
    expect([uid, schemaVersion]).to.deep.equal(['toolkit', 39]);
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const { title, type, targets = [] } of panels) {
      expect(type, title).to.be.oneOf(['row', 'timeseries', 'stat']);
      expect(targets.length > 0, title).to.equal(type !== 'row');
      expect(new Set(targets.map(({ refId }) => refId)).size, title).to.equal(targets.length);
    }
  });

  it('has a row for each part that an operator looks at', () => {
    expect(panels.filter(({ type }) => type === 'row').map(({ title }) => title)).to.deep.equal([
      'Traffic',
      'Errors',
      'Latency',
      'Approvals',
      'Durable calls and limits',
      'Circuits and sources',
      'Store',
      'Accounts and cache',
      'Workers',
      'Processes',
    ]);
  });

  it('has panels that are inside the grid and cover no other', () => {
    const cells = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(cells.get(`${x} ${y}`), title).to.equal(undefined);
          cells.set(`${x} ${y}`, title);
        }
    }
  });

  it('asks the data source that is provisioned, at the Prometheus of the same file', async () => {
    const [source, ...others] = (await clusterYaml<Provisioned>('grafana/datasources/prometheus.yaml')).datasources;
    expect(others).to.deep.equal([]);
    expect(source).to.include({ uid: 'toolkit-prometheus', type: 'prometheus', url: 'http://prometheus:9090' });
    const used = [
      ...panels.flatMap(({ datasource }) => datasource ?? []),
      ...[...targets, ...templating.list].map((one) => one.datasource),
    ];
    for (const { uid, type } of used) expect([uid, type]).to.deep.equal([source?.uid, source?.type]);
  });

  it('is found where the provider looks', async () => {
    const [provider] = (await clusterYaml<Providers>('grafana/dashboards/provider.yaml')).providers;
    const compose = await clusterYaml<{ services: { grafana: { volumes: readonly (string | { source: string; target: string })[] } } }>(
      '../compose.cluster.yaml',
    );
    const mount = compose.services.grafana.volumes.find((volume) => typeof volume !== 'string');
    expect(provider?.type).to.equal('file');
    if (typeof mount !== 'object') throw new Error('nothing is mounted');
    const inside = path.posix.relative(mount.target, provider?.options.path ?? '');
    expect(path.join(path.dirname(clusterFolder), mount.source, inside)).to.equal(`${clusterFolder}/grafana/dashboards`);
  });

  it('uses the variables that it has, and no others', () => {
    const used = targets.flatMap(({ expr }) => [...expr.matchAll(/\$(\w+)/g)].map(([, name]) => name));
    expect([...new Set(used)].sort()).to.deep.equal(['__rate_interval', ...templating.list.map(({ name }) => name)].sort());
  });

  it('leaves out the errors that the alert leaves out', async () => {
    const alert = (await readAlerts()).find(({ expr }) => excludedCodes(expr).length > 0);
    for (const { expr } of targets.filter(({ expr }) => excludedCodes(expr).length > 0))
      expect(excludedCodes(expr)).to.deep.equal(excludedCodes(alert?.expr ?? ''));
    expect(targets.some(({ expr }) => excludedCodes(expr).length > 0)).to.equal(true);
  });
});
