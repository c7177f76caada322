import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../../support/rejection.ts';
import { stopsAlone } from '../../../support/stops-alone.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { sharedToolkit } from '../fs/shared-toolkit.ts';

interface Changes {
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly equal: boolean;
}

describe('text_diff', () => {
  const shared = sharedToolkit();

  const compare = (left: string, right: string, more: Record<string, unknown> = {}, toolkit = shared.toolkit): Promise<Changes> =>
    toolkit.execute('text_diff', { left, right, ...more }) as unknown as Promise<Changes>;

  const pairs = [
    { left: 'eins\nzwei\ndrei\n', right: 'eins\nzwo\ndrei\nvier\n', added: 2, removed: 1 },
    { left: '', right: 'neu\nganz neu\n', added: 2, removed: 0 },
    { left: 'weg', right: '', added: 0, removed: 1 },
    { left: 'a\nb', right: 'a\nb\n', added: 1, removed: 1 },
    { left: 'a\r\nb\r\n', right: 'a\nb\r\n', added: 1, removed: 1 },
    { left: '+plus\n--- minus\n', right: '+plus\n--- minus\n+++ more\n-- less\n', added: 2, removed: 0 },
    { left: 'Grüße\n世界\n👋\n', right: 'Gruß\n世界\n👋🏽\n', added: 2, removed: 2 },
  ];
  for (const { left, right, added, removed } of pairs) {
    for (const context of [0, 1, 3]) {
      it(`gives lines with context ${context} from which git makes ${JSON.stringify(right)} out of ${JSON.stringify(left)}`, async () => {
        const changes = await compare(left, right, { context });
        expect(changes).to.include({ added, removed, equal: false });
        const folder = await temporaryFolder({ left });
        execFileSync('git', ['apply', '--unidiff-zero', '--whitespace=nowarn', '-p0', '-'], {
          cwd: folder,
          input: changes.diff.replace('+++ right', '+++ left'),
          env: { ...process.env, GIT_CEILING_DIRECTORIES: path.dirname(folder) },
        });
        expect(await readFile(path.join(folder, 'left'), 'utf8')).to.equal(right);
      });
    }
  }

  it('shows three lines around a change by default, as diff does', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `Zeile ${index}`);
    const left = `${lines.join('\n')}\n`;
    const right = left.replace('Zeile 10\n', 'Zeile zehn\n').replace('Zeile 25\n', '');
    const folder = await temporaryFolder({ left, right });
    const shown = (arguments_: string[]): string => {
      try {
        return execFileSync('diff', arguments_, { cwd: folder, encoding: 'utf8' });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    for (const context of [undefined, 0, 1, 100]) {
      const { diff } = await compare(left, right, context === undefined ? {} : { context });
      const expected = shown([`-U${context ?? 3}`, '--label', 'left', '--label', 'right', 'left', 'right']);
      // A count of 1 may be left out (POSIX, diff -u).
      expect(diff.replace(/,1(?= )/g, '')).to.equal(expected.replace(/,1(?= )/g, ''));
    }
  });

  const inline = [
    {
      granularity: 'word',
      left: 'Ein roter Ball.',
      right: 'Ein grüner, großer Ball.',
      diff: 'Ein [-roter-]{+grüner,+} {+großer +}Ball.',
      added: 3,
      removed: 1,
    },
    { granularity: 'word', left: 'Привет мир', right: 'Привет, мир', diff: 'Привет{+,+} мир', added: 1, removed: 0 },
    { granularity: 'word', left: '私は猫が好き', right: '私は犬が好き', diff: '私は[-猫-]{+犬+}が好き', added: 1, removed: 1 },
    { granularity: 'word', left: 'a b', right: 'a\nb', diff: 'a[- -]{+\n+}b', added: 0, removed: 0 },
    { granularity: 'char', left: 'Gruß', right: 'Grüße', diff: 'Gr[-u-]{+ü+}ß{+e+}', added: 2, removed: 1 },
    { granularity: 'char', left: 'a👋b', right: 'a👋🏽b', diff: 'a[-👋-]{+👋🏽+}b', added: 1, removed: 1 },
    { granularity: 'char', left: 'e', right: 'e\u0301', diff: '[-e-]{+e\u0301+}', added: 1, removed: 1 },
    { granularity: 'char', left: '', right: 'äb', diff: '{+äb+}', added: 2, removed: 0 },
  ];
  for (const { granularity, left, right, ...changes } of inline) {
    it(`marks each ${granularity} between ${JSON.stringify(left)} and ${JSON.stringify(right)}`, async () => {
      expect(await compare(left, right, { granularity })).to.deep.equal({ ...changes, equal: false });
    });
  }

  for (const granularity of ['line', 'word', 'char']) {
    it(`has nothing to show for equal texts by ${granularity}, empty ones too`, async () => {
      for (const text of ['', 'Grüße\n世界']) {
        expect(await compare(text, text, { granularity })).to.deep.equal({ diff: '', added: 0, removed: 0, equal: true });
      }
    });
  }

  it('does what its examples say', async () => {
    const examples = shared.toolkit.kernel.registry.get('text_diff').definition.examples ?? [];
    expect(examples).to.have.length(2);
    for (const { parameters, output } of examples) expect(await shared.toolkit.execute('text_diff', parameters)).to.deep.equal(output);
  });

  for (const parameters of [{ granularity: 'sentence' }, { context: -1 }, { context: 1001 }, { right: 5 }]) {
    it(`refuses ${JSON.stringify(parameters)}`, async () => {
      await rejection(compare('a', 'b', parameters), 'INVALID_PARAMETERS');
    });
  }

  for (const parameters of [{ left: 'x'.repeat(10_000_001) }, { right: 'x'.repeat(10_000_001) }]) {
    it(`refuses a ${Object.keys(parameters)[0]} text of more than ten million characters`, async () => {
      const call = shared.toolkit.execute('text_diff', { left: '', right: '', ...parameters });
      expect((await rejection(call, 'INVALID_PARAMETERS')).message).to.include('more than 10000000 characters');
    });
  }

  it('stops a comparison that takes too long, and answers other calls meanwhile', async () => {
    const lines = (mark: string): string => Array.from({ length: 60_000 }, (_, index) => `${mark}${index}`).join('\n');
    await stopsAlone(['text', 'time'], 'text_diff', {
      harmless: { left: 'a', right: 'b' },
      endless: { left: lines('a'), right: lines('b'), granularity: 'word' },
      meanwhile: async (toolkit) => expect(await toolkit.execute('time_now', {})).to.include({ timezone: 'UTC' }),
    });
  });
});
