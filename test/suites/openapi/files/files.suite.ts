import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../../../support/temporary.ts';
import { decodeMultipart } from '../decoder/decode-multipart.ts';
import { headerOf, type RawRequest } from '../decoder/decode-request.ts';
import { generate } from '../rounds/generate.ts';
import { type OpenTools, openTools } from '../rounds/open-tools.ts';
import { type Receiver, startReceiver } from '../rounds/receiver.ts';

interface Opened {
  readonly folder: string;
  readonly tools: OpenTools;
  readonly receiver: Receiver;
  readonly requests: () => readonly RawRequest[];
  /** Calls an operation, with the parameters that are paths under their own names. */
  readonly call: (operationId: string, parameters: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** Opens the tools of the document before a service that keeps one file. */
async function openFiles(content: Buffer): Promise<Opened> {
  const folder = await temporaryFolder();
  const receiver = await startReceiver(({ method }, response) => {
    if (method === 'GET') response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content);
    else response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":"7"}');
  });
  const { source } = await generate(path.join(import.meta.dirname, 'files.yaml'), { server: receiver.url });
  const tools = await openTools(source, [folder]);
  const call = (operationId: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const name = String(source.tools.find(({ operation }) => operation.operationId === operationId)?.definition['name']);
    const declared = tools.kernel.registry.get(name).parameters;
    const [pathParameter = ''] = Object.keys(declared).filter((key) => declared[key]?.path !== undefined);
    const { path: file, ...rest } = parameters;
    return tools.call(name, file === undefined ? rest : { ...rest, [pathParameter]: file });
  };
  return { folder, tools, receiver, requests: () => receiver.take(), call };
}

describe('files through tools of a document', () => {
  const content = Buffer.concat([randomBytes(70_000), Buffer.from('\r\n--größe')]);
  let opened: Opened;

  beforeEach(async () => {
    opened = await openFiles(content);
  });

  afterEach(async () => {
    await opened.tools[Symbol.asyncDispose]();
    await opened.receiver[Symbol.asyncDispose]();
  });

  it('are uploaded as a part beside JSON, byte for byte', async () => {
    const file = path.join(opened.folder, 'a "b".bin');
    writeFileSync(file, content);
    await opened.call('uploadFile', { attributes: { name: 'größe', folder_id: '9007199254740993' }, path: file });
    const [request] = opened.requests();
    const parts = decodeMultipart(request?.body ?? Buffer.alloc(0), headerOf(request as RawRequest, 'content-type') ?? '');
    expect(parts.map(({ name }) => name)).to.deep.equal(['attributes', 'file']);
    expect(parts[0]?.bytes.toString('utf8')).to.equal('{"name":"größe","folder_id":9007199254740993}');
    expect(parts[1]?.fileName).to.equal('a "b".bin');
    expect(parts[1]?.bytes.equals(content)).to.equal(true);
  });

  it('are uploaded as the whole body', async () => {
    const file = path.join(opened.folder, 'upload.bin');
    writeFileSync(file, content);
    await opened.call('putContent', { id: 'a/b', path: file });
    const [request] = opened.requests();
    expect(request?.url).to.equal('/files/a%2Fb/content');
    expect(headerOf(request as RawRequest, 'content-type')).to.equal('application/octet-stream');
    expect(request?.body.equals(content)).to.equal(true);
  });

  it('are downloaded into a file', async () => {
    const file = path.join(opened.folder, 'download.bin');
    await opened.call('downloadFile', { id: '7', path: file });
    expect(readFileSync(file).equals(content)).to.equal(true);
  });
});
