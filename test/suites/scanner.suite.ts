import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { type ScanResult, scanItems } from '../../plugins/shared/scanner/scan-items.ts';
import { Toolkit } from '../../plugins/toolkit/index.ts';
import { memoryLogger } from '../../plugins/toolkit/testing.ts';
import { scannedItems } from '../../plugins/upstreams/define/scanned-items.ts';
import { readLists } from '../../plugins/upstreams/server-lists.ts';
import { isWholeRound } from '../support/round.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { documentPath } from './openapi/documents/folders.ts';
import { runRound } from './openapi/documents/pool.ts';
import { sixty } from './openapi/documents/sixty.ts';
import type { ScannedDocument } from './openapi/rounds/scan.ts';
import { corporaFolder, hasCorpora, scanCorpora } from './scanner/corpora.ts';
import { repeated } from './scanner/repeated.ts';

const minRecall = 0.9;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

const hardOf = ({ findings }: ScanResult): readonly string[] =>
  findings.filter(({ severity }) => severity === 'hard').map(({ item, path: place, message }) => `${item} ${place}: ${message}`);

describe('the scanner on texts that it was not written for', function () {
  this.timeout(1_800_000);

  if (hasCorpora)
    it('finds at least 90 percent of each public corpus, with one false alarm at most', async () => {
      const results = await scanCorpora();
      for (const { name, found, foundHard, malicious, benign, falseAlarms, missed } of results) {
        print(`${name}: found ${found} of ${malicious} (${foundHard} hard), ${falseAlarms.length} false alarms of ${benign}`);
        for (const line of missed) print(`  missed ${line}`);
        for (const line of falseAlarms) print(`  false alarm ${line}`);
      }
      expect(results.length).to.be.at.least(2);
      for (const { found, malicious, falseAlarms } of results) {
        expect(found / malicious).to.be.at.least(minRecall);
        expect(falseAlarms.length).to.be.at.most(1);
      }
    });
  else process.stderr.write(`scanner: there is no folder "${corporaFolder}"; TOOLKIT_SCANNER_CASES names one with public corpora.\n`);

  it('blocks nothing of the tools of this program', async () => {
    const toolkit = await Toolkit.init({ autoDiscover: true, logger: memoryLogger() });
    const tools = toolkit.listTools();
    await toolkit.close();
    const result = scanItems(tools.map(({ name, definition }) => ({ type: 'tool', name, source: 'toolkit', value: definition })));
    print(`${tools.length} tools: ${result.hard} hard, ${result.warnings} warnings`);
    expect(tools.length).to.be.at.least(255);
    expect(hardOf(result)).to.deep.equal([]);
  });

  for (const name of ['server-everything', 'server-filesystem', 'server-memory'])
    it(`blocks nothing of ${name}`, async () => {
      const program = path.resolve('node_modules/@modelcontextprotocol', name, 'dist/index.js');
      const client = new Client({ name: 'suite', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
      const folder = await temporaryFolder({});
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, ...(name === 'server-filesystem' ? [folder] : [])],
          cwd: folder,
          stderr: 'ignore',
        }),
      );
      try {
        const items = scannedItems(name, await readLists(client, AbortSignal.timeout(30_000), 30_000));
        const result = scanItems(items);
        print(`${name}, ${items.length} items: ${result.hard} hard, ${result.warnings} warnings`);
        expect(items.length).to.be.at.least(5);
        expect(hardOf(result)).to.deep.equal([]);
      } finally {
        await client.close();
      }
    });

  const ids = isWholeRound ? sixty : ['box.com', 'amazonaws.com/sqs', 'bitbucket.org', 'shared/discord.json', 'shared/petstore-20.json'];
  const documents = ids.map((id) => ({ id, file: documentPath(id) })).filter(({ file }) => existsSync(file));
  if (documents.length > 0)
    it(`blocks nothing of ${documents.length} well-known documents`, async () => {
      const done = await runRound<ScannedDocument>(documents, { round: 'scan' });
      const scanned = done.flatMap((end) => ('result' in end ? [{ id: end.document.id, ...end.result }] : []));
      const sum = (key: 'tools' | 'warnings' | 'scanMs' | 'generateMs'): number => scanned.reduce((all, one) => all + one[key], 0);
      print(
        `${scanned.length} documents, ${sum('tools')} tools: ${sum('warnings')} warnings; CPU ${sum('scanMs')} ms, to make the tools ${sum('generateMs')} ms`,
      );
      expect(done.flatMap((end) => ('error' in end ? [`${end.document.id}: ${end.error}`] : []))).to.deep.equal([]);
      expect(
        scanned.flatMap(({ id, shown }) => shown.filter((line) => line.startsWith('hard')).map((line) => `${id} ${line}`)),
      ).to.deep.equal([]);
    });

  const size = isWholeRound ? 2 ** 20 : 2 ** 18;
  it('takes time in proportion to the length of a hostile repetition', () => {
    scanned('warm up '.repeat(20_000));
    const slow = repeated.flatMap((part) => {
      const [short, long] = [scanned(filled(part, size / 8)), scanned(filled(part, size))];
      // Eight times the length takes eight times as long; a square of it 64 times.
      return long > 24 * Math.max(short, 20) ? [`${JSON.stringify(part)}: ${short} ms, ${long} ms`] : [];
    });
    expect(slow).to.deep.equal([]);
  });
});

function filled(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length));
}

/** Returns the processor time that the scan of a text takes, in milliseconds. */
function scanned(text: string): number {
  const startedAt = process.cpuUsage();
  scanItems([{ type: 'tool', name: 'example', source: 'suite', value: { description: text } }]);
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1000;
}
