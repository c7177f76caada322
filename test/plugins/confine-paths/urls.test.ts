import path from 'node:path';
import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { landscape, see, seeing } from './landscape.ts';

const source = { source: { type: 'string', path: 'read', or_url: true }, sources: { type: 'array', path: 'read', or_url: true } };

describe('a path that may be a URL', () => {
  for (const url of ['https://example.com/a/../b.json', 'HTTP://127.0.0.1:8080/x']) {
    it(`is handed over as it is: ${url}`, async () => {
      const kernel = await seeing(path.join(await landscape(), 'root'), {}, source);
      expect(await see(kernel, { source: url, sources: [url, 'file.txt'] })).to.deep.include({ source: url });
    });
  }

  for (const value of [
    '../outside/secret.txt',
    'file:///etc/passwd/../../../../../../etc/passwd',
    'ftp://x/../../../../../../../../../etc/passwd',
    'https:/../../../outside',
  ]) {
    it(`is confined when it is none: ${value}`, async () => {
      const kernel = await seeing(path.join(await landscape(), 'root'), {}, source);
      await rejection(see(kernel, { source: value }), 'INVALID_PARAMETERS');
    });
  }
});
