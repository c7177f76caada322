import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { temporaryFolder, writeFiles } from '../../support/temporary.ts';

/** One series of a result: its labels, and its number as a text. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** The rule of an alert, as Prometheus has evaluated it. */
export interface EvaluatedRule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** A shell around the server that ends it when its standard input ends: with the test run, however that ends. */
const keeper = 'exec 3<&0; "$0" "$@" & server=$!; (cat <&3 >/dev/null; kill -TERM $server) & wait $server';

/** Prometheus, as `apt-get install prometheus` brings it, with the files of the cluster, but with a scrape every other second. */
export class Prometheus {
  readonly #url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.#url = url;
    this.#child = child;
  }

  /** Starts one that scrapes these addresses (`host:port`). Throws when it is not installed. */
  static async start(clusterFolder: string, targets: readonly string[]): Promise<Prometheus> {
    const given = parse(await readFile(`${clusterFolder}/prometheus.yaml`, 'utf8')) as { scrape_configs: readonly object[] };
    const config = {
      ...given,
      global: { scrape_interval: '2s', evaluation_interval: '1s' },
      scrape_configs: given.scrape_configs.map((job) => ({ ...job, static_configs: [{ targets }], dns_sd_configs: [] })),
    };
    const folder = await temporaryFolder();
    await writeFiles(folder, {
      'prometheus.yaml': stringify(config),
      'alerts.yaml': await readFile(path.join(clusterFolder, 'alerts.yaml'), 'utf8'),
    });
    const args = ['--config.file=prometheus.yaml', '--storage.tsdb.path=data', '--web.listen-address=127.0.0.1:0'];
    const child = spawn('/bin/sh', ['-c', keeper, 'prometheus', ...args], { cwd: folder, stdio: ['pipe', 'ignore', 'pipe'] });
    return new Prometheus(`http://${await listening(child)}`, child);
  }

  /** Evaluates an expression now. Throws when it is refused. */
  async query(expr: string): Promise<readonly Sample[]> {
    const { result } = await this.#ask<{ readonly result: readonly Sample[] }>('query', { query: expr });
    return result;
  }

  async rules(): Promise<readonly EvaluatedRule[]> {
    const { groups } = await this.#ask<{ readonly groups: readonly { rules: readonly EvaluatedRule[] }[] }>('rules');
    return groups.flatMap(({ rules }) => rules);
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }

  async #ask<T>(what: string, parameters: Readonly<Record<string, string>> = {}): Promise<T> {
    const method = Object.keys(parameters).length === 0 ? {} : { method: 'POST', body: new URLSearchParams(parameters) };
    const answer = await fetch(`${this.#url}/api/v1/${what}`, method);
    const { status, data, error } = (await answer.json()) as { status: string; data: T; error?: string };
    if (status !== 'success') throw new Error(`${JSON.stringify(parameters)}: ${error}`);
    return data;
  }
}

/** Resolves to its address. Rejects with its last words when it ends instead. */
async function listening(child: ChildProcess): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      const advice = code === 127 ? 'These tests need Prometheus (Debian: apt-get install prometheus). ' : '';
      reject(new Error(`${advice}It ended with ${code}: ${log}`));
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-5000);
      const [, address] = /"Listening on" address=(\S+)/.exec(log) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}
