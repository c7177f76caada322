import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { moveReport } from '../../../plugins/apiclient/report-file.ts';
import { temporaryFolder } from '../../support/temporary.ts';

describe('the report of a collection run', () => {
  it('is written by each of many runs that end at once, and name one file', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'report.json');
    const runs = await Promise.all(Array.from({ length: 20 }, (_, run) => temporaryFolder({ 'report.json': JSON.stringify({ run }) })));
    const kept = await Promise.all(runs.map((run) => moveReport({ format: 'json', file }, run)));
    expect(new Set(kept)).to.deep.equal(new Set([file]));
    expect(JSON.parse(await readFile(file, 'utf8'))).to.have.keys('run');
    expect(await readdir(folder)).to.deep.equal(['report.json']);
  });
});
