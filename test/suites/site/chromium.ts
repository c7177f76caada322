import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder where the suite installs a Chromium and its driver. */
const installed = path.resolve('node_modules/.cache/site/node_modules');

/** A request of a page. */
export interface PageRequest {
  url(): string;
  isNavigationRequest(): boolean;
  frame(): { url(): string } | null;
  continue(): Promise<void>;
  abort(): Promise<void>;
}

/** The parts of a page of puppeteer-core that the suites use. */
export interface Page {
  goto(url: string, options?: { readonly waitUntil: 'networkidle0' }): Promise<{ status(): number } | null>;
  reload(): Promise<{ status(): number } | null>;
  goBack(): Promise<unknown>;
  waitForNavigation(): Promise<{ status(): number } | null>;
  url(): string;
  evaluate(expression: string): Promise<unknown>;
  click(selector: string, options?: { readonly count: number }): Promise<void>;
  waitForSelector(selector: string, options?: { readonly visible: boolean }): Promise<unknown>;
  waitForFunction(expression: string): Promise<unknown>;
  /** True: each request waits for its `continue` or `abort`. */
  setRequestInterception(isOn: boolean): Promise<void>;
  setDefaultTimeout(milliseconds: number): void;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  close(): Promise<void>;
  readonly keyboard: { type(text: string): Promise<void>; press(key: string): Promise<void> };
  on(event: 'request', listener: (request: PageRequest) => void): unknown;
  on(event: 'response', listener: (response: { url(): string; status(): number }) => void): unknown;
  on(event: 'pageerror', listener: (error: Error) => void): unknown;
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): unknown;
}

export interface Browser {
  newPage(): Promise<Page>;
  /** Opens a window whose cookies are its own. */
  createBrowserContext(): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
  version(): Promise<string>;
  close(): Promise<void>;
}

interface Puppeteer {
  launch(options: {
    readonly executablePath: string;
    readonly args: readonly string[];
    readonly headless: 'shell';
    readonly acceptInsecureCerts?: boolean;
  }): Promise<Browser>;
}

const from = async <T>(file: string): Promise<T> =>
  ((await import(pathToFileURL(path.join(installed, file)).href)) as { readonly default: T }).default;

/** Starts a Chromium, unpacked in the folder; TOOLKIT_TEST_CHROMIUM names another one. `acceptInsecureCerts`: takes any certificate. */
export async function startChromium(folder: string, more: { readonly acceptInsecureCerts?: boolean } = {}): Promise<Browser> {
  const puppeteer = await from<Puppeteer>('puppeteer-core/lib/esm/puppeteer/puppeteer-core.js');
  return puppeteer.launch({ executablePath: await chromiumIn(folder), args: ['--no-sandbox', '--no-zygote'], headless: 'shell', ...more });
}

/** Returns the program of the suites' Chromium, unpacked in the folder, or the one that TOOLKIT_TEST_CHROMIUM names. */
export async function chromiumIn(folder: string): Promise<string> {
  const named = process.env['TOOLKIT_TEST_CHROMIUM'];
  if (named !== undefined && named !== '') return named;
  const packed = await from<{ executablePath(): Promise<string> }>('@sparticuz/chromium/build/esm/index.js');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    return await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
