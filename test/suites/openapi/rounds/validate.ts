import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { messageOf } from '../../../../kernel/index.ts';
import { DescribedDocument } from '../decoder/described-operation.ts';
import { type DocumentFile, packageRequire } from '../documents/folders.ts';
import { generate } from './generate.ts';
import { openTools } from './open-tools.ts';
import { sampledCall } from './sampled-call.ts';

export interface Validated {
  readonly calls: number;
  readonly accepted: number;
  /** Calls that were not sent, such as those with a value that a path cannot hold. */
  readonly unsent: number;
  readonly refusals: readonly Refusal[];
}

/** A request that express-openapi-validator refuses. */
export interface Refusal {
  readonly operation: string;
  readonly message: string;
  readonly parameters: string;
  readonly url: string;
}

type Handler = (request: { url: string }, response: never, next: (error?: unknown) => void) => void;

interface Express {
  (): { use(...handlers: unknown[]): unknown } & ((request: unknown, response: unknown) => void);
  readonly text: (options: unknown) => unknown;
  readonly json: (options?: unknown) => unknown;
  readonly urlencoded: (options: unknown) => unknown;
}

/** Sends calls of a document's tools to a server that express-openapi-validator guards. */
export async function run({ file }: DocumentFile, options: unknown): Promise<Validated> {
  const { calls } = options as { readonly calls: number };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolkit-openapi-'));
  const upload = path.join(folder, 'upload.txt');
  writeFileSync(upload, 'content of the file');
  const require = packageRequire();
  const express = require('express') as Express;
  const { middleware } = require('express-openapi-validator') as { middleware: (options: unknown) => readonly Handler[] };
  // It finds operations by the path of the server, which is this one.
  const apiSpec = { ...DescribedDocument.read(file).root, servers: [{ url: '/' }] };
  const app = express();
  app.use(
    express.json({ limit: '10mb', type: ['application/json', 'application/*+json'], strict: false }),
    express.urlencoded({ extended: true }),
    express.text({ type: 'text/*' }),
  );
  app.use(
    ...middleware({
      apiSpec,
      validateRequests: { allErrors: true },
      validateResponses: false,
      validateSecurity: false,
      validateFormats: false,
      fileUploader: false,
    }),
  );
  const seen: string[] = [];
  app.use((request: { originalUrl: string }, response: { json(body: unknown): void }) => {
    seen.push(request.originalUrl);
    response.json({});
  });
  const refused: { url: string; message: string }[] = [];
  app.use(
    (
      error: { message: string },
      request: { originalUrl: string },
      response: { status(code: number): { json(body: unknown): void } },
      _next: unknown,
    ) => {
      refused.push({ url: request.originalUrl, message: error.message });
      response.status(422).json({ message: error.message });
    },
  );
  const server = createServer(app as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { source } = await generate(file, { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    await using tools = await openTools(source, [folder]);
    const count = { calls: 0, accepted: 0, unsent: 0 };
    const refusals: Refusal[] = [];
    for (let turn = 0; count.calls < calls && turn < 3 * calls; turn += 1) {
      const { definition, operation } = source.tools[(turn * 7) % source.tools.length] as (typeof source.tools)[number];
      const name = String(definition['name']);
      const tool = tools.kernel.registry.get(name);
      const parameters = sampledCall(tool, 100 + turn, upload);
      // Its uploads need a parser of its own.
      if (parameters === undefined || JSON.stringify(definition).includes('multipart')) continue;
      const reason = await tools.call(name, parameters).then(() => undefined, messageOf);
      const [refusal] = refused.splice(0);
      const isSent = seen.splice(0).length > 0 || refusal !== undefined;
      if (!isSent) {
        count.unsent += 1;
        if (!/cannot be used here/.test(reason ?? ''))
          refusals.push({ operation: name, message: `not sent: ${reason}`, parameters: JSON.stringify(parameters), url: '' });
        continue;
      }
      count.calls += 1;
      if (refusal === undefined) count.accepted += 1;
      else
        refusals.push({
          operation: `${operation.method.toUpperCase()} ${operation.path}`,
          message: refusal.message,
          parameters: JSON.stringify(parameters).slice(0, 600),
          url: refusal.url,
        });
    }
    return { ...count, refusals };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}
