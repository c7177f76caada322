import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { JsonObject, Kernel } from '../../../kernel/index.ts';
import { type CallTrail, type CallTrailQuery, callTrail } from '../../../plugins/shared/calls/trail-fact.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { type AuditOptions, audited, linesIn, writeLines } from './audited.ts';

const long = 'x'.repeat(1000);

function trailOf(kernel: Kernel): CallTrail {
  const [fact] = kernel.facts(callTrail);
  return fact?.value ?? expect.fail('no plugin states a trail');
}

/** The text of a call, without what makes it long. */
const textOf = ({ parameters }: JsonObject): unknown => String((parameters as JsonObject | undefined)?.['text']).split(' ')[0];

/** Reads all pages. Returns the texts of the calls, page by page. */
async function pagesOf(trail: CallTrail, query: CallTrailQuery): Promise<readonly (readonly unknown[])[]> {
  const pages: unknown[][] = [];
  for (let after = query.after; ; ) {
    const { records, next } = await trail.read({ ...query, ...(after === undefined ? {} : { after }) });
    pages.push(records.map(textOf));
    if (next === undefined) return pages;
    after = next;
  }
}

async function callAll(kernel: Kernel, texts: readonly string[], tool = 'echo'): Promise<void> {
  for (const text of texts) await kernel.execute(tool, { text });
}

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
const newestFirst = (from: number, to: number): string[] => numbered(from, to).reverse();

/** Small files: a rotation after about fifty long calls. */
const small: AuditOptions = { maxBytes: 64 * 1024, maxRotatedFiles: 0 };
/** Calls until the trail has that many rotated files. Returns the number of calls. */
async function rotate(kernel: Kernel, file: string, files: number, from = 1): Promise<number> {
  for (let call = from; ; call++) {
    if ((await readdir(path.dirname(file))).includes(`audit.jsonl.${files}`)) return call - 1;
    await kernel.execute('echo', { text: `${call} ${long}` });
  }
}

const tools = [echoTool({ name: 'other' }), echoTool({ name: 'risky', risk: 'medium' })];

