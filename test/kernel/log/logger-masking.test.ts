import { expect } from 'chai';
import { apiVersion, createLogger, definePlugin, type Kernel, type Logger } from '../../../kernel/index.ts';
import { memoryLogger } from '../../../plugins/toolkit/testing.ts';
import { keptLogger } from '../../support/log-lines.ts';
import { bareKernel } from '../../support/test-kernel.ts';

const secret = `sk-planted-${'0123456789'.repeat(5)}`;

const protect = definePlugin({
  name: 'protect',
  apiVersion,
  apply: (kernel) => kernel.maskAlso('API_KEY', secret),
});

function kernelWith(logger: Logger): Promise<Kernel> {
  return bareKernel({ plugins: [protect()], logger });
}

describe('the logger of a kernel', () => {
  const places: readonly { readonly what: string; readonly meta: unknown; readonly message?: unknown }[] = [
    { what: 'the message', meta: undefined, message: `key ${secret}` },
    { what: 'a message that is an error', meta: undefined, message: new Error(secret) },
    { what: 'a value', meta: { a: { b: [secret] } } },
    { what: 'a key', meta: { [secret]: 1 } },
    { what: 'an error and its causes', meta: { error: new Error(secret, { cause: new Error(secret) }) } },
    { what: 'a URL', meta: { url: new URL(`http://host/?key=${secret}`) } },
    { what: 'a map and a set', meta: { map: new Map([[secret, secret]]), set: new Set([secret]) } },
    { what: 'what toJSON gives', meta: { toJSON: () => ({ secret }) } },
    {
      what: 'what a getter throws',
      meta: {
        get x(): never {
          throw new Error(secret);
        },
      },
    },
    { what: 'a buffer', meta: { buffer: Buffer.from(secret) } },
    {
      what: 'a symbol and the name of a function',
      meta: { symbol: Symbol(secret), run: Object.defineProperty(() => {}, 'name', { value: secret }) },
    },
  ];
  for (const { what, meta, message = 'm' } of places)
    it(`masks a secret in ${what}`, async () => {
      const kept = keptLogger({ level: 'debug' });
      const given = memoryLogger();
      for (const logger of [kept, given]) {
        const kernel = await kernelWith(logger);
        kernel.logger.error(message as string, meta as Readonly<Record<string, unknown>>);
      }
      const written = JSON.stringify([kept.lines, given.records]);
      expect(written).to.not.include('sk-planted');
      expect(written).to.match(/\[secret API_KEY\]|bytes/);
    });

  it('names a secret of digits, which anybody could guess, and does not mask it', async () => {
    const given = memoryLogger();
    const plugin = definePlugin({ name: 'pin', apiVersion, apply: (kernel) => kernel.maskAlso('PIN', '48291355') });
    const { logger } = await bareKernel({ plugins: [plugin()], logger: given });
    const warnings = given.records.filter(({ level }) => level === 'warn').map(({ message }) => message);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.include('the value of PIN').and.not.include('48291355');
    logger.info('m', { pin: 48291355 });
    expect(given.records.at(-1)?.meta).to.deep.equal({ pin: 48291355 });
  });

  it('shows no part of a secret where a text is cut', async () => {
    const given = memoryLogger();
    const { logger } = await kernelWith(given);
    for (let before = 9850; before < 10_010; before += 7) {
      const text = `${'x'.repeat(before)}${secret}${'y'.repeat(5000)}`;
      logger.info(text, { text, [text]: 1 });
    }
    // Secrets that make the text shorter draw its end nearer.
    logger.info(`${secret.repeat(200)}${'y'.repeat(50)}`, { text: secret.repeat(5000) });
    expect(JSON.stringify(given.records)).to.include('more characters').and.not.include('sk-p').and.not.include('01234');
  });

  it('cuts what a logger of somebody else gets, and hands it plain values', async () => {
    const given = memoryLogger();
    const { logger } = await kernelWith(given);
    logger.info('m', { list: new Array(1000).fill(1), at: new Date(0), big: 1n });
    const record = given.records.at(-1);
    expect(record?.meta).to.deep.include({ at: '1970-01-01T00:00:00.000Z', big: '1' });
    expect(record?.meta?.['list']).to.have.length(100).and.include('[901 more items]');
  });

  it('does nothing at all where the built-in logger does nothing', async () => {
    const { logger } = await kernelWith(createLogger({ level: 'silent', env: {} }));
    expect(new Set(Object.values(logger)).size).to.equal(1);
    const { logger: atInfo } = await kernelWith(keptLogger({ level: 'info' }));
    expect(atInfo.debug).to.equal(logger.debug);
    expect(atInfo.info).to.not.equal(logger.debug);
  });
});
