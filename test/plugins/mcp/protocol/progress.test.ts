import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { executorHttp } from '../../../../plugins/executor-http/index.ts';
import { loopback } from '../../../support/loopback.ts';
import { testKernel } from '../../../support/test-kernel.ts';
import { suiteKernel } from '../../executor-function/function-kernel.ts';
import { type Connected, connect, handlerTool, quiet, textOf } from '../support/client.ts';

/** Calls a tool, and returns the progress notifications of the client. */
async function notesOf({ client, call }: Connected, name: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<Progress[]> {
  const notes: Progress[] = [];
  textOf(await call(name, parameters, { onprogress: (note) => notes.push(note) }));
  await quiet(client);
  return notes;
}

function expectGrowth(notes: readonly Progress[]): void {
  for (const [index, { progress }] of notes.entries()) {
    expect(progress, JSON.stringify(notes)).to.be.a('number');
    if (index > 0) expect(progress, JSON.stringify(notes)).to.be.greaterThan(notes[index - 1]?.progress ?? 0);
  }
}

describe('tools/call: progress', () => {
  const suite = suiteKernel({
    files: {
      'note.mjs':
        'export const note = async ({ value }, context) => { for (const n of value) { context.progress(n); await null; } return "done"; };',
      'note.py': [
        'def note(parameters, context):',
        '    for n in parameters["value"]:',
        '        if isinstance(n, str):',
        '            context.progress(n)',
        '        else:',
        '            context.progress(n.get("progress"), n.get("total"), n.get("message"))',
        '    return "done"',
      ].join('\n'),
    },
    tools: { javascript: './note.mjs#note', thread: { code: './note.mjs#note', worker: true }, python: './note.py#note' },
  });

  const rows: { title: string; notes: readonly unknown[]; exact?: readonly unknown[] }[] = [
    {
      title: 'numbers that grow, as they are',
      notes: [{ progress: 0.5, total: 3 }, { progress: 1, total: 3, message: 'one' }, { progress: 3 }],
      exact: [{ progress: 0.5, total: 3 }, { progress: 1, total: 3, message: 'one' }, { progress: 3 }],
    },
    { title: 'the first number, whatever it is', notes: [{ progress: -5 }, { progress: 0 }], exact: [{ progress: -5 }, { progress: 0 }] },
    { title: 'notes without a number', notes: ['one', { message: 'two' }, 'three', 'four'] },
    { title: 'notes and numbers', notes: ['start', { progress: 1 }, 'note', { progress: 2 }, 'note', 'end'] },
    { title: 'a number, then the same again', notes: [{ progress: 1 }, { progress: 1 }, { progress: 1, message: 'still' }] },
    { title: 'numbers that fall', notes: [{ progress: 9 }, { progress: 3 }, { progress: 4 }, { progress: 10 }] },
    { title: 'a total alone', notes: [{ total: 5 }, { total: 5, message: 'x' }] },
    { title: 'a great number, then notes', notes: [{ progress: 5e12, total: 6e12 }, 'half', 'more', { progress: 5e12 + 1 }] },
    {
      title: 'more notes than there is room between two numbers',
      notes: [{ progress: 1e9 }, ...Array(50).fill('note'), { progress: 1e9 + 1 }],
    },
  ];
  for (const { title, notes, exact } of rows) {
    it(`grows with every notification: ${title}`, async () => {
      const connected = await connect(suite.kernel);
      for (const runtime of ['javascript', 'thread', 'python']) {
        const heard = await notesOf(connected, runtime, { value: notes });
        expect(heard, runtime).to.have.length(notes.length);
        expectGrowth(heard);
        if (exact !== undefined) expect(heard, runtime).to.deep.equal(exact);
        const messages = notes.map((note) => (typeof note === 'string' ? note : (note as { message?: string }).message));
        expect(heard.map(({ message }) => message)).to.deep.equal(messages);
      }
    });
  }

  for (const strange of [Number.NaN, Number.POSITIVE_INFINITY, '7', null]) {
    it(`grows although a tool gives ${String(strange)} as a number`, async () => {
      const tool = handlerTool((_, { progress }) => {
        for (const note of [strange, strange, 1, 2]) progress({ progress: note as number });
        return 'done';
      });
      const { call, heard } = await connect(await testKernel({ tools: [tool] }));
      textOf(await call('it', {}, { onprogress: () => {} }));
      expectGrowth((await heard('notifications/progress')) as unknown as Progress[]);
    });
  }

  it('cannot be told in the name of another call', async () => {
    const tool = handlerTool((_, { progress }) => {
      progress({ progress: 1, progressToken: 'stolen', _meta: { forged: true } } as never);
      return 'done';
    });
    const { call, heard } = await connect(await testKernel({ tools: [tool] }));
    await call('it', {}, { onprogress: () => {} });
    const [note] = await heard('notifications/progress');
    expect(note?.['progressToken']).to.be.a('number');
    expect(Object.keys(note ?? {}).sort()).to.deep.equal(['progress', 'progressToken']);
  });

  it('is not told to a client that gave no token', async () => {
    const connected = await connect(suite.kernel);
    textOf(await connected.call('javascript', { value: ['one', { progress: 1 }] }));
    expect(await connected.heard('notifications/progress')).to.deep.equal([]);
  });

  it('is told before the result', async () => {
    const connected = await connect(suite.kernel);
    for (const runtime of ['javascript', 'thread', 'python']) {
      await notesOf(connected, runtime, { value: ['one', 'two'] });
      const last = connected.sent.filter((message) => !('result' in message && Object.keys(message.result).length === 0)).slice(-3);
      expect(
        last.map((message) => ('method' in message ? message.method : 'result')),
        runtime,
      ).to.deep.equal(['notifications/progress', 'notifications/progress', 'result']);
    }
  });

  it('ends with the call', async () => {
    const contexts: FunctionContext[] = [];
    const tool = handlerTool((_, context) => {
      contexts.push(context);
      return 'done';
    });
    const { call, heard } = await connect(await testKernel({ tools: [tool] }));
    textOf(await call('it', {}, { onprogress: () => {} }));
    contexts[0]?.progress('too late');
    expect(await heard('notifications/progress')).to.deep.equal([]);
  });

  it('of a tool that is called by a tool is told to the same client', async () => {
    const inner = handlerTool(
      (_, { progress }) => {
        progress('inside');
        return 'done';
      },
      { name: 'inner' },
    );
    const outer = handlerTool(async (_, { progress, tools }) => {
      progress({ progress: 1 });
      await tools.call('inner', {});
      progress({ progress: 2 });
      return 'done';
    });
    const notes = await notesOf(await connect(await testKernel({ tools: [inner, outer] })), 'it');
    expectGrowth(notes);
    expect(notes.map(({ message }) => message)).to.deep.equal([undefined, 'inside', undefined]);
  });
});

describe('tools/call: progress of a download', () => {
  const size = 3 * 1024 * 1024;
  const body = Buffer.alloc(size, 'x');

  /** Sends the body piece by piece, each when the one before has left. */
  async function send(response: ServerResponse): Promise<void> {
    for (let at = 0; at < size; at += 64 * 1024) {
      if (!response.write(body.subarray(at, at + 64 * 1024))) await once(response, 'drain');
    }
    response.end();
  }

  async function download(headers: Readonly<Record<string, string | number>>): Promise<Progress[]> {
    const { url } = await loopback((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', ...headers });
      void send(response);
    });
    const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
    return notesOf(await connect(await testKernel({ plugins: [executorHttp()], tools: [tool] })), 'it');
  }

  const cases = [
    { title: 'with a Content-Length', headers: { 'content-length': size }, total: size },
    { title: 'without a Content-Length', headers: {}, total: undefined },
  ];
  for (const { title, headers, total } of cases) {
    it(`is told in bytes, ${title}`, async () => {
      const notes = await download(headers);
      expectGrowth(notes);
      expect(notes.length).to.be.within(3, 12);
      for (const note of notes) {
        expect(note.progress).to.be.within(256 * 1024, size);
        expect(note).to.deep.equal({ progress: note.progress, message: 'bytes received', ...(total === undefined ? {} : { total }) });
      }
    });
  }

  it('is not told of a small answer', async () => {
    const { url } = await loopback((_request, response) => void response.end('small'));
    const tool = { name: 'it', description: 'd', execution: { type: 'http', method: 'get', url } };
    const connected = await connect(await testKernel({ plugins: [executorHttp()], tools: [tool] }));
    expect(await notesOf(connected, 'it')).to.deep.equal([]);
  });
});
