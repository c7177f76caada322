import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { type HttpRouteRequest, type HttpRouteResponse, isPlainObject, readJson } from '../../kernel/index.ts';
import { codeRoot, runsFromSource } from '../shared/project/layout.ts';
import { strictUtf8 } from '../shared/text/utf8.ts';
import { safeHeaders } from './headers.ts';
import { paths } from './paths.ts';

/** The built script and style of the page, at addresses that change with their content. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  /** Returns the response to a request for one of the two, compressed for a client that takes gzip; undefined for another path. */
  responseTo(request: Pick<HttpRouteRequest, 'path' | 'headers'>): HttpRouteResponse | undefined;
}

const types = { script: 'text/javascript; charset=utf-8', style: 'text/css; charset=utf-8' } as const;

/** Returns the folder that the build writes the page to. */
export function assetsFolder(): string {
  return path.join(codeRoot(), ...(runsFromSource ? ['dist'] : []), 'plugins', 'console', 'assets');
}

/** Reads the built page; undefined when it is not there, such as in sources without a build. */
export async function readAssets(folder: string = assetsFolder()): Promise<Assets | undefined> {
  const read = async (name: string): Promise<string> => strictUtf8(await readFile(path.join(folder, name))) ?? '';
  try {
    const names = readJson(await read('assets.json'));
    if (!isPlainObject(names)) return undefined;
    const { script, style } = names;
    if (!isAsset(script, 'js') || !isAsset(style, 'css')) return undefined;
    const forms = new Map([
      [`${paths.assets}${script}`, await formsOf('script', await read(script))],
      [`${paths.assets}${style}`, await formsOf('style', await read(style))],
    ]);
    const responseTo: Assets['responseTo'] = ({ path: asked, headers }) => {
      const found = forms.get(asked);
      return found === undefined || !takesGzip(headers) ? found?.plain : found.compressed;
    };
    return { script: `${paths.assets}${script}`, style: `${paths.assets}${style}`, responseTo };
  } catch {
    return undefined;
  }
}

/** One asset as it is sent. */
interface AssetForms {
  readonly plain: HttpRouteResponse;
  readonly compressed: HttpRouteResponse;
}

async function formsOf(kind: keyof typeof types, text: string): Promise<AssetForms> {
  const headers = {
    ...safeHeaders,
    'content-type': types[kind],
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  };
  const compressed = await promisify(gzip)(text, { level: 9 });
  return {
    plain: { status: 200, headers, body: text },
    compressed: { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed },
  };
}

function takesGzip(headers: HttpRouteRequest['headers']): boolean {
  return new Negotiator({ headers }).encodings(['gzip']).includes('gzip');
}

function isAsset(name: unknown, extension: string): name is string {
  return typeof name === 'string' && /^app-[\w-]+\.\w+$/.test(name) && name.endsWith(`.${extension}`);
}
