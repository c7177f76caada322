import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { loopback, type SeenRequest } from '../../../support/loopback.ts';
import { send } from './fetching.ts';

type Page = (response: ServerResponse, request: SeenRequest) => void;

/** Text of the pages of `/compressed` and most others. */
export const plain = Array.from({ length: 2000 }, (_, index) => `Zeile ${index}: größer\n`).join('');

const bombSize = 64 * 1024 * 1024;

function titled(title: string, more = ''): string {
  return `<!doctype html><html><head>${more}<title>${title}</title></head><body><p>Text <a href="next">weiter</a></p></body></html>`;
}

function utf16(text: string, isBigEndian: boolean): Buffer {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return isBigEndian ? bytes.swap16() : bytes;
}

/** Latin letters, and in one page Japanese ones as Shift_JIS has them. */
const shiftJis = Buffer.concat([Buffer.from('<title>'), Buffer.from('93fa967b8cea', 'hex'), Buffer.from('</title><p>x')]);

/** Pages of one title in many encodings: what is sent, with which Content-Type, and the title that is meant. */
export const charsets: Readonly<Record<string, { readonly body: Uint8Array; readonly type: string; readonly title: string }>> = {
  'utf-8': { body: Buffer.from(titled('Grüße €')), type: 'text/html; charset=utf-8', title: 'Grüße €' },
  'iso-8859-1': { body: Buffer.from(titled('Grüße'), 'latin1'), type: 'text/html; charset=ISO-8859-1', title: 'Grüße' },
  'windows-1252': { body: Buffer.from(titled('5 \x80 \x96'), 'latin1'), type: 'text/html; charset="windows-1252"', title: '5 € –' },
  shift_jis: { body: shiftJis, type: 'text/html;charset=Shift_JIS', title: '日本語' },
  'utf-16le with a mark': { body: utf16(titled('Grüße 漢'), false), type: 'text/html', title: 'Grüße 漢' },
  'utf-16be with a mark': { body: utf16(titled('Grüße 漢'), true), type: 'text/html; charset=utf-8', title: 'Grüße 漢' },
  'utf-16le with a mark and without a type': { body: utf16(titled('Grüße 漢'), false), type: '', title: 'Grüße 漢' },
  'meta only': { body: Buffer.from(titled('Gr\xfc\xdfe', '<META charset=latin1>'), 'latin1'), type: 'text/html', title: 'Grüße' },
  'meta only and without a type': {
    body: Buffer.concat([Buffer.from('<!doctype html><meta charset="shift_jis">'), shiftJis]),
    type: '',
    title: '日本語',
  },
  'meta in a comment': {
    body: Buffer.from(titled('Grüße', '<!-- <meta charset=koi8-r> -->')),
    type: 'text/html',
    title: 'Grüße',
  },
  'charset= in a description': {
    body: Buffer.from(titled('Grüße', '<meta name="description" content="about charset=koi8-r">')),
    type: 'text/html',
    title: 'Grüße',
  },
  'wrong header': { body: Buffer.from(titled('Grüße'), 'latin1'), type: 'text/html; charset=utf-8', title: 'Gr��e' },
  'unknown header': {
    body: Buffer.from(titled('Grüße', '<meta charset=utf-8>')),
    type: 'text/html; charset=none-such',
    title: 'Grüße',
  },
};

