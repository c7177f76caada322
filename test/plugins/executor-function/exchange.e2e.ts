import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { suiteKernel } from './function-kernel.ts';

const text = `
import { threadId } from 'node:worker_threads';
const asking = async (value: unknown, context: any, live: () => unknown) => {
  try {
    return { answer: await context.exchange('sql', { text: 'SELECT $1', value }, live), threadId };
  } catch ({ name, message, code }: any) {
    return { error: { name, message, code } };
  }
};
const noTable = Object.assign(new Error('no such table'), { code: '42P01' });
export const asks = ({ value }: any, context: any) => asking(value, context, async () => ({ value, threadId }));
export const fails = ({ value }: any, context: any) => asking(value, context, async () => { throw noTable; });
export const says_nothing = ({ value }: any, context: any) => asking(value, context, async () => undefined);
export const is_plain = ({ value }: any, context: any) => asking(value, context, () => 'at once');
export const asks_both = async ({ value }: any, context: any) => {
  const answers = await Promise.all(['a', 'b'].map((item) => context.exchange('queue', item, async () => item + value)));
  return answers.join('');
};
export const keeps_its_error = (_: unknown, context: any) =>
  context.exchange('sql', {}, async () => { throw noTable; }).catch((error: unknown) => error === noTable);
export const hangs = (_: unknown, context: any) => context.exchange('sql', {}, () => new Promise(() => context.progress('began')));
export const gives_bigint = (_: unknown, context: any) => context.exchange('sql', {}, async () => ({ rows: [1n] }));
export const asks_bigint = (_: unknown, context: any) => context.exchange('sql', { id: 1n }, async () => 'answered');
`;

const names = ['asks', 'fails', 'says_nothing', 'is_plain', 'asks_both', 'keeps_its_error', 'hangs', 'gives_bigint', 'asks_bigint'];

const tools = Object.fromEntries(
  names.flatMap((name) => [
    [name, { code: `./it.ts#${name}` }],
    [`${name}_apart`, { code: `./it.ts#${name}`, worker: true }],
  ]),
);

const places = [
  ['in this process', ''],
  ['in a worker thread', '_apart'],
] as const;

const notFound = { name: 'Error', message: 'no such table', code: '42P01' };

for (const [place, apart] of places)
  describe(`an exchange of a function ${place}`, () => {
    const suite = suiteKernel({ files: { 'it.ts': text }, tools });
    const run = (name: string, value: unknown = 7): Promise<unknown> => suite.kernel.execute(`${name}${apart}`, { value });

    it('does what it does where the function runs', async () => {
      const { answer, threadId } = (await run('asks')) as { answer: { threadId: number }; threadId: number };
      expect(answer).to.deep.equal({ value: 7, threadId });
    });

    it('gives what is no promise, and nothing, as well', async () => {
      expect(await run('is_plain')).to.deep.include({ answer: 'at once' });
      expect(await run('says_nothing')).to.not.have.property('answer');
    });

    it('throws what was thrown, the same object', async () => {
      expect(await run('fails')).to.deep.include({ error: notFound });
      expect(await run('keeps_its_error')).to.equal(true);
    });

    it('asks nothing of the request', async () => {
      expect(await run('asks_bigint')).to.equal('answered');
    });

    it('ends when its caller cancels', async () => {
      const cancel = new AbortController();
      const onProgress = (): void => cancel.abort();
      await rejection(suite.kernel.call({ tool: `hangs${apart}`, signal: cancel.signal, onProgress }), 'ABORTED');
    });
  });

/** Requests to the stand-in for the outside world, in their order. */
const asked: { readonly kind: string; readonly request: unknown }[] = [];

describe('the option exchange of executor-function', () => {
  beforeEach(() => void asked.splice(0));

  for (const [place, apart] of places)
    describe(place, () => {
      const passing = suiteKernel({
        files: { 'it.ts': text },
        tools,
        executor: {
          exchange: async (kind, request, live) => {
            asked.push({ kind, request });
            return live();
          },
        },
      });
      const answering = suiteKernel({
        files: { 'it.ts': text },
        tools,
        executor: {
          exchange: async (_kind, request) => {
            if (typeof request === 'object') throw Object.assign(new Error('no such table'), { code: '42P01' });
            return `${String(request)}!` as never;
          },
        },
      });

      it('gets kind and request, and what to do live', async () => {
        const { answer, threadId } = (await passing.kernel.execute(`asks${apart}`, { value: 7 })) as {
          answer: { threadId: number };
          threadId: number;
        };
        expect(asked).to.deep.equal([{ kind: 'sql', request: { text: 'SELECT $1', value: 7 } }]);
        expect(answer).to.deep.equal({ value: 7, threadId });
      });

      it('sees errors with their members, and passes them on', async () => {
        expect(await passing.kernel.execute(`fails${apart}`)).to.deep.include({ error: notFound });
        expect(await answering.kernel.execute(`asks${apart}`)).to.deep.include({ error: notFound });
      });

      it('answers in place of what would be done', async () => {
        expect(await answering.kernel.execute(`asks_both${apart}`, { value: 7 })).to.equal('a!b!');
        expect(await passing.kernel.execute(`asks_both${apart}`, { value: 7 })).to.equal('a7b7');
        expect(await passing.kernel.execute(`says_nothing${apart}`)).to.not.have.property('answer');
      });

      it('lets a caller cancel', async () => {
        const cancel = new AbortController();
        const onProgress = (): void => cancel.abort();
        await rejection(passing.kernel.call({ tool: `hangs${apart}`, signal: cancel.signal, onProgress }), 'ABORTED');
      });
    });

  const suite = suiteKernel({ files: { 'it.ts': text }, tools, executor: { exchange: async (_kind, _request, live) => live() } });

  it('says which answer cannot leave a thread', async () => {
    const error = await rejection(suite.kernel.execute('gives_bigint_apart'), 'OUTPUT_INVALID');
    expect(error.message).to.include('The answer of context.exchange("sql", …) at "rows[0]" cannot be recorded');
    const refused = await rejection(suite.kernel.execute('asks_bigint_apart'), 'OUTPUT_INVALID');
    expect(refused.message).to.include('The request of context.exchange("sql", …) at "id" cannot be recorded');
  });
});
