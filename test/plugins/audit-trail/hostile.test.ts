import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { apiVersion, ask, definePlugin } from '../../../kernel/index.ts';
import { verifyTrail } from '../../../plugins/audit-trail/verify-trail.ts';
import { echoTool } from '../../support/test-kernel.ts';
import { audited, linesIn, recordsIn } from './audited.ts';

const open = echoTool({ name: 'open', parameters: { value: { type: 'object' }, list: { type: 'array' } } });

const deep = (levels: number): unknown => (levels === 0 ? 'bottom' : { a: deep(levels - 1) });

/** Values with which callers try to make a record impossible, long or ambiguous. */
const values: Record<string, unknown> = {
  'a text of a megabyte': { text: 'x'.repeat(2 ** 20) },
  'control characters': { text: '\u0000'.repeat(5000) },
  'line ends': { text: '\n{"seq":2}\n\r\u2028\u2029' },
  'wide characters': { text: '💥'.repeat(5000) },
  'lone surrogates': { text: '\ud800', '\udfff': 1 },
  'a lone surrogate where a text is cut': { text: `${'x'.repeat(999)}💥` },
  'ten thousand members': Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index])),
  'long keys': Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${index}`.padStart(5000, 'k'), 'v'])),
  'a list as long as one may be': { list: Array.from({ length: 99_000 }, () => 1) },
  'lists in lists': { list: Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 'abcdefgh')) },
  'nesting as deep as it may be': deep(60),
  'the key __proto__': JSON.parse('{"__proto__": {"admin": true}, "constructor": 1, "toString": 2}'),
  'keys of a record': { seq: 7, hash: 'f'.repeat(64), previous: '0'.repeat(64), event: 'recovered' },
  'numbers at the edge': { a: -0, b: 1e308, c: 5e-324, d: 2 ** 53 - 1 },
};

describe('the records of hostile calls', () => {
  for (const [what, value] of Object.entries(values)) {
    it(`are bounded, and verify, with ${what}`, async () => {
      const { kernel, file } = await audited({}, { tools: [open] });
      await kernel.call({ tool: 'open', parameters: { value } }).catch(() => {});
      await kernel.execute('echo');
      const lines = await linesIn(file);
      expect(lines).to.have.length(2);
      for (const line of lines) expect(Buffer.byteLength(line)).to.be.lessThan(16 * 1024);
      expect((await recordsIn(file))[0]).to.include({ tool: 'open', executed: true });
      expect(await verifyTrail(file)).to.include({ records: 2, problemCount: 0 });
    });
  }

  it('say what was cut, and how much', async () => {
    const { kernel, file } = await audited({}, { tools: [open] });
    const value = { long: 'x'.repeat(5000), 'a/b~c': ['y'.repeat(2000)], deep: deep(20), fine: 'z' };
    const list = Array.from({ length: 500 }, (_, index) => index);
    await kernel.call({ tool: 'open', parameters: { value, list } });
    const [record] = await recordsIn(file);
    expect(record?.['cut']).to.deep.equal([
      '/parameters/value/long: 1000 of 5000 characters',
      '/parameters/value/a~1b~0c/0: 1000 of 2000 characters',
      '/parameters/value/deep/a/a/a/a/a/a: nested too deep',
      '/parameters/list: 100 of 500 items',
    ]);
    expect(record).to.have.nested.property('parameters.value.long', `${'x'.repeat(1000)}…`);
    expect(record).to.have.nested.property('parameters.value.fine', 'z');
  });

  it('say nothing of cuts where nothing was cut', async () => {
    const { kernel, file } = await audited();
    await kernel.execute('echo', { text: 'x'.repeat(1000) });
    expect((await recordsIn(file))[0]).to.not.have.property('cut');
  });

  it('bound the names that a caller chooses', async () => {
    const { kernel, file } = await audited();
    await kernel.call({ tool: 'n'.repeat(100_000), caller: 'c'.repeat(100_000) }).catch(() => {});
    const [record] = await recordsIn(file);
    expect(String(record?.['tool']).length).to.be.within(100, 500);
    expect(String(record?.['caller']).length).to.be.within(100, 500);
    expect(record?.['cut']).to.be.an('array').with.length(2);
  });

  it('bound what approvals and reasons say', async () => {
    const talkative = definePlugin({
      name: 'talkative',
      apiVersion,
      apply({ hooks }) {
        hooks.beforeExecute.tap('talkative', (draft) =>
          Array.from({ length: 30 }, (_, index) => index).reduce(
            (call, index) => ask(call, { kind: `k${index}`, message: '\u0001'.repeat(9000) }),
            draft,
          ),
        );
        hooks.approve.tap('talkative', () => ({ approved: true, by: '\u0001'.repeat(9000), reason: '\u0002'.repeat(9000) }));
      },
    });
    const { kernel, file } = await audited({}, { plugins: [talkative()], tools: [open] });
    await kernel.execute('open', { value: { text: '\u0001'.repeat(90_000) } });
    const [line] = await linesIn(file);
    expect(Buffer.byteLength(line ?? '')).to.be.within(4000, 16 * 1024);
    expect(await verifyTrail(file)).to.include({ problemCount: 0 });
  });

  it('never have a secret', async () => {
    const needy = echoTool({
      name: 'needy',
      parameters: { text: { type: 'string' }, own: { type: 'string' } },
      secrets: ['STORED_TOKEN', 'OWN_TOKEN'],
    });
    const leaky = definePlugin({
      name: 'leaky',
      apiVersion,
      apply({ hooks, maskAlso }) {
        maskAlso('PROTECTED', 'protected-value-1');
        hooks.resolveSecrets.tap('leaky', (sink) => {
          for (const name of sink.missing) if (name === 'STORED_TOKEN') sink.provide(name, 'stored-value-1');
        });
        hooks.beforeExecute.tap('leaky', (draft) => ask(draft, { kind: 'rule', message: 'uses stored-value-1 and protected-value-1' }));
        hooks.approve.tap('leaky', () => ({ approved: true, by: 'protected-value-1', reason: 'stored-value-1' }));
      },
    });
    const { kernel, file } = await audited({ key: 'the key of the trail' }, { tools: [needy], plugins: [leaky()] });
    await kernel.resolveSecrets();
    const text = `stored-value-1 ${Buffer.from('own-value-1').toString('base64')} own-value-1 protected-value-1 the key of the trail`;
    const credentials = { OWN_TOKEN: 'own-value-1' };
    await kernel.call({ tool: 'needy', parameters: { text }, credentials, caller: 'stored-value-1' });
    await kernel.call({ tool: 'protected-value-1' }).catch(() => {});
    const written = await readFile(file, 'utf8');
    expect(written).to.include('[secret STORED_TOKEN]').and.to.include('[secret OWN_TOKEN]').and.to.include('[secret PROTECTED]');
    for (const secret of ['stored-value', 'own-value', 'protected-value', 'the key of the trail'])
      expect(written.replaceAll('[secret audit-trail key]', '')).to.not.include(secret);
  });
});
