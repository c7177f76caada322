import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { Gauge, Kernel } from '../../kernel/index.ts';
import { callsOnce } from '../../plugins/calls-once/index.ts';
import { engineBullmq } from '../../plugins/engine-bullmq/index.ts';
import { engineLocal } from '../../plugins/engine-local/index.ts';
import { mcp } from '../../plugins/mcp/index.ts';
import { storeLibsql } from '../../plugins/store-libsql/index.ts';
import { storePostgres } from '../../plugins/store-postgres/index.ts';
import { standard } from '../../plugins/toolkit/standard.ts';
import { type UpstreamServer, upstreams } from '../../plugins/upstreams/index.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { bareKernel } from '../support/test-kernel.ts';
import { sources } from './sources.ts';

/** Opens a kernel with all built-in plugins that state numbers. */
async function wholeKernel(): Promise<Kernel> {
  const cwd = await temporaryFolder();
  const shop: UpstreamServer = { command: process.execPath, args: ['-e', ''], pin: 'first-use' };
  return bareKernel({
    cwd,
    plugins: [
      ...standard({ includeCore: false, autoDiscover: false }),
      storeLibsql({ path: path.join(cwd, 'state.db') }),
      engineLocal(),
      upstreams({ servers: { shop } }),
      mcp({ transport: 'http' }),
    ],
  });
}

const textOf = ({ name, kind, unit, labels, description }: Gauge): unknown => ({ name, kind, unit, labels, description });

describe('the numbers of the kernel and the built-in plugins', () => {
  let gauges: readonly Gauge[] = [];
  beforeEach(async () => {
    ({ gauges } = await wholeKernel());
  });

  it('are all that the sources name, and each has a row in the guide, with its kind and labels', async () => {
    const files = (await sources()).filter((file) => /(^|[\\/-])gauges\.ts$/.test(file));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    const named = texts.flatMap((text) => [...text.matchAll(/^\s+name: '([^']+)',$/gm)].map(([, name]) => name));
    expect(gauges.map(({ name }) => name)).to.have.members(named);

    const guide = await readFile('plugins/README.md', 'utf8');
    const [, section = ''] = guide.split('### Numbers of the built-in parts');
    const rows = section.split('\n### ')[0]?.match(/^\| `.*$/gm) ?? [];
    const cells = rows.map((row) => row.split(/ \| ?/).map((cell) => cell.replace(/^\| /, '')));
    const shown = new Map(cells.map(([name = '', ofKind = '', ofLabels = '']) => [name.replaceAll('`', ''), { ofKind, ofLabels }]));
    for (const { name, kind = 'gauge', labels = [] } of gauges) {
      const { ofKind, ofLabels } = shown.get(name) ?? expect.fail(`no row for ${name}`);
      expect(ofKind, name).to.equal(kind);
      for (const label of labels) expect(ofLabels, name).to.include(`\`${label}\``);
    }
    expect([...shown.keys()]).to.have.members(named);
  });

  it('have names of words with dots, each once, also as names of Prometheus, and none that it reads otherwise', () => {
    const names = gauges.map(({ name }) => name);
    expect(names.filter((name) => !/^[a-z]+(\.[a-z]+)*$/.test(name))).to.deep.equal([]);
    expect(names.filter((name) => /(^|\.)(count|sum|bucket|info|total|created)$/.test(name))).to.deep.equal([]);
    expect(new Set(names.map((name) => name.replaceAll('.', '_'))).size).to.equal(names.length);
  });

  it('have a unit of UCUM that is shown, and one sentence that describes them', () => {
    expect(gauges.filter(({ unit }) => !/^(\{[a-z]+\}|By|s)$/.test(unit)).map(textOf)).to.deep.equal([]);
    const isSaid = ({ description }: Gauge): boolean => /^[A-Z][^\n]{10,200}[^.\s]$/.test(description);
    expect(gauges.filter((gauge) => !isSaid(gauge)).map(textOf)).to.deep.equal([]);
  });

  it('have at most two labels, whose names are words, and none that names a caller', () => {
    const labels = gauges.flatMap(({ labels: own = [] }) => own);
    expect(labels.filter((label) => !/^[a-z]+(_[a-z]+)*$/.test(label))).to.deep.equal([]);
    expect(labels.filter((label) => /user|caller|tenant|session|client|account|tool|^le$|^quantile$/.test(label))).to.deep.equal([]);
    expect(gauges.filter(({ labels: own = [] }) => own.length > 2 || new Set(own).size !== own.length).map(textOf)).to.deep.equal([]);
  });

  it('read as a number, or as rows with exactly their labels, each once', async () => {
    for (const { name, labels, read } of gauges) {
      const given = await read();
      const rows = Array.isArray(given) ? given : [];
      expect(given === undefined || Array.isArray(given) === (labels !== undefined), name).to.equal(true);
      for (const { value, ...row } of rows) {
        expect(Object.keys(row.labels), name).to.have.members(labels ?? []);
        expect(value, name).to.be.a('number').and.satisfy(Number.isFinite);
      }
      expect(new Set(rows.map((row) => JSON.stringify(row.labels))).size, name).to.equal(rows.length);
    }
  });

  it('are the same with either engine of durable calls', async () => {
    const url = 'postgresql://127.0.0.1/toolkit';
    const other = await bareKernel({ plugins: [callsOnce(), storePostgres({ url }), engineBullmq({ url })] });
    const ofCalls = (all: readonly Gauge[]): unknown => all.filter(({ name }) => name === 'calls.durable').map(textOf);
    expect(ofCalls(other.gauges)).to.deep.equal(ofCalls(gauges)).and.have.length(1);
  });
});
