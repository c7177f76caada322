import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type CodedBody, cutBodies, sendCoded, wholeBodies } from '../../../support/coded-bodies.ts';
import { loopback } from '../../../support/loopback.ts';
import { rejection } from '../../../support/rejection.ts';
import { httpTool } from '../http-tool.ts';

const value = { items: Array.from({ length: 200 }, (_, index) => `item ${index * 7919}`) };
const text = JSON.stringify(value);

/** Calls an http tool that is answered so. */
async function answered(answer: (response: ServerResponse) => void): Promise<unknown> {
  const { url } = await loopback((_, response) => answer(response));
  const call = await httpTool({ execution: { url } });
  return (await call()).output;
}

const asJson = (body: CodedBody) => answered((response) => sendCoded(response, body, 'application/json'));

describe('executor-http: a body that is cut off', () => {
  for (const body of cutBodies(text)) {
    it(`is an error: ${body.name}`, async () => {
      const error = await rejection(asJson(body), 'UPSTREAM_UNAVAILABLE');
      expect(error.message)
        .to.include('got no whole answer')
        .and.to.match(/cut off or is broken|unexpected end/);
    });
  }

  const plain = [
    { name: 'shorter than its Content-Length', head: 'content-length: 5000', body: text },
    { name: 'in chunks that do not end', head: 'transfer-encoding: chunked', body: `${text.length.toString(16)}\r\n${text}\r\n` },
    { name: 'in the middle of a chunk', head: 'transfer-encoding: chunked', body: `ffff\r\n${text}` },
  ];
  for (const { name, head, body } of plain) {
    it(`is an error without compression: ${name}`, async () => {
      const error = await rejection(
        answered(({ socket }) => socket?.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}\r\n\r\n${body}`)),
        'UPSTREAM_UNAVAILABLE',
      );
      expect(error.message).to.include('got no whole answer');
    });
  }

  it('is an error where a byte of it has changed', async () => {
    const [{ coding, bytes }] = wholeBodies(text) as [CodedBody];
    const changed = Buffer.from(bytes);
    changed[bytes.length - 6] = (changed[bytes.length - 6] ?? 0) ^ 0xff;
    await rejection(asJson({ name: '', coding, bytes: changed }), 'UPSTREAM_UNAVAILABLE');
  });

  it('keeps the status of an answer that is an error itself', async () => {
    const [body] = cutBodies(JSON.stringify({ message: 'no such thing' })) as [CodedBody];
    await rejection(
      answered((response) => sendCoded(response, body, 'application/json', 404)),
      'NOT_FOUND',
    );
  });
});

describe('executor-http: a compressed body', () => {
  for (const body of wholeBodies(text)) {
    it(`is read: ${body.name}`, async () => {
      expect(await asJson(body)).to.deep.equal(value);
    });
  }

  it('is read with bytes behind its end', async () => {
    const [, deflated] = wholeBodies(text) as [CodedBody, CodedBody];
    expect(await asJson({ ...deflated, bytes: Buffer.concat([deflated.bytes, Buffer.from('tail')]) })).to.deep.equal(value);
  });

  it('may be empty, as many servers send it', async () => {
    expect(await asJson({ name: '', coding: 'gzip', bytes: Buffer.alloc(0) })).to.equal(null);
  });

  it('makes Node warn of nothing', async () => {
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    try {
      await asJson(wholeBodies(text)[0] as CodedBody);
      // A warning is told in the next turn.
      await new Promise((resolve) => setImmediate(resolve));
      expect(warnings).to.deep.equal([]);
    } finally {
      process.off('warning', onWarning);
    }
  });
});
