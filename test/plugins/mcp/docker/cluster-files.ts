import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/** The folder with the files of compose.cluster.yaml. */
export const clusterFolder = 'plugins/mcp/docker/cluster';

/** An alert of Prometheus. */
export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

/** A panel or a variable of the dashboard shows the numbers of a data source. */
interface DataSource {
  readonly type: string;
  readonly uid: string;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: DataSource;
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly datasource: DataSource }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly datasource: DataSource;
      readonly definition: string;
      readonly allValue: string;
    }[];
  };
}

/** Reads a YAML file of the cluster. */
export async function clusterYaml<T>(file: string): Promise<T> {
  return parse(await readFile(`${clusterFolder}/${file}`, 'utf8')) as T;
}

/** Reads the alerts, in their order. */
export async function readAlerts(): Promise<readonly Alert[]> {
  const { groups } = await clusterYaml<{ groups: readonly { rules: readonly Alert[] }[] }>('prometheus/alerts.yaml');
  return groups.flatMap(({ rules }) => rules);
}

/** Reads the dashboard. */
export async function readDashboard(): Promise<Dashboard> {
  return JSON.parse(await readFile(`${clusterFolder}/grafana/dashboards/toolkit.json`, 'utf8')) as Dashboard;
}

/** Returns the codes of errors that an expression leaves out. */
export function excludedCodes(expr: string): readonly string[] {
  return /code!~"([^"]*)"/.exec(expr)?.[1]?.split('|') ?? [];
}
