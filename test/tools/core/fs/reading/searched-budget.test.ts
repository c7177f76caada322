import { expect } from 'chai';
import { ControlFiles } from '../../../../../kernel/files/control-files.ts';
import type { JsonObject } from '../../../../../kernel/index.ts';
import { compare } from '../../../../../tools/core/fs/reading/compare.ts';
import { find } from '../../../../../tools/core/fs/searching/find.ts';
import { searchFiles } from '../../../../../tools/core/fs/searching/search-files.ts';
import { temporaryFolder } from '../../../../support/temporary.ts';

const budget = 2000;

interface Part {
  readonly truncated: boolean;
  readonly next_offset?: number;
}

/** A tool that stops at the room of its output: called for the part from an offset on. */
type Call = (folder: string, offset: number, room: number | undefined) => Promise<Part>;

const context = (room: number | undefined): never =>
  ({ output: { budget: room }, controlFiles: new ControlFiles([]), progress: () => {}, signal: new AbortController().signal }) as never;

const searched = { regex: true, case_sensitive: true, max_results: 5000, pattern: 'needle' };

const rows: readonly { readonly tool: string; readonly member: string; readonly call: Call }[] = [
  {
    tool: 'fs_find',
    member: 'paths',
    call: (path, offset, room) => find({ pattern: '*', path: `${path}/left`, ignore: [], max_results: 10_000, offset }, context(room)),
  },
  ...(['matches', 'files', 'counts'] as const).map((output) => ({
    tool: `fs_search with output ${output}`,
    member: output,
    call: ((path, offset, room) =>
      searchFiles({ ...searched, path: `${path}/left`, output, context: 1, offset }, context(room)) as Promise<Part>) satisfies Call,
  })),
  {
    tool: 'fs_compare_files',
    member: 'differences',
    call: (path, offset, room) =>
      compare({ left: `${path}/left`, right: `${path}/right`, context: 3, max_results: 10_000, offset }, context(room)) as Promise<Part>,
  },
];

describe('a walk whose output has little room', () => {
  for (const { tool, member, call } of rows)
    it(`ends where the room ends and goes on by next_offset: ${tool}`, async () => {
      const files = Object.fromEntries(
        Array.from({ length: 200 }, (_, number) => [`left/file "${number}".txt`, `before\nneedle ${number}\tä\nafter`]),
      );
      const folder = await temporaryFolder({ ...files, 'right/other.txt': '' });
      const whole = (await call(folder, 0, undefined)) as unknown as JsonObject;
      expect(whole['truncated']).to.equal(false);
      const parts: unknown[] = [];
      let calls = 0;
      for (let offset: number | undefined = 0; offset !== undefined; calls++) {
        const part: Part = await call(folder, offset, budget);
        expect(JSON.stringify(part).length).to.be.at.most(budget);
        parts.push(...((part as unknown as JsonObject)[member] as unknown[]));
        offset = part.next_offset;
        expect(part.truncated).to.equal(offset !== undefined);
      }
      expect(parts).to.deep.equal(whole[member]);
      expect(calls).to.be.above(1);
    });

  it('shows one item at least, so that it comes to an end', async () => {
    const folder = await temporaryFolder({ a: '', b: '' });
    const part = await find({ pattern: '*', path: folder, ignore: [], max_results: 10, offset: 0 }, context(1));
    expect(part).to.deep.equal({ paths: ['a'], truncated: true, next_offset: 1 });
  });
});
