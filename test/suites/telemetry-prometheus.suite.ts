/** The numbers of three servers in Prometheus, with the dashboard and the alerts of compose.cluster.yaml. Needs prometheus and PostgreSQL. */
import { expect } from 'chai';
import { forFile } from '../e2e/program.ts';
import { clusterFolder, readAlerts, readDashboard } from '../plugins/mcp/docker/cluster-files.ts';
import { WireClient } from '../plugins/mcp/support/wire-client.ts';
import { foldersForFile } from '../support/temporary.ts';
import { until } from '../support/until.ts';
import { tokenOf } from './approvals/site.ts';
import { Prometheus, type Sample } from './telemetry-prometheus/prometheus.ts';
import { promtool } from './telemetry-prometheus/promtool.ts';
import { caller, Site } from './telemetry-prometheus/site.ts';
import { traffic } from './telemetry-prometheus/traffic.ts';

const { panels, templating } = await readDashboard();
const alerts = await readAlerts();
const prometheusFolder = `${clusterFolder}/prometheus`;

/** As Grafana does it with all processes and all tools. The range is as long as the tests. */
const asked = (expr: string): string => expr.replaceAll('$__rate_interval', '30m').replaceAll(/\$(instance|tool)\b/g, '.*');

const numbersOf = (samples: readonly Sample[]): readonly number[] => samples.map(({ value: [, number] }) => Number(number));

describe('the files of Prometheus', () => {
  const cases: readonly (readonly [title: string, args: readonly string[]])[] = [
    ['are a configuration', ['check', 'config', `${prometheusFolder}/prometheus.yaml`]],
    ['have rules', ['check', 'rules', `${prometheusFolder}/alerts.yaml`]],
    [
      'have alerts that are raised when they must be, and only then',
      ['test', 'rules', 'test/suites/telemetry-prometheus/alert-tests.yaml'],
    ],
  ];
  for (const [title, args] of cases)
    it(title, async () => {
      const { code, output } = await promtool(args);
      expect(code, output).to.equal(0);
    });
});

describe('Prometheus, with three servers', function () {
  this.timeout(300_000);

  let site: Site;
  let prometheus: Prometheus;

  before(async () => {
    site = await forFile(() => Site.open());
    prometheus = await foldersForFile(() =>
      Prometheus.start(
        prometheusFolder,
        site.servers.map(({ metrics }) => metrics.host),
      ),
    );
  });
  after(async () => {
    await prometheus?.stop();
    await site?.close();
  });

  /** Waits until an expression has as many numbers, none of which is NaN. */
  const answered = (expr: string, count = 1): Promise<readonly Sample[]> =>
    until(async () => {
      const samples = await prometheus.query(expr);
      return samples.length >= count && numbersOf(samples).every(Number.isFinite) ? samples : undefined;
    });

  /** Does traffic at all servers, and waits for the next scrape of each. */
  const round = async (name: string): Promise<void> => {
    await Promise.all(site.servers.map(({ port }) => traffic(port, name)));
    await answered(`min(timestamp(up{job="toolkit"} == 1)) > ${Date.now() / 1000}`);
  };

  it('reaches them', async () => {
    await answered('sum(up{job="toolkit"}) == 3');
  });

  it('has a number for each expression of the dashboard', async () => {
    await round('first');
    await round('second');
    for (const { title, targets = [] } of panels)
      for (const { expr } of targets) {
        const samples = await answered(asked(expr));
        expect(samples, title).to.not.have.lengthOf(0);
      }
  });

  it('has what the variables of the dashboard offer', async () => {
    for (const { name, definition } of templating.list) {
      const [, selector = '', label = ''] = /^label_values\((.*), (\w+)\)$/.exec(definition) ?? [];
      expect(label, definition).to.equal(name);
      expect(await prometheus.query(`count by (${label}) (${selector})`), name).to.not.have.lengthOf(0);
    }
  });

  it('has series with the labels that the dashboard shows', async () => {
    const shown = async (expr: string, label: string) => (await prometheus.query(expr)).map(({ metric }) => metric[label]);
    expect(await shown('sum by (tool) (toolkit_calls_total)', 'tool')).to.include.members(['plain', 'act', 'notes_echo', '_OTHER']);
    expect(await shown('sum by (state) (toolkit_circuits) > 0', 'state')).to.include('open');
    expect(await shown('sum by (decision) (toolkit_approvals_decided_total) > 0', 'decision')).to.have.members(['approved', 'refused']);
    expect(await shown('sum by (outcome) (toolkit_accounts_refreshes_total) > 0', 'outcome')).to.include('refreshed');
    expect(await shown('sum by (outcome) (toolkit_cache_reads_total) > 0', 'outcome')).to.have.members(['hit', 'miss']);
    expect(await shown('sum by (source) (toolkit_sources)', 'source')).to.deep.equal(['notes']);
    expect(await shown('max(toolkit_approvals_waiting) > 0', '')).to.have.lengthOf(1);
  });

  it('gets text that "promtool check metrics" finds nothing wrong with', async () => {
    for (const { metrics } of site.servers) {
      const { code, output } = await promtool(['check', 'metrics'], await (await fetch(metrics)).text());
      expect(output).to.equal('');
      expect(code).to.equal(0);
    }
  });

  it('evaluates all alerts without an error', async () => {
    const rules = await until(async () => {
      const found = await prometheus.rules();
      return found.every(({ health }) => health !== 'unknown') ? found : undefined;
    });
    expect(rules.map(({ name, health }) => [name, health])).to.deep.equal(alerts.map(({ alert }) => [alert, 'ok']));
  });

  /** The event that raises each alert, in an order in which they do not disturb each other. It fires when it lasts. Resolves to the instance, where it matters. */
  const events: Readonly<Record<string, () => Promise<unknown>>> = {
    // No worker runs the calls that were submitted.
    ToolkitDurableCallsWait: async () => {},
    ToolkitCallsFail: async () => {
      const client = await WireClient.open(site.servers[0]?.port ?? 0, tokenOf(caller));
      for (let call = 0; call < 100; call++) await client.call('fail', { key: `${call}` });
    },
    ToolkitEventLoopBlocked: async () => {
      const client = await WireClient.open(site.servers[0]?.port ?? 0, tokenOf(caller));
      await client.call('block', { key: '3000' });
    },
    // To read the numbers of durable calls and approvals is such an operation.
    ToolkitStoreFails: () => site.loseStore(),
    ToolkitProcessDown: async () => {
      const [, , last] = site.servers;
      last?.server.child.kill('SIGKILL');
      // A scrape of the one that was blocked may have failed too.
      return last?.metrics.host;
    },
  };

  for (const [alert, event] of Object.entries(events))
    it(`sees the event of ${alert}`, async () => {
      const instance = await event();
      const labels = typeof instance === 'string' ? `, instance="${instance}"` : '';
      await answered(`count(max_over_time(ALERTS{alertname="${alert}"${labels}}[30m]))`);
    });

  it('has an event for each alert', () => {
    expect(Object.keys(events)).to.have.members(alerts.map(({ alert }) => alert));
  });
});
