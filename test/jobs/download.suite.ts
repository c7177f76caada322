import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { loopbackServer } from '../support/loopback.ts';
import { runJob } from './run-job.ts';

interface Facts {
  readonly folder: string;
  readonly url: string;
  /** As the page of the download says it. */
  readonly sha256: string;
  readonly bytes: number;
}

interface Downloaded {
  readonly bytes: number;
  /** As `sha256sum` prints it for the saved file. */
  readonly sha256: string;
  /** Content that hashes to something else is refused. */
  readonly refused: boolean;
  /** Files in the folder of downloads. */
  readonly files: readonly string[];
}

runJob<Downloaded, Facts>({
  number: 25,
  title: 'download a file that hashes to what was said',
  async prepare(folder, random) {
    const content = Buffer.from(Array.from({ length: 3_000_000 }, () => random.below(256)));
    const origin = await loopbackServer((_request, _body, response) =>
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(content),
    );
    const sha256 = execFileSync('sha256sum', { input: content, encoding: 'utf8' }).slice(0, 64);
    return { folder, url: `${origin}/releases/shop-2.1.0.tar`, sha256, bytes: content.length };
  },
  server: ({ folder }) => ({
    configuration: `plugins:\n  - [toolkit/standard, { roots: [${JSON.stringify(folder)}], allowHosts: [127.0.0.1] }]\n  - toolkit/plugins/mcp\n`,
  }),
  async steps(client, { folder, url, sha256 }) {
    const download = await client.tool('web_download', 'download a file and check its checksum');
    const { bytes } = await download.call<{ bytes: number }>({ url, path: 'downloads/shop.tar', sha256 });
    const { isError: refused } = await download.answer({ url, path: 'downloads/other.tar', sha256: sha256.split('').reverse().join('') });
    const downloads = path.join(folder, 'downloads');
    const printed = execFileSync('sha256sum', [path.join(downloads, 'shop.tar')], { encoding: 'utf8' });
    return { bytes, sha256: printed.slice(0, 64), refused, files: readdirSync(downloads) };
  },
  expected: (_folder, { sha256, bytes }) => ({ bytes, sha256, refused: true, files: ['shop.tar'] }),
});
