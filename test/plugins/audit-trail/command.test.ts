import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { ToolkitError } from '../../../kernel/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { invocation } from '../../support/invocation.ts';
import { linesIn, recordsIn, writeLines, writtenTrail } from './audited.ts';

const command = auditTrail({ path: 'unused' }).commands?.find(({ name }) => name === 'audit verify');

async function run(file: string, flags: Readonly<Record<string, unknown>> = {}): Promise<{ text: string; error?: ToolkitError }> {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  try {
    await command?.run(invocation({ arguments: [file], flags, write }));
    return { text };
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return { text, error };
  }
}

describe('toolkit audit verify', () => {
  it('prints how many records there are, from when to when, and the head', async () => {
    const file = await writtenTrail(['a', 'b']);
    const [first, last] = await recordsIn(file);
    const { text, error } = await run(file);
    expect(error).to.equal(undefined);
    expect(text.split('\n')).to.deep.equal([
      '2 records in 1 file',
      `From record 1, ${first?.['time']}, to record 2, ${last?.['time']}`,
      `Head: ${last?.hash}`,
      'The trail verifies.',
      '',
    ]);
  });

  it('prints file and line of what is wrong, and fails', async () => {
    const file = await writtenTrail(['a', 'b', 'c']);
    await writeLines(file, (await linesIn(file)).toSpliced(1, 1));
    const { text, error } = await run(file);
    expect(text).to.include(`${file}:2: record 2 is missing before it\n`).and.to.include('The trail does not verify.');
    expect(error?.code).to.equal('EXECUTION_FAILED');
    expect(error?.message).to.include(`one problem in ${file}:2`);
  });

  it('prints JSON when asked, and fails all the same', async () => {
    const file = await writtenTrail(['a', 'b', 'c']);
    await writeLines(file, (await linesIn(file)).toSpliced(1, 1));
    const { text, error } = await run(file, { json: true });
    expect(JSON.parse(text)).to.deep.include({ records: 2, problemCount: 1, files: [file] });
    expect(error?.code).to.equal('EXECUTION_FAILED');
  });

  it('holds the trail against a head', async () => {
    const file = await writtenTrail(['a', 'b', 'c']);
    const [, , last] = await recordsIn(file);
    expect((await run(file, { head: last?.hash })).error).to.equal(undefined);
    await writeLines(file, (await linesIn(file)).slice(0, -1));
    // Whoever can cut the trail can remove the head that is kept beside it.
    await rm(`${file}.head`);
    expect((await run(file)).error).to.equal(undefined);
    const { text, error } = await run(file, { head: last?.hash });
    expect(text).to.include(`${file}:2: no record has the hash that --head gives`);
    expect(error?.code).to.equal('EXECUTION_FAILED');
  });

  it('takes the key from the environment', async () => {
    const key = 'a key that is long enough';
    const file = await writtenTrail(['a'], { key });
    process.env['AUDIT_TEST_KEY'] = key;
    try {
      expect((await run(file, { keyEnv: 'AUDIT_TEST_KEY' })).error).to.equal(undefined);
      expect((await run(file)).error?.code).to.equal('EXECUTION_FAILED');
    } finally {
      delete process.env['AUDIT_TEST_KEY'];
    }
    expect((await run(file, { keyEnv: 'AUDIT_TEST_KEY' })).error?.message).to.include('"AUDIT_TEST_KEY", which is not set');
  });

  for (const wrong of ['', 'abc', 'A'.repeat(64), '0'.repeat(65), `${'0'.repeat(63)}\n`]) {
    it(`refuses ${JSON.stringify(wrong)} as a head`, () => {
      const head = command?.flags?.find(({ flag }) => flag.startsWith('--head'));
      expect(() => head?.parse?.(wrong)).to.throw('expected 64 hexadecimal digits');
    });
  }

  it('refuses a file that is not there, and a folder', async () => {
    const file = await writtenTrail(['a']);
    for (const wrong of [`${file}.nowhere`, file.slice(0, file.lastIndexOf('/'))]) {
      expect((await run(wrong)).error?.code).to.equal('INVALID_PARAMETERS');
    }
  });

  it('prints nothing that a line says about itself', async () => {
    const file = await writtenTrail(['a']);
    const evil = '\u001b[2Jevil';
    await writeLines(file, [
      ...(await linesIn(file)),
      JSON.stringify({ seq: 2, time: evil, hash: evil, previous: evil, event: evil }),
      evil,
    ]);
    const { text, error } = await run(file);
    expect(error).to.be.an('error');
    expect(text).to.not.include('evil');
    expect(text).to.not.include('\u001b');
  });
});
