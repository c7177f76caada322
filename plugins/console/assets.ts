import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type HttpRouteResponse, isPlainObject, readJson } from '../../kernel/index.ts';
import { codeRoot, runsFromSource } from '../shared/project/layout.ts';
import { strictUtf8 } from '../shared/text/utf8.ts';
import { safeHeaders } from './headers.ts';
import { paths } from './paths.ts';

/** The built script and style of the page, at addresses that change with their content. */
export interface Assets {
  readonly script: string;
  readonly style: string;
  /** Responses by path. */
  readonly responses: ReadonlyMap<string, HttpRouteResponse>;
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
    const response = async (kind: 'script' | 'style', name: string): Promise<[string, HttpRouteResponse]> => [
      `${paths.assets}${name}`,
      {
        status: 200,
        headers: { ...safeHeaders, 'content-type': types[kind], 'cache-control': 'public, max-age=31536000, immutable' },
        body: await read(name),
      },
    ];
    const responses = new Map([await response('script', script), await response('style', style)]);
    return { script: `${paths.assets}${script}`, style: `${paths.assets}${style}`, responses };
  } catch {
    return undefined;
  }
}

function isAsset(name: unknown, extension: string): name is string {
  return typeof name === 'string' && /^app-[\w-]+\.\w+$/.test(name) && name.endsWith(`.${extension}`);
}