const pages: Readonly<Record<string, Page>> = {
  '/page': (response) => send(response, titled('Seite')),
  '/text': (response) => send(response, plain, 'text/plain; charset=utf-8'),
  '/compressed/gzip': (response) => encoded(response, 'gzip', gzipSync(plain)),
  '/compressed/br': (response) => encoded(response, 'br', brotliCompressSync(plain)),
  '/compressed/deflate': (response) => encoded(response, 'deflate', deflateSync(plain)),
  '/compressed/deflate-raw': (response) => encoded(response, 'deflate', deflateRawSync(plain)),
  '/compressed/broken': (response) => encoded(response, 'gzip', Buffer.from('no gzip')),
  '/compressed/cut': (response) => cut(response, { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }, gzipSync(plain)),
  '/compressed/bomb': (response) => encoded(response, 'gzip', gzipSync(Buffer.alloc(bombSize, 'x'))),
  '/silent': () => {},
  '/drip': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Anfang'),
  '/endless': (response, { method }) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    // What answers HEAD takes everything that is written and sends nothing of it.
    if (method === 'HEAD') response.end();
    else writeOn(response);
  },
  '/status/404': (response) => send(response, titled('weg'), 'text/html', 404),
  '/status/410': (response) => send(response, titled('weg'), 'text/html', 410),
  '/status/500': (response) => send(response, titled('kaputt'), 'text/html', 500),
  '/status/500/endless': (response) => {
    response.writeHead(500, { 'content-type': 'text/html' });
    writeOn(response);
  },
  '/broken-html': (response) => send(response, '<TITLE>Seite<p></TITLE><p <b>x<a href=next>wei<i>ter</a></table></p></html><a href=">'),
  '/empty': (response) => send(response, '', 'text/html'),
  '/no-content': (response) => void response.writeHead(204).end(),
  '/no-type': (response) => send(response, `<!-- c -->${titled('Seite')}`, ''),
  '/long-line': (response) => send(response, `${titled('Seite')}<p>${'lang '.repeat(500_000)}`),
  '/cut': (response) => cut(response, { 'content-type': 'text/html', 'content-length': '1000' }, Buffer.from(titled('halb'))),
  '/cut-chunked': (response) => cut(response, { 'transfer-encoding': 'chunked' }, Buffer.from(titled('halb'))),
  // More than is declared never belongs to the answer.
  '/too-long': (response) =>
    void response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '5', connection: 'close' }).end('12345678'),
  '/redirect/chain': (response) => redirect(response, 301, '/redirect/chain-2'),
  '/redirect/chain-2': (response) => redirect(response, 307, 'chain-3'),
  '/redirect/chain-3': (response) => redirect(response, 303, '//127.0.0.1'.concat(portOf(response), '/page#part')),
  '/redirect/loop': (response) => redirect(response, 302, '/redirect/pool'),
  '/redirect/pool': (response) => redirect(response, 302, '/redirect/loop'),
  '/redirect/other-host': (response) => redirect(response, 302, `http://127.0.0.2${portOf(response)}/page`),
  '/redirect/private': (response) => redirect(response, 301, 'http://10.0.0.1/admin'),
  '/redirect/metadata': (response) => redirect(response, 307, 'http://[::ffff:169.254.169.254]/latest/meta-data/'),
  '/redirect/file': (response) => redirect(response, 302, 'file:///etc/passwd'),
  '/redirect/broken': (response) => redirect(response, 302, 'http://[broken'),
  '/redirect/user': (response) => redirect(response, 302, `http://me:word@127.0.0.1${portOf(response)}/page`),
  // As servers write it: the bytes of UTF-8, not escaped.
  '/redirect/utf-8': (response) => redirect(response, 302, Buffer.from('/größe').toString('latin1')),
  '/redirect/latin-1': (response) => redirect(response, 302, '/größe'),
  '/gr%C3%B6%C3%9Fe': (response) => send(response, titled('Seite')),
};

/** A web site on a loopback port whose pages are as awkward as those of the web. Those that never go on end with the test. */
export function awkwardSite(): ReturnType<typeof loopback> {
  return loopback((request, response) => pageAt(request.url)(response, request));
}

function pageAt(url: string): Page {
  const page = pages[url];
  if (page !== undefined) return page;
  const charset = charsets[decodeURIComponent(url.replace('/charset/', ''))];
  if (charset !== undefined) return (response) => send(response, charset.body, charset.type);
  const status = /^\/redirect\/(30\d)$/.exec(url)?.[1];
  if (status !== undefined) return (response) => redirect(response, Number(status), '/page');
  return (response) => send(response, titled('weg'), 'text/html', 404);
}

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { location, 'content-type': 'text/html' }).end(titled('moved'));
}

function encoded(response: ServerResponse, encoding: string, body: Uint8Array): void {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-encoding': encoding }).end(body);
}

/** Half of the body, and then no connection any more. */
function cut(response: ServerResponse, headers: Readonly<Record<string, string>>, body: Uint8Array): void {
  response.writeHead(200, headers);
  response.write(body.subarray(0, body.length >> 1), () => response.destroy());
}

function portOf({ socket }: ServerResponse): string {
  return `:${socket?.localPort}`;
}

function writeOn(response: ServerResponse): void {
  while (!response.destroyed && response.write('x'.repeat(10_000)));
  if (!response.destroyed) response.once('drain', () => writeOn(response));
}