describe('reading the calls of an audit trail', () => {
  it('gives the ends of calls, newest first, page by page', async () => {
    const { kernel } = await audited();
    await callAll(kernel, numbered(1, 7));
    expect(await pagesOf(trailOf(kernel), { limit: 3 })).to.deep.equal([newestFirst(5, 7), newestFirst(2, 4), newestFirst(1, 1)]);
  });

  it('gives records as they are written, with outcome, verdict and times', async () => {
    const { kernel } = await audited();
    await kernel.execute('echo', { text: 'a' });
    await kernel.call({ tool: 'missing', caller: 'ann' }).catch(() => {});
    const { records, broken } = await trailOf(kernel).read({ limit: 10 });
    expect(broken).to.equal(0);
    expect(records[0]).to.include({ tool: 'missing', caller: 'ann', outcome: 'TOOL_NOT_FOUND', executed: false });
    expect(records[1]).to.deep.include({ tool: 'echo', outcome: 'completed', executed: true, parameters: { text: 'a' } });
  });

  it('leaves out the intents of calls, and the lines that seal a batch', async () => {
    const { kernel } = await audited({}, { tools });
    await Promise.all(numbered(1, 20).map((text) => kernel.call({ tool: 'risky', parameters: { text }, isHeld: true })));
    await kernel.beforeAnswers();
    const [page = []] = await pagesOf(trailOf(kernel), { limit: 30 });
    expect(new Set(page)).to.deep.equal(new Set(numbered(1, 20)));
  });

  it('gives nothing before the first call', async () => {
    const { kernel } = await audited();
    expect(await trailOf(kernel).read({ limit: 10 })).to.deep.equal({ records: [], broken: 0 });
  });

  it('gives the calls of one tool, also where a parameter names it', async () => {
    const { kernel } = await audited({}, { tools });
    await callAll(kernel, ['a', 'b'], 'other');
    await callAll(kernel, ['c', '"tool":"other"']);
    await callAll(kernel, ['d'], 'other');
    expect(await pagesOf(trailOf(kernel), { limit: 2, tool: 'other' })).to.deep.equal([['d', 'b'], ['a']]);
  });

  it('goes on in the rotated files', async () => {
    const { kernel, file } = await audited(small);
    const calls = await rotate(kernel, file, 3);
    expect((await pagesOf(trailOf(kernel), { limit: 40 })).flat()).to.deep.equal(newestFirst(1, calls));
  });

  it('goes on at the same call when the file was rotated after the page', async () => {
    const { kernel, file } = await audited(small);
    const calls = await rotate(kernel, file, 1);
    const { records, next = '' } = await trailOf(kernel).read({ limit: 1 });
    expect(records.map(textOf)).to.deep.equal([`${calls}`]);
    await rotate(kernel, file, 3, calls + 1);
    expect((await pagesOf(trailOf(kernel), { limit: 100, after: next })).flat()).to.deep.equal(newestFirst(1, calls - 1));
  });

  it('ends where rotation has removed what followed', async () => {
    const { kernel, file } = await audited(small);
    const calls = await rotate(kernel, file, 2);
    const { next = '' } = await trailOf(kernel).read({ limit: 1 });
    for (const number of [1, 2]) await rm(`${file}.${number}`);
    expect((await pagesOf(trailOf(kernel), { limit: 100, after: next })).flat()).to.not.include('1');
    expect(calls).to.be.above(2);
  });

  it('reads no further than a page needs', async () => {
    const { kernel, file } = await audited(small);
    await rotate(kernel, file, 2);
    await callAll(kernel, numbered(1, 20));
    for (const number of [1, 2]) await writeFile(`${file}.${number}`, 'no trail\n');
    expect((await trailOf(kernel).read({ limit: 5 })).broken).to.equal(0);
    expect((await trailOf(kernel).read({ limit: 100 })).broken).to.equal(2);
  });

  const damages: readonly (readonly [string, (line: string) => string, number])[] = [
    ['no JSON', () => '{"call_id":', 1],
    ['another record', (line) => line.replace('"text":"2"', '"text":"9"'), 1],
    ['an empty line', () => '', 1],
    ['a line that is too long', (line) => `${line}${' '.repeat(300_000)}`, 1],
    ['bytes that are no text', () => '\u0000\uFFFD', 1],
    ['several lines of another program', () => 'mine\nmine\nmine', 3],
  ];
  for (const [name, damage, broken] of damages) {
    it(`leaves out and counts what does not verify: ${name}`, async () => {
      const { kernel, file } = await audited();
      await callAll(kernel, numbered(1, 3));
      const lines = await linesIn(file);
      await writeLines(
        file,
        lines.map((line, index) => (index === 1 ? damage(line) : line)),
      );
      const page = await trailOf(kernel).read({ limit: 10 });
      expect(page.records.map(textOf)).to.deep.equal(['3', '1']);
      expect(page.broken).to.equal(broken);
    });
  }

  it('leaves out a last line that is being written', async () => {
    const { kernel, file } = await audited();
    await callAll(kernel, numbered(1, 2));
    await appendFile(file, '{"call_id":"half');
    const page = await trailOf(kernel).read({ limit: 10 });
    expect([page.records.map(textOf), page.broken]).to.deep.equal([newestFirst(1, 2), 0]);
  });

  it('joins the segments of a folder by time, and keeps its place in each', async () => {
    const folder = `${path.join(await temporaryFolder(), 'trail')}/`;
    const kernels = [await audited({ path: folder }), await audited({ path: folder }), await audited({ path: folder })];
    const times = new Map<string, string>();
    for (let call = 0; call < 12; call++) await callAll(kernels[call % 3]?.kernel ?? expect.fail(), [`${call}`]);
    const trail = trailOf(kernels[0]?.kernel ?? expect.fail());
    const all: JsonObject[] = [];
    for (let after: string | undefined; ; ) {
      const { records, next } = await trail.read({ limit: 5, ...(after === undefined ? {} : { after }) });
      all.push(...records);
      await callAll(kernels[1]?.kernel ?? expect.fail(), ['later']);
      if (next === undefined) break;
      after = next;
    }
    expect(new Set(all.map(textOf))).to.deep.equal(new Set(numbered(0, 11)));
    expect(all).to.have.length(12);
    for (const record of all) times.set(String(textOf(record)), String(record['time']));
    expect([...times.values()]).to.deep.equal([...times.values()].sort().reverse());
  });

  it('finds one call by its id, in a rotated file as well', async () => {
    const { kernel, file } = await audited(small);
    const { callId } = await kernel.call({ tool: 'echo', parameters: { text: 'wanted' } });
    await rotate(kernel, file, 2);
    expect(textOf((await trailOf(kernel).find(callId)) ?? {})).to.equal('wanted');
    for (const id of ['00000000-0000-0000-0000-000000000000', '', '"', 'x'.repeat(1000)])
      expect(await trailOf(kernel).find(id)).to.equal(undefined);
  });

  const cursors: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['no base64url', '%%%'],
    ['no object', Buffer.from('[]').toString('base64url')],
    ['a negative offset', Buffer.from('{"":{"number":1,"end":-1}}').toString('base64url')],
    ['a number that is none', Buffer.from('{"":{"number":"../x","end":1}}').toString('base64url')],
  ];
  for (const [name, after] of cursors) {
    it(`refuses a cursor that is none: ${name}`, async () => {
      const { kernel } = await audited();
      await kernel.execute('echo', { text: 'a' });
      await rejection(trailOf(kernel).read({ limit: 10, after }), 'INVALID_PARAMETERS');
    });
  }

  const lies: readonly (readonly [string, object])[] = [
    ['another file', { '../audit.jsonl': { number: 1, end: 10 } }],
    ['an offset within a line', { '': { number: 1, end: 5 } }],
    ['an offset behind the end', { '': { number: 1, end: 1e12 } }],
    ['a file that is none', { '': { number: 1e12, end: 10 } }],
  ];
  for (const [name, position] of lies) {
    it(`opens nothing else for a cursor that names ${name}`, async () => {
      const { kernel, file } = await audited();
      await kernel.execute('echo', { text: 'a' });
      const after = Buffer.from(JSON.stringify(position)).toString('base64url');
      const { records } = await trailOf(kernel).read({ limit: 10, after });
      expect(records.length).to.be.at.most(1);
      expect(await readFile(file, 'utf8')).to.include('"a"');
    });
  }

  it('says which trail cannot be read, and why', async () => {
    const { kernel, file } = await audited();
    await kernel.execute('echo', { text: 'a' });
    await mkdir(`${file}.1`);
    const { message } = await rejection(trailOf(kernel).read({ limit: 10 }), 'STATE_UNAVAILABLE');
    expect(message).to.include(file).and.include('EISDIR');
  });
});
